internal import FreshetLists
internal import struct Foundation.Date

// Restoring rows from disk.
extension FeedMachine {
  /// Begins to restore rows from disk; answers are held back meanwhile.
  mutating func beginRestoring() {
    restoring = RestoreProgress()
    planner.beginRestoring()
  }

  /// Makes a caller wait until all rows on disk are shown.
  mutating func waitForRestore(_ waiter: Int) -> [Effect] {
    guard isRestoring else { return [.load(.resume([waiter], contents.state.refresh))] }
    planner.waitForRestore(waiter)
    return []
  }

  /// Takes in rows that were read from disk.
  mutating func restore(_ cached: CachedRows<AnyItem>, at now: Date) -> [Effect] {
    guard var progress = restoring else { return [] }
    if let (page, items) = progress.collectHead(cached) {
      planner.noteRestored(page.page(of: items))
      pending.page = page
    }
    let isFirst = progress.rows == 0
    let restored = rows.restore(
      cached, &progress, maximum: configuration.maximumRows, at: now)
    let step = absorb(restored.change)
    restoring = progress
    planner.noteRestored(isHeadUnread: progress.isHeadUnread)
    if isFirst, !restored.isHeadLost, let date = cached.state.refreshedAt {
      contents.refreshedAt = date
    }
    if restored.isHeadLost || !restored.dropped.isEmpty { pending.isWhole = true }
    let published = publish(step)
    guard cached.isComplete || restored.rest != nil else { return published }
    restoring = nil
    var deferred = planner.endRestoring()
    let effects =
      if let rest = restored.rest {
        leave(rest, restored, of: cached, &deferred)
      } else {
        progress.holdsSave ? save(absorb(rows.change(.edit, at: now))) : []
      }
    return published + effects + endRestoring(deferred, progress.news, at: now)
  }

  /// Leaves the rest of the rows on disk, except those around the reader.
  private mutating func leave(
    _ rest: Gap.ID, _ restored: FeedRows.Restored, of cached: CachedRows<AnyItem>,
    _ deferred: inout DeferredLoads
  ) -> [Effect] {
    pending.isWhole = false
    var effects: [Effect] = []
    if !restored.dropped.isEmpty || restored.above > 0 {
      effects += commit(deleted: restored.dropped, inserted: Array(0..<restored.above))
    }
    let first = cached.count - (rows.timeline.evicted.runs[rest]?.count ?? 0)
    guard rows.presentation.reader == nil, let place = cached.state.anchor,
      (first..<cached.count).contains(place)
    else { return effects }
    let actions = planner.readRows(
      around: place - first, of: rest, for: &deferred, in: rows.timeline)
    return effects + perform(actions) + publish()
  }

  /// Resumes the callers, events and loads that waited for the rows from disk.
  private mutating func endRestoring(
    _ deferred: DeferredLoads,
    _ news: [(event: FeedEvent<AnyItem>, token: Int, request: Int)], at now: Date
  ) -> [Effect] {
    var effects = settle(at: now)
    effects.append(.load(.resume(deferred.waiters, contents.state.refresh)))
    for (event, token, request) in news {
      effects += follow(event, token: token, after: request, at: now)
    }
    effects += perform(planner.load(deferred, in: rows.timeline))
    return effects + publish() + readAnswers()
  }

  /// Stores which rows were deleted from and inserted into those on disk, as indices there.
  private mutating func commit(deleted: [Int], inserted: [Int] = []) -> [Effect] {
    let state = storedState()
    return [
      .save(pending.commit(deleted: deleted, inserted: inserted, state, of: rows.timeline))
    ]
  }

  // MARK: - Evicted rows

  /// Takes in evicted rows that were read from disk.
  ///
  /// - Parameter answer: the rows, or the error if they cannot be read; `nil` if they are no
  ///   longer stored.
  mutating func readBack(
    _ answer: Result<[CachedRows<AnyItem>.Row]?, any Error>, for ticket: LoadTicket, at now: Date
  ) -> [Effect] {
    guard var load = planner[ticket], let disk = load.disk else { return [] }
    let isOwn = load.edge == .gap(disk.gap)
    // If other rows of the gap were evicted or restored meanwhile, these indices are out of date.
    let run = rows.timeline.evicted.runs[disk.gap]
    guard run == disk.run else {
      return isOwn && run == nil ? finish(load, at: now) : restart(load)
    }
    let read: [CachedRows<AnyItem>.Row]?
    switch answer {
    case .success(let stored): read = stored
    case .failure(let error):
      return execute(planner.fail(load, .source(error), in: rows.timeline), at: now)
    }
    guard let read, read.count == disk.range.count else {
      planner.forgetUsedKeys()
      let step = absorb(rows.forgetStored([disk.gap], at: now))
      return isOwn ? finish(load, step, at: now) : publish(step) + save(step) + restart(load)
    }
    let back = rows.readBack(read, of: disk, middle: load.middle, at: now)
    let step = absorb(back.change)
    // Rows on disk do not result from a request: any news is newer.
    load.request.number = 0
    let saved = back.dropped.isEmpty ? [] : commit(deleted: back.dropped)
    // If all rows were damaged or are elsewhere by now, the rows after them are read.
    let isFruitless = !back.hasItems && rows.timeline.evicted.runs[disk.gap] != nil
    if !isOwn || isFruitless {
      return publish(step) + saved + passFrontier(0, at: now) + restart(load)
    }
    return finish(load, step, saved: saved, at: now) + readAnswers()
  }

  /// Forgets the stored rows; a gap takes the place of evicted rows, to be loaded from the source.
  mutating func forgetStored(at now: Date) -> [Effect] {
    pending.isWhole = true
    let gaps = Array(rows.timeline.evicted.runs.keys)
    return publish(absorb(rows.forgetStored(gaps, at: now))) + readAnswers()
  }
}
