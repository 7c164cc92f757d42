#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  /// A data source of this module.
  ///
  /// A view has one at a time: the others that were made for it leave it alone.
  @MainActor
  protocol ListSource: AnyObject {}

  extension ListSource {
    /// Whether a view with this data source shows what this one says: itself, or by way of one of the app's that
    /// forwards to it.
    func isInUse(as dataSource: AnyObject?) -> Bool {
      dataSource.map { $0 === self || !($0 is any ListSource) } ?? false
    }
  }
#endif
