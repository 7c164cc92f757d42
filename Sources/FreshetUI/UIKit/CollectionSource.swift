#if canImport(UIKit) && !os(watchOS)
  public import Freshet
  internal import FreshetLists
  public import UIKit

  /// The data source of a `UICollectionView` that shows a list.
  ///
  /// The list is a feed, live results or a list made of others.
  ///
  /// ```swift
  /// let source = CollectionSource(
  ///   collectionView, photos,
  ///   options: ScreenOptions(edges: .activeAndEnd),
  ///   other: { $0.dequeueConfiguredReusableCell(using: other, for: $1, item: $2) },
  ///   cell: { $0.dequeueConfiguredReusableCell(using: photo, for: $1, item: $2) })
  /// ```
  ///
  /// It does for a collection view what ``TableSource`` does for a table, in any layout. In layouts
  /// that scroll vertically, rows on screen keep their place while others are inserted above them.
  ///
  /// The view does not retain its data source: keep it as long as the view. The view's delegate
  /// remains yours, and should forward
  /// `collectionView(_:targetContentOffsetForProposedContentOffset:)`. If items can be dragged and
  /// edges are items, it must forward
  /// `collectionView(_:targetIndexPathForMoveOfItemFromOriginalIndexPath:atCurrentIndexPath:toProposedIndexPath:)`.
  @MainActor
  public final class CollectionSource<Item: ListItem>: NSObject, UICollectionViewDataSource,
    UICollectionViewDataSourcePrefetching, ListDataSource
  {

    /// The presenter that shows the list on the collection view.
    public let presenter: ListPresenter<Item>
    /// Whether a view asked it for its number of sections or items.
    var wasAsked = false
    private let surface: CollectionSurface
    private let cell: (UICollectionView, IndexPath, Item) -> UICollectionViewCell
    private let otherCell: (UICollectionView, IndexPath, ScreenRow<Item>) -> UICollectionViewCell
    /// The kinds of supplementary views for which a class is registered.
    private var plainKinds: Set<String> = []

    /// The closure that makes headers and footers, if the layout has any.
    ///
    /// Without it, they are lines of text.
    public var supplement:
      ((UICollectionView, _ kind: String, IndexPath, _ title: String?) -> UICollectionReusableView)?
    /// The closure that moves an item after another one, as the user dragged it.
    ///
    /// An example is `moveLocally(_:after:)`. If the list has not moved the item when the closure
    /// returns, the item returns to its old place. If a store decides the order,
    /// `ResultsController.move(_:after:commit:)` keeps the item at its new place meanwhile.
    ///
    /// Without the closure, items cannot be dragged.
    public var move: ((Item, _ after: Item?) -> Void)?
    /// The closure that returns the index title of a section, given the section's name.
    ///
    /// The index is at the side of the view. Without the closure, there is no index.
    public var indexTitle: ((String) -> String)?
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
    ///   - other: makes the cell of a gap or of an edge that loads or failed; without it, it is a
    ///     line of text.
    ///   - cell: makes the cell of an item.
    public init(
      _ collectionView: UICollectionView, _ list: ListController<some LiveList<Item>>,
      options: ScreenOptions = ScreenOptions(),
      other: ((UICollectionView, IndexPath, ScreenRow<Item>) -> UICollectionViewCell)? = nil,
      cell: @escaping (UICollectionView, IndexPath, Item) -> UICollectionViewCell
    ) {
      surface = CollectionSurface(collectionView)
      presenter = ListPresenter(list, on: surface, options: options)
      self.cell = cell
      otherCell = other ?? { Self.plainCell($0, $1, $2.text) }
      super.init()
      surface.source = self
      collectionView.register(
        UICollectionViewListCell.self, forCellWithReuseIdentifier: "Freshet.plain")
      collectionView.dataSource = self
      collectionView.prefetchDataSource = self
    }

    /// Returns the item at an index path, or `nil` if there is none.
    public func item(at path: IndexPath) -> Item? {
      presenter.layout.row(at: RowPath(path))?.item
    }

    private static func plainCell(
      _ view: UICollectionView, _ path: IndexPath, _ text: String?
    ) -> UICollectionViewCell {
      let cell = view.dequeueReusableCell(withReuseIdentifier: "Freshet.plain", for: path)
      (cell as? UICollectionViewListCell)?.show(text)
      return cell
    }

    private func plainSupplement(
      _ view: UICollectionView, _ kind: String, _ path: IndexPath, _ title: String?
    ) -> UICollectionReusableView {
      if plainKinds.insert(kind).inserted {
        view.register(
          UICollectionViewListCell.self, forSupplementaryViewOfKind: kind,
          withReuseIdentifier: "Freshet.plain")
      }
      let header = view.dequeueReusableSupplementaryView(
        ofKind: kind, withReuseIdentifier: "Freshet.plain", for: path)
      (header as? UICollectionViewListCell)?.show(title)
      return header
    }

    // MARK: - UICollectionViewDataSource

    // All methods are in the class itself: Objective-C cannot see extensions of generic classes.

    /// Returns the number of sections.
    public func numberOfSections(in collectionView: UICollectionView) -> Int {
      wasAsked = true
      return presenter.layout.numberOfSections
    }

    /// Returns the number of items in a section.
    public func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int {
      wasAsked = true
      return presenter.layout.numberOfRows(in: section)
    }

    /// Returns the cell of an item.
    public func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      presenter.answering {
        guard let row = presenter.layout.row(at: RowPath(indexPath)) else {
          return Self.plainCell(collectionView, indexPath, nil)
        }
        presenter.willDisplay(RowPath(indexPath))
        guard case .item(let item) = row else { return otherCell(collectionView, indexPath, row) }
        return cell(collectionView, indexPath, item)
      }
    }

    /// Makes the header or the footer of a section.
    public func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView {
      let title = presenter.layout.title(of: RowPath(indexPath).section)
      return presenter.answering {
        (supplement ?? plainSupplement)(collectionView, kind, indexPath, title)
      }
    }

    /// Returns the titles of the index, if there is one.
    public func indexTitles(for collectionView: UICollectionView) -> [String]? {
      indexTitle.map { title in presenter.layout.index(by: title).map(\.title) }
    }

    /// Returns the path of the first item in the section that an index title represents.
    public func collectionView(
      _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
    ) -> IndexPath {
      let titles = indexTitle.map { presenter.layout.index(by: $0) } ?? []
      let section = titles.first { $0.title == title }?.section ?? 0
      return IndexPath(RowPath(section: section, row: 0))
    }

    /// Returns whether an item can be dragged.
    public func collectionView(
      _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
    ) -> Bool {
      move != nil && item(at: indexPath) != nil
    }

    /// Records that the user dragged an item.
    public func collectionView(
      _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) {
      guard let move else { return }
      presenter.move(RowPath(sourceIndexPath), to: RowPath(destinationIndexPath), move)
    }

    /// Returns the scroll position at which the reader's place is kept during a batch.
    ///
    /// It is a method of the view's delegate, which is yours: forward it. Otherwise, the view lays
    /// out items at the old scroll position first, makes cells for them, and scrolls afterwards.
    public func collectionView(
      _ collectionView: UICollectionView,
      targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
    ) -> CGPoint {
      guard let place = presenter.placeToKeep,
        let offset = surface.offset(showing: place.row, at: place.distance)
      else { return proposedContentOffset }
      return CGPoint(x: proposedContentOffset.x, y: offset)
    }

    /// Returns the path for a dragged item: next to items of edges, not among them.
    ///
    /// It is a method of the view's delegate, which is yours: forward it. Otherwise, the view shows
    /// an item among those of an edge as it is dropped, and UIKit may raise an exception about that
    /// section.
    public func collectionView(
      _ collectionView: UICollectionView,
      targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
      atCurrentIndexPath currentIndexPath: IndexPath,
      toProposedIndexPath proposedIndexPath: IndexPath
    ) -> IndexPath {
      IndexPath(
        presenter.layout.target(of: RowPath(originalIndexPath), to: RowPath(proposedIndexPath)))
    }

    // MARK: - UICollectionViewDataSourcePrefetching

    /// Requests more items if the end is near, and reports the items to prefetch.
    public func collectionView(
      _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]
    ) {
      guard surface.isInUse else { return }
      let items = presenter.willDisplay(soon: indexPaths.map { RowPath($0) })
      prefetch?(items)
    }

    /// Reports items that will not appear on screen.
    public func collectionView(
      _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {
      guard surface.isInUse else { return }
      let items = presenter.willNotDisplay(indexPaths.map { RowPath($0) })
      cancelPrefetching?(items)
    }
  }

  extension UICollectionViewListCell {
    fileprivate func show(_ text: String?) {
      var content = defaultContentConfiguration()
      content.text = text
      contentConfiguration = content
    }
  }
#endif
