#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import FreshetLists
  public import AppKit

  extension NSDiffableDataSourceSnapshot where SectionIdentifierType == String {
    /// The list after an update, for those who keep a diffable data source: sections by their
    /// names, rows by their ids, and the rows that changed to be reloaded.
    ///
    /// A diffable data source compares all ids on each update; the sources of this module do not.
    ///
    /// - Complexity: O(*n*).
    public init<Item: ListItem>(of update: ListStep<Item>) where ItemIdentifierType == Item.ID {
      self.init()
      for section in update.after.sections {
        appendSections([section.name])
        appendItems(section.rows.map(\.id), toSection: section.name)
      }
      reloadItems(update.changes.updatedRows.map { update.after[$0].id })
    }
  }
#endif
