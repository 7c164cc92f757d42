internal import FreshetLists
internal import struct Foundation.Date

// What the lists of one identity map do for each other.
extension FeedMachine {
  /// Counts the requests of this feed after those of other lists.
  mutating func countRequests(after request: Int) {
    planner.lastRequest = max(planner.lastRequest, request)
  }

  /// Takes in what happened in other lists.
  mutating func take(_ news: SharedNews, at now: Date) {
    for notice in news.notices { take(notice, at: now) }
    var items = news.items.filter { rows.known($0.item.id) != $0.item && rows.mayShow($0.item.id) }
    if isRestoring {
      restoring?.news += items.map { (.update($0.item), $0.token, $0.request) }
      return
    }
    apply(rows.update(&items, planner.requests, at: now), at: now)
    for item in items {
      follow(.update(item.item), token: item.token, after: item.request, at: now)
    }
  }

  private mutating func take(_ notice: SharedNews.Notice, at now: Date) {
    switch notice {
    case .begin(let edit, let token):
      if rows.presentation.overlay.edits.edit(token) == nil { begin(edit, token: token, at: now) }
    case .confirm(let token, let item): confirm(token, as: item, at: now)
    case .undo(let token): undo(token, at: now)
    case .delete(let id, let token): follow(.delete(id), token: token, at: now)
    }
  }

  /// Confirms an edit, and returns its item after it.
  ///
  /// If the source did not return the item, the edit determines it once and for all: newer versions
  /// that other lists learn may include it.
  mutating func confirmShared(_ token: Int, as item: AnyItem?, at now: Date) -> ConfirmedEdit {
    guard let (id, edit) = rows.presentation.overlay.edits.edit(token) else {
      return item.map { .item($0) } ?? .unknown
    }
    if edit.change.isDeletion {
      confirm(token, as: nil, at: now)
      return .deletion(id)
    }
    confirm(token, as: item ?? edit.change.applied(to: rows.known(id)), at: now)
    return (rows.known(item?.id ?? id) ?? item).map { .item($0) } ?? .unknown
  }
}

extension FeedRows {
  /// Returns whether the list has an item, or will show it without a new answer.
  fileprivate func mayShow(_ id: RowID) -> Bool {
    shows(id) || timeline.evicted.isEvicted(id) || unplacedNews[id] != nil
      || presentation.overlay.edits.contains(id)
  }

  /// Returns an item as the source reports it, without edits that it has not confirmed.
  func known(_ id: RowID) -> AnyItem? {
    presentation.overlay.edits.known(of: id, over: timeline.item(id))
  }
}
