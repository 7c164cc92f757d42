public import FreshetLists

extension ListSection {
  /// The items of the section, without the gaps between them.
  ///
  /// - Complexity: O(rows of the section).
  public func items<Base: ListItem>() -> LoadedItems<Base> where Item == ListRow<Base> {
    let gaps = rows.enumerated().lazy.filter { $0.element.gap != nil }.map(\.offset)
    return LoadedItems(ListSnapshot(sections: [self]), gaps: Array(gaps))
  }
}
