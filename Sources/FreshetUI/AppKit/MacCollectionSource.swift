#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Freshet
  internal import FreshetLists

  /// The data source of an `NSCollectionView` that shows a list.
  ///
  /// The list is a feed, live results or a list made of others.
  ///
  /// ```swift
  /// let source = MacCollectionSource(collectionView, notes) { collectionView, path, note in
  ///   let item = collectionView.makeItem(withIdentifier: id, for: path)
  ///   (item as? NoteItem)?.show(note)
  ///   return item
  /// }
  /// ```
  ///
  /// Each step of the list is one batch, performed in the turn of the main actor in which the list
  /// publishes it. An `NSCollectionView` cannot configure an item in place, so rows that changed
  /// are reloaded. The view does not retain its data source: keep it as long as the view. The
  /// view's delegate remains yours.
  @MainActor
  public final class MacCollectionSource<Item: ListItem>: NSObject,
    NSCollectionViewDataSource,
    NSCollectionViewPrefetching, ListDataSource
  {

    /// The presenter that shows the list on the collection view.
    public let presenter: ListPresenter<Item>
    /// Whether a view asked it for its number of sections or items.
    var wasAsked = false
    private let surface: MacCollectionSurface
    private let cell: (NSCollectionView, IndexPath, Item) -> NSCollectionViewItem
    private let other: ((NSCollectionView, IndexPath, ScreenRow<Item>) -> NSCollectionViewItem)?
    /// The kinds of supplementary views for which a class is registered.
    private var plainKinds: Set<NSCollectionView.SupplementaryElementKind> = []

    /// The closure that makes headers and footers, if the layout has any.
    ///
    /// Without it, they are lines of text.
    public var supplement:
      (
        (NSCollectionView, NSCollectionView.SupplementaryElementKind, IndexPath, _ title: String?)
          -> NSView
      )?
    /// The closure that receives items about to appear on screen, to fetch their images.
    public var prefetch: (([Item]) -> Void)?
    /// The closure that receives items that were about to appear on screen and will not.
    public var cancelPrefetching: (([Item]) -> Void)?

    /// Shows a list on a collection view.
    ///
    /// - Parameters:
    ///   - collectionView: the collection view.
    ///   - list: the list.
    ///   - options: how steps are shown.
    ///   - other: makes the item of a gap or of an edge that loads or failed; without it, it is a
    ///     line of text.
    ///   - cell: makes the collection view item of an item.
    public init(
      _ collectionView: NSCollectionView, _ list: ListController<some LiveList<Item>>,
      options: ScreenOptions = ScreenOptions(),
      other: ((NSCollectionView, IndexPath, ScreenRow<Item>) -> NSCollectionViewItem)? = nil,
      cell: @escaping (NSCollectionView, IndexPath, Item) -> NSCollectionViewItem
    ) {
      surface = MacCollectionSurface(collectionView)
      presenter = ListPresenter(list, on: surface, options: options)
      self.cell = cell
      self.other = other
      super.init()
      surface.source = self
      collectionView.register(PlainItem.self, forItemWithIdentifier: Self.plain)
      collectionView.dataSource = self
      collectionView.prefetchDataSource = self
      collectionView.reloadData()
    }

    /// Returns the item at an index path, or `nil` if there is none.
    public func item(at path: IndexPath) -> Item? {
      presenter.layout.row(at: RowPath(path))?.item
    }

    private static var plain: NSUserInterfaceItemIdentifier {
      NSUserInterfaceItemIdentifier("Freshet.plain")
    }

    private static func plainCell(
      _ view: NSCollectionView, _ path: IndexPath, _ text: String?
    ) -> NSCollectionViewItem {
      let item = view.makeItem(withIdentifier: plain, for: path)
      (item as? PlainItem)?.label.stringValue = text ?? ""
      return item
    }

    private func plainSupplement(
      _ view: NSCollectionView, _ kind: NSCollectionView.SupplementaryElementKind,
      _ path: IndexPath, _ title: String?
    ) -> NSView {
      if plainKinds.insert(kind).inserted {
        view.register(
          PlainSupplement.self, forSupplementaryViewOfKind: kind, withIdentifier: Self.plain)
      }
      let label = view.makeSupplementaryView(ofKind: kind, withIdentifier: Self.plain, for: path)
      (label as? PlainSupplement)?.show(title ?? "")
      return label
    }

    // MARK: - NSCollectionViewDataSource

    // All methods are in the class itself: Objective-C cannot see extensions of generic classes.

    /// Returns the number of sections.
    public func numberOfSections(in collectionView: NSCollectionView) -> Int {
      wasAsked = true
      return presenter.layout.numberOfSections
    }

    /// Returns the number of items in a section.
    public func collectionView(
      _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
    ) -> Int {
      wasAsked = true
      return presenter.layout.numberOfRows(in: section)
    }

    /// Returns the collection view item of an item.
    public func collectionView(
      _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
    ) -> NSCollectionViewItem {
      presenter.answering {
        guard let row = presenter.layout.row(at: RowPath(indexPath)) else {
          return Self.plainCell(collectionView, indexPath, nil)
        }
        presenter.willDisplay(RowPath(indexPath))
        guard case .item(let item) = row else {
          return other.map { $0(collectionView, indexPath, row) }
            ?? Self.plainCell(collectionView, indexPath, row.text)
        }
        return cell(collectionView, indexPath, item)
      }
    }

    /// Makes the header or the footer of a section.
    public func collectionView(
      _ collectionView: NSCollectionView,
      viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind,
      at indexPath: IndexPath
    ) -> NSView {
      let title = presenter.layout.title(of: RowPath(indexPath).section)
      return presenter.answering {
        (supplement ?? plainSupplement)(collectionView, kind, indexPath, title)
      }
    }

    // MARK: - NSCollectionViewPrefetching

    /// Requests more items if the end is near, and reports the items to prefetch.
    public func collectionView(
      _ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath]
    ) {
      guard surface.isInUse else { return }
      let items = presenter.willDisplay(soon: indexPaths.map { RowPath($0) })
      prefetch?(items)
    }

    /// Reports items that will not appear on screen.
    public func collectionView(
      _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {
      guard surface.isInUse else { return }
      let items = presenter.willNotDisplay(indexPaths.map { RowPath($0) })
      cancelPrefetching?(items)
    }
  }
#endif
