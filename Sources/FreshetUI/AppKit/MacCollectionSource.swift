#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Freshet
  internal import FreshetLists

  /// The data source of an `NSCollectionView` that shows a feed, live results or a list made of
  /// others.
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
  /// shows it. An `NSCollectionView` cannot configure an item in place: rows that changed are
  /// reloaded. The view does not hold its data source: keep it as long as the view. Its delegate
  /// stays yours.
  @MainActor
  public final class MacCollectionSource<Item: ListItem>: NSObject,
    NSCollectionViewDataSource,
    NSCollectionViewPrefetching, ListSource
  {

    /// What the collection view shows, and how.
    public let presenter: ListPresenter<Item>
    /// Whether it was asked how much there is to show.
    var wasAsked = false
    private let surface: MacCollectionSurface
    private let cell: (NSCollectionView, IndexPath, Item) -> NSCollectionViewItem
    private let other: ((NSCollectionView, IndexPath, ScreenRow<Item>) -> NSCollectionViewItem)?
    /// The kinds of supplementary views for which a class is registered.
    private var plainKinds: Set<NSCollectionView.SupplementaryElementKind> = []

    /// Makes headers and footers, where the layout has any; without it, they are lines of text.
    public var supplement:
      (
        (NSCollectionView, NSCollectionView.SupplementaryElementKind, IndexPath, _ title: String?)
          -> NSView
      )?
    /// Is told of items that are about to come on screen, so that their images can be fetched.
    public var prefetch: (([Item]) -> Void)?
    /// Is told of items that were about to come on screen, and will not.
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

    /// The item that is shown at an index path; `nil` where there is none.
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

    // All of it stands in the class itself: extensions of generic classes cannot be seen by
    // Objective-C.

    /// How many sections are shown.
    public func numberOfSections(in collectionView: NSCollectionView) -> Int {
      wasAsked = true
      return presenter.layout.numberOfSections
    }

    /// How many items a section has.
    public func collectionView(
      _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
    ) -> Int {
      wasAsked = true
      return presenter.layout.numberOfRows(in: section)
    }

    /// The collection view item of an item.
    public func collectionView(
      _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
    ) -> NSCollectionViewItem {
      presenter.answering {
        guard let row = presenter.layout.row(at: RowPath(indexPath)) else {
          return Self.plainCell(collectionView, indexPath, nil)
        }
        guard case .item(let item) = row else {
          return other.map { $0(collectionView, indexPath, row) }
            ?? Self.plainCell(collectionView, indexPath, row.text)
        }
        presenter.willDisplay(RowPath(indexPath))
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

    /// Asks for more where the end comes near.
    public func collectionView(
      _ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath]
    ) {
      guard surface.isInUse else { return }
      let items = presenter.willDisplay(soon: indexPaths.map { RowPath($0) })
      prefetch?(items)
    }

    /// Tells of items that will not come on screen.
    public func collectionView(
      _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {
      guard surface.isInUse else { return }
      let items = presenter.willNotDisplay(indexPaths.map { RowPath($0) })
      cancelPrefetching?(items)
    }
  }
#endif
