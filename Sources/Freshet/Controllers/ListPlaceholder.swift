internal import FreshetLists

/// The content to show in place of a list without rows.
public enum ListPlaceholder: Equatable, Sendable {
  /// The first rows are being loaded, or are about to be.
  case loading
  /// The list is empty.
  case empty
  /// There are no rows because of a failure.
  ///
  /// The first rows could not be loaded, or are being retried after a failure. Or the store of
  /// live results cannot report changes at the moment.
  case failed(ErrorNotice)

  /// Creates the placeholder of a list; `nil` if the list has rows, or gaps that may become rows.
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
