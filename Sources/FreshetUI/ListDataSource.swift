#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  /// A data source of this module.
  @MainActor
  protocol ListDataSource: AnyObject {
    /// Whether a view asked it for its number of sections or rows since it was last reloaded.
    var wasAsked: Bool { get set }
  }

  extension ListDataSource {
    /// Returns whether a view gets its rows from this data source.
    ///
    /// The view's data source is this object, or an object of the app that forwards to it. Only
    /// that object knows its target. The method therefore asks it for its counts and checks whether
    /// this data source was asked in turn.
    ///
    /// - Parameters:
    ///   - dataSource: the data source of the view.
    ///   - sections: asks it for its number of sections.
    ///   - rows: asks it for the number of rows in the first section.
    func isInUse<DataSource>(
      as dataSource: DataSource?, sections: (DataSource) -> Int, rows: (DataSource) -> Int
    ) -> Bool {
      guard let dataSource else { return false }
      if dataSource as AnyObject === self { return true }
      if dataSource is any ListDataSource { return false }
      // Only what the view itself asks counts as asked.
      let before = wasAsked
      defer { wasAsked = before }
      wasAsked = false
      // Without sections, there is no first section to ask about.
      if sections(dataSource) > 0, !wasAsked { _ = rows(dataSource) }
      return wasAsked
    }
  }

  /// A surface whose view gets its rows from a data source of this module.
  protocol DataSourceSurface: ListSurface {
    /// The data source that answers the view for the list.
    var source: (any ListDataSource)? { get }
  }

  extension DataSourceSurface {
    /// Whether the view has rows, which it counted since it was last reloaded.
    ///
    /// A view that is not on screen counts none until its rows are needed.
    var hasRows: Bool { isOnScreen || source?.wasAsked == true }

    /// Reloads the view, unless it will count its rows anyway.
    func reload(_ show: () -> Void, with reloadData: () -> Void) {
      let isNeeded = hasRows
      show()
      guard isNeeded else { return }
      source?.wasAsked = false
      reloadData()
    }
  }
#endif
