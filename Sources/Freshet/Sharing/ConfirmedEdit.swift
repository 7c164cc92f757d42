internal import FreshetLists

/// The item of an edit that its source confirmed.
enum ConfirmedEdit: Sendable {
  /// The item, as the source has it now.
  case item(AnyItem)
  case deletion(RowID)
  /// The list does not know the item.
  case unknown

  var item: AnyItem? { if case .item(let item) = self { item } else { nil } }
}
