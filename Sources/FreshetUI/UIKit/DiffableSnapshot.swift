#if canImport(UIKit) && !os(watchOS)
  public import FreshetLists
  public import UIKit

  extension NSDiffableDataSourceSnapshot where SectionIdentifierType == String {
    /// Creates a snapshot of the list after an update, for apps with a diffable data source.
    ///
    /// Sections are identified by their names, and rows by their ids. Rows that changed are
    /// reconfigured.
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
      reconfigureItems(update.changes.updatedRows.map { update.after[$0].id })
    }
  }
#endif
