internal import FreshetLists
internal import struct Foundation.Date

/// The part of a feed in an identity map.
struct FeedSharing: Sendable {
  let member: SharedMember

  /// Leaves the map.
  ///
  /// - Returns: the rest of the work, which takes time in proportion to the rows.
  func leave(_ machine: FeedMachine) -> @Sendable () -> Void {
    member.leave {
      machine.timeline.rows.compactMap(\.item?.id) + (machine.shared?.ids ?? [])
    }
  }

  // MARK: - Before an event

  /// Counts the requests of the feed after those of the other lists, and takes in what happened in
  /// them.
  func prepare(_ machine: inout FeedMachine, at now: Date) {
    machine.countRequests(after: member.hub.withItems { $0.lastRequest })
    follow(&machine, at: now)
  }

  /// Returns an answer with the newest versions of its items.
  func resolve(
    _ answer: PageAnswer, for ticket: LoadTicket, _ machine: inout FeedMachine
  ) -> PageAnswer {
    guard case .success(var page) = answer, let request = machine.planner[ticket]?.request else {
      return answer
    }
    if page.isUnchanged {
      // Other lists may have learned newer versions since.
      let known = (request.sent?.items ?? []).filter { machine.rows.known($0.id) == $0 }
      _ = member.learn(known, inAnswerTo: request.number)
      return answer
    }
    machine.shared?.note(arrived: page.items.map(\.id))
    let newest = zip(member.learn(page.items, inAnswerTo: request.number), page.items).map {
      // The machine knows what was deleted, and needs the position of a deleted item in the answer.
      $0 ?? $1
    }
    if newest != page.items {
      // The validator belongs to what the source answered.
      (page.items, page.validator) = (newest, nil)
    }
    return .success(page)
  }

  /// Returns the answers for windows with the newest versions of their items.
  func resolve(
    _ answer: WindowAnswer, for ticket: LoadTicket, _ machine: inout FeedMachine
  ) -> WindowAnswer {
    answer.map { windows in
      windows.map { pages in
        pages.map { page in
          if page.isUnchanged { return page }
          let newest = try? resolve(.success(page), for: ticket, &machine).get()
          return newest ?? page
        }
      }
    }
  }

  /// Returns an event with the newest version of its item, and reports it to the other lists.
  ///
  /// - Parameter request: the last request of any list before the event was received.
  func resolve(
    _ event: FeedEvent<AnyItem>, after request: Int, _ machine: inout FeedMachine
  ) -> FeedEvent<AnyItem> {
    func newest(_ item: AnyItem) -> AnyItem {
      machine.shared?.note(arrived: [item.id])
      return member.learn(item, after: request)
    }
    switch event {
    case .insert(let item): return .insert(newest(item))
    case .upsert(let item): return .upsert(newest(item))
    case .update(let item): return .update(newest(item))
    case .delete(let id):
      member.delete(id)
      return event
    case .invalidate, .invalidateWindows: return event
    }
  }

  // MARK: - After an event

  /// Notes the changes of the rows, and takes in what happened in other lists.
  func follow(_ machine: inout FeedMachine, at now: Date) {
    while true {
      let news = exchange(&machine)
      if news.isEmpty { return }
      machine.take(news, at: now)
    }
  }

  // The machine is not copied here: each of its many values would be retained.
  private func exchange(_ machine: inout FeedMachine) -> SharedNews {
    let changes = machine.shared?.takeChanges() ?? []
    let held = changes.isEmpty ? [] : holdings(after: changes, in: machine.rows.timeline)
    var answered: [AnyItem] = []
    for id in machine.shared?.takeAnswered() ?? [] {
      if let item = machine.rows.known(id) { answered.append(item) }
    }
    var gone: [RowID] = []
    if machine.planner.loadCount == 0, machine.shared?.isAwaiting == true {
      let rows = machine.rows
      gone = machine.shared?.takeArrived(unless: rows.awaits) ?? []
      gone.removeAll { rows.timeline.order(of: $0) != nil }
    }
    let isStoring = machine.isRestoring || !machine.rows.timeline.evicted.runs.isEmpty
    let (last, oldest) = (machine.planner.lastRequest, machine.planner.requests.oldest)
    member.record(held, isStoring: isStoring)
    return member.hub.withItems { [number = member.number, answered, gone] items in
      items.noteRequests(upTo: last)
      items.setState(of: number, isStoring: isStoring, oldestRequest: oldest)
      // A row that is on display does not wait for the rest of its answer.
      for item in answered where item != items.item(item.id) {
        items.markChanged(item.id, for: number)
      }
      for id in gone { items.release(id, by: number) }
      return items.takeNews(for: number)
    }
  }

  /// Returns what the changes of the rows mean for the items that the feed holds.
  private func holdings(
    after changes: [RowChange], in timeline: Timeline
  ) -> [SharedItems.Holding] {
    var holdings: [SharedItems.Holding] = []
    for change in changes {
      for (_, row) in change.edit.removed {
        if let id = row.item?.id, timeline.order(of: id) == nil { holdings.append(.nothing(id)) }
      }
      for (_, row) in change.edit.inserted {
        guard let item = row.item.flatMap({ timeline.item($0.id) }) else { continue }
        if case .edit = change.cause {
          holdings.append(.local(item))
        } else {
          holdings.append(.shown(item))
        }
      }
    }
    return holdings
  }
}

extension FeedRows {
  /// Returns whether an item that arrived may yet get into the timeline.
  fileprivate func awaits(_ id: RowID) -> Bool {
    timeline.order(of: id) == nil
      && (presentation.overlay.edits.contains(id) || unplacedNews[id] != nil)
  }
}
