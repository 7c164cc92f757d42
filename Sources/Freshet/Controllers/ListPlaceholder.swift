internal import FreshetLists

/// What stands on screen in the place of a list without rows.
public enum ListPlaceholder: Equatable, Sendable {
  /// The first rows are on their way, or about to be asked for.
  case loading
  /// There is nothing in the list.
  case empty
  /// The first rows could not be loaded, or not yet and are asked for again by themselves, or the
  /// store of live results cannot say at the moment what changes.
  case failed(ErrorNotice)

  /// What stands in the place of a list; `nil` where it has rows, or gaps where rows may be.
  ///
  /// - Complexity: O(gaps).
  public init?(_ value: ListValue<some ListItem>) {
    let loads = value.state
    if value.list.count > 0 { return nil }
    if loads.refresh == .loading || loads.next == .loading {
      let notice = loads.retrying.map { ErrorNotice($0, isRetriedByItself: true) }
      self = notice.map(Self.failed) ?? .loading
      return
    }
    if let notice = value.notice {
      self = .failed(notice)
      return
    }
    let isAnswered = value.refreshedAt != nil || loads.next == .end
    self = isAnswered && !value.isPartial && !loads.isShowingOldRows ? .empty : .loading
  }
}
