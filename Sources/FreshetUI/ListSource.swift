#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  /// A data source of this module.
  @MainActor
  protocol ListSource: AnyObject {
    /// Whether it was asked how much there is to show.
    var wasAsked: Bool { get set }
  }

  extension ListSource {
    /// Whether a view with this data source shows what this one says: itself, or by way of one of
    /// the app's that forwards to it.
    ///
    /// Only the app's own object knows to whom it forwards: it is asked, and who hears of it
    /// answers for the view.
    ///
    /// - Parameters:
    ///   - dataSource: the data source of the view.
    ///   - sections: asks it how many sections there are.
    ///   - rows: asks it how many rows the first one has.
    func isInUse<DataSource>(
      as dataSource: DataSource?, sections: (DataSource) -> Int, rows: (DataSource) -> Int
    ) -> Bool {
      guard let dataSource else { return false }
      if dataSource as AnyObject === self { return true }
      if dataSource is any ListSource { return false }
      wasAsked = false
      // Where there are no sections, nothing can be said of the first one.
      if sections(dataSource) > 0, !wasAsked { _ = rows(dataSource) }
      return wasAsked
    }
  }
#endif
