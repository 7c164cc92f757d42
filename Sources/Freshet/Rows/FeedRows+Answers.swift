internal import FreshetLists
internal import struct Foundation.Date

// The changes that answers make to the rows.
extension FeedRows {
  /// Merges the rows that a load read.
  mutating func merge(_ merge: PageMerge, at now: Date) -> RowChange {
    if case .above(let id, let previous) = merge.then {
      return self.merge(merge, above: id, previous: previous, at: now)
    }
    let (run, plan, load) = (merge.run, merge.plan, merge.load)
    noteEdited(run, merged: plan.skipped..<(plan.skipped + plan.keeps.count))
    let made = order == nil ? [] : timeline.madeRows(in: plan.start..<plan.end)
    // The reader asked for rows above to see them, so they are not held back.
    let isShown = load.jump?.edge == .previous && presentation.waitingItems == 0
    let change = change(
      .page(load.request.key), load.duplicates, showsTop: isShown, at: now
    ) {
      let edit = $0.timeline.merge(run, match: plan, head: merge.head)
      $0.requeueNews(removedBy: edit, for: load)
      return edit
    }
    if let order, !(made.isEmpty && misplaced.isEmpty) {
      misplaced = (misplaced + made).filter {
        timeline.order(of: $0.id) == nil
          && !timeline.isCovered($0, by: run, at: load.place, in: order)
      }
    }
    return change
  }

  /// Merges a page that leads up to a row.
  ///
  /// - Parameter previous: the key of the page before this one; `nil` if this is the first page.
  private mutating func merge(
    _ merge: PageMerge, above before: RowID, previous: PageKey?, at now: Date
  ) -> RowChange {
    let (run, load) = (merge.run, merge.load)
    noteEdited(run, merged: run.items.indices)
    // The reader asked for rows above to see them, so they are not held back.
    let isShown = load.edge == .previous && presentation.waitingItems == 0
    return change(.page(load.request.key), load.duplicates, showsTop: isShown, at: now) {
      var edit = $0.timeline.merge(run, match: merge.plan)
      if run.items.isEmpty { $0.timeline.mark(before, &edit) { $0.previous = previous } }
      if load.edge == .previous, previous == nil { $0.timeline.setEnds(.end, nil, &edit) }
      return edit
    }
  }

  /// Replaces the list with the rows that a load read.
  mutating func replaceList(by run: Run, for load: Load, at now: Date) -> RowChange {
    noteEdited(run, merged: run.items.indices)
    return change(.page(load.request.key), load.duplicates, at: now) {
      let edit = $0.timeline.become(run)
      $0.requeueNews(removedBy: edit, for: load)
      return edit
    }
  }

  /// Notes what an answer contains about edited items, before the timeline merges it.
  private mutating func noteEdited(_ run: Run, merged: Range<Int>) {
    let timeline = timeline
    presentation.overlay.edits.note(run, merged: merged) { timeline.order(of: $0) != nil }
  }

  /// Requeues the news of removed rows that the source sent after the request (rule R2).
  ///
  /// A removed row may be further down the list. Its page inserts it again, so its news is
  /// requeued only if it is an insertion. A row that a later page of the run would have contained
  /// may be inserted again; the next refresh removes it.
  private mutating func requeueNews(removedBy edit: TimelineEdit, for load: Load) {
    if presentation.overlay.edits.isEmpty { return }
    let isWhole = timeline.tail == .end && timeline.gaps.isEmpty
    for (_, row) in edit.removed {
      guard let id = row.item?.id, timeline.order(of: id) == nil,
        let news = presentation.overlay.edits.removeNews(
          of: id, unknownTo: load.oldestRequest, isInsertion: order == nil && !isWhole)
      else { continue }
      unplacedNews[id] = news
    }
  }

  /// Returns the items of an answer that the source deleted after the request was made.
  ///
  /// They would otherwise be stored, and the app may terminate before a later answer omits them
  /// (rule R6).
  ///
  /// - Complexity: O(1) if nothing is being edited, else O(*m*) for *m* items.
  func deletedItems(in run: Run?) -> [RowID] {
    let edits = presentation.overlay.edits
    guard let run, !edits.isEmpty else { return [] }
    return zip(run.items, run.requests).compactMap { item, request in
      let isGone =
        edits.isDeleted(item.id, after: request)
        && edits.appearance(of: item.id, over: item).item == nil
        && timeline.order(of: item.id) != nil
      return isGone ? item.id : nil
    }
  }

  /// Removes an item that no longer exists.
  mutating func remove(_ id: RowID, because cause: RowTrace.Cause, at now: Date) -> RowChange {
    change(cause, at: now) { $0.take(out: id) }
  }
}
