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
  mutating func waitForRestore(_ waiter: Int) {
    guard isRestoring else { return perform([.resume([waiter], contents.state.refresh)]) }
    planner.waitForRestore(waiter)
  }

  /// Takes in rows that were read from disk.
  mutating func restore(_ cached: CachedRows<AnyItem>, at now: Date) {
    guard var progress = restoring else { return }
    if let (page, items) = progress.collectHead(cached) {
      planner.noteRestored(page.page(of: items))
      pending.page = page
    }
    let isFirst = progress.rows == 0
    let restored = rows.restore(cached, &progress, maximum: configuration.maximumRows, at: now)
    let step = absorb(restored.change)
    restoring = progress
    planner.noteRestored(isHeadUnread: progress.isHeadUnread)
    if isFirst, !restored.isHeadLost, let date = cached.state.refreshedAt {
      published.noteRefresh(at: date)
    }
    if restored.isHeadLost || !restored.dropped.isEmpty { pending.isWhole = true }
    publish(step)
    guard cached.isComplete || restored.rest != nil else { return }
    restoring = nil
    var deferred = planner.endRestoring()
    if let rest = restored.rest {
      leave(rest, restored, of: cached, &deferred)
    } else if progress.holdsSave {
      save(absorb(rows.change(.edit, at: now)))
    }
    endRestoring(deferred, progress.news, at: now)
  }

  /// Leaves the rest of the rows on disk, except those around the reader.
  private mutating func leave(
    _ rest: Gap.ID, _ restored: FeedRows.Restored, of cached: CachedRows<AnyItem>,
    _ deferred: inout DeferredLoads
  ) {
    pending.isWhole = false
    if !restored.dropped.isEmpty || restored.above > 0 {
      save(deleted: restored.dropped, inserted: 0..<restored.above)
    }
    let first = cached.count - (rows.timeline.evicted.runs[rest]?.count ?? 0)
    guard rows.presentation.reader == nil, let place = cached.state.anchor,
      (first..<cached.count).contains(place)
    else { return }
    perform(planner.readRows(around: place - first, of: rest, for: &deferred, in: rows.timeline))
    publish()
  }

  /// Resumes the callers, events and loads that waited for the rows from disk.
  private mutating func endRestoring(
    _ deferred: DeferredLoads,
    _ news: [(event: FeedEvent<AnyItem>, token: Int, request: Int)], at now: Date
  ) {
    settle(at: now)
    perform([.resume(deferred.waiters, contents.state.refresh)])
    for (event, token, request) in news { follow(event, token: token, after: request, at: now) }
    perform(planner.load(deferred, in: rows.timeline))
    publish()
    readAnswers()
  }

  // MARK: - Evicted rows

  /// Takes in evicted rows that were read from disk.
  ///
  /// - Parameter answer: the rows, or the error if they cannot be read; `nil` if they are no
  ///   longer stored.
  mutating func readBack(
    _ answer: Result<[CachedRows<AnyItem>.Row]?, any Error>, for ticket: LoadTicket, at now: Date
  ) {
    guard var load = planner[ticket], let disk = load.disk else { return }
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
      if isOwn { return finish(load, step, at: now) }
      publish(step)
      save(step)
      return restart(load)
    }
    let back = rows.readBack(read, of: disk, middle: load.middle, at: now)
    let step = absorb(back.change)
    // Rows on disk do not result from a request: any news is newer.
    load.request.number = 0
    if !back.dropped.isEmpty { save(deleted: back.dropped) }
    // If all rows were damaged or are elsewhere by now, the rows after them are read.
    let isFruitless = !back.hasItems && rows.timeline.evicted.runs[disk.gap] != nil
    if isOwn, !isFruitless {
      finish(load, step, isSaved: true, at: now)
      return readAnswers()
    }
    publish(step)
    passFrontier(0, at: now)
    restart(load)
  }

  /// Forgets the stored rows; a gap takes the place of evicted rows, to be loaded from the source.
  mutating func forgetStored(at now: Date) {
    pending.isWhole = true
    let gaps = Array(rows.timeline.evicted.runs.keys)
    publish(absorb(rows.forgetStored(gaps, at: now)))
    readAnswers()
  }
}
