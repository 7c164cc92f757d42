// developer.apple.com/documentation/uikit/uicollectionreusableview
@MainActor open class UICollectionReusableView: UIView {
  // Not `required` in UIKit, which makes cells of registered classes by other means.
  public required override init(frame: CGRect) { super.init(frame: frame) }
  open fileprivate(set) var reuseIdentifier: String?
  open func prepareForReuse() {}
}

// developer.apple.com/documentation/uikit/uicollectionviewcell
@MainActor open class UICollectionViewCell: UICollectionReusableView {
  private let content = StubContent()
  open var contentConfiguration: (any UIContentConfiguration)? {
    get { content.configuration }
    set { content.configuration = newValue }
  }
  public var stubContentView: (any UIView & UIContentView)? { content.view }
}

// developer.apple.com/documentation/uikit/uicollectionviewlistcell
@MainActor open class UICollectionViewListCell: UICollectionViewCell {
  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
}

// developer.apple.com/documentation/uikit/uicollectionviewdatasource
@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView
  func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool
  func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath)
  func indexTitles(for collectionView: UICollectionView) -> [String]?
  func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath
}

extension UICollectionViewDataSource {
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView { UICollectionReusableView(frame: .zero) }
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { false }
  public func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {}
  public func indexTitles(for collectionView: UICollectionView) -> [String]? { nil }
  public func collectionView(
    _ collectionView: UICollectionView, indexPathForIndexTitle title: String, at index: Int
  ) -> IndexPath { IndexPath(item: 0, section: index) }
}

// developer.apple.com/documentation/uikit/uicollectionviewdatasourceprefetching
@MainActor public protocol UICollectionViewDataSourcePrefetching: NSObjectProtocol {
  func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
  func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension UICollectionViewDataSourcePrefetching {
  public func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {}
}

// developer.apple.com/documentation/uikit/uicollectionviewdelegate
@MainActor public protocol UICollectionViewDelegate: UIScrollViewDelegate {
  func collectionView(
    _ collectionView: UICollectionView,
    targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint
  func collectionView(_ collectionView: UICollectionView, canFocusItemAt indexPath: IndexPath)
    -> Bool
}

extension UICollectionViewDelegate {
  public func collectionView(
    _ collectionView: UICollectionView,
    targetContentOffsetForProposedContentOffset proposedContentOffset: CGPoint
  ) -> CGPoint { proposedContentOffset }
  public func collectionView(
    _ collectionView: UICollectionView, canFocusItemAt indexPath: IndexPath
  ) -> Bool { true }
}

// developer.apple.com/documentation/uikit/uicollectionview
@MainActor open class UICollectionView: UIScrollView {
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let top = ScrollPosition(rawValue: 1)
    public static let centeredVertically = ScrollPosition(rawValue: 2)
    public static let bottom = ScrollPosition(rawValue: 4)
  }

  // developer.apple.com/documentation/uikit/uicollectionview/cellregistration
  @MainActor public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler = (Cell, IndexPath, Item) -> Void
    let handler: Handler
    let identifier: String
    public init(handler: @escaping Handler) {
      self.handler = handler
      identifier = "\(Cell.self) \(Item.self)"
    }
  }

  // developer.apple.com/documentation/uikit/uicollectionview/elementcategory
  public enum ElementCategory: UInt, Sendable { case cell, supplementaryView, decorationView }

  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    collectionViewLayout = layout
    super.init(frame: frame)
    layout.collectionView = self
    stub.countSections = { [unowned self] in dataSource?.numberOfSections(in: self) ?? 0 }
    stub.countRows = { [unowned self] in
      dataSource?.collectionView(self, numberOfItemsInSection: $0) ?? 0
    }
    stub.makeCell = { [unowned self] in dataSource?.collectionView(self, cellForItemAt: $0) }
    stub.prefetch = { [unowned self] in
      prefetchDataSource?.collectionView(self, prefetchItemsAt: $0)
    }
    stub.cancelPrefetching = { [unowned self] in
      prefetchDataSource?.collectionView(self, cancelPrefetchingForItemsAt: $0)
    }
    stub.recycle = { [unowned self] cell in
      pool[cell.reuseIdentifier ?? "", default: []].append(cell)
    }
    stub.visible = { [unowned self] in
      window == nil ? nil : contentOffset.y..<(contentOffset.y + bounds.height)
    }
    stub.headerHeight = { [unowned self] in stubHasHeader($0) ? Self.stubHeaderHeight : 0 }
    // The delegate is asked during a batch, and cells are made where it says.
    stub.willLayOut = { [unowned self] isBatch in
      var offset = wasPulled ? contentOffset : stubNearest(to: contentOffset)
      if isBatch, let delegate {
        offset = delegate.collectionView(
          self, targetContentOffsetForProposedContentOffset: offset)
      }
      stubScroll(beforeLayoutTo: offset)
      wasPulled = false
    }
  }
  private var wasPulled = false

  /// The items and what they are held to.
  public let stub = StubRows<UICollectionViewCell>()
  /// The headers that are visible, by their sections.
  public internal(set) var stubHeaders: [Int: UICollectionReusableView] = [:]
  private var pool: [String: [UICollectionViewCell]] = [:]
  private var classes: [String: UICollectionReusableView.Type] = [:]

  open var collectionViewLayout: UICollectionViewLayout
  open weak var dataSource: (any UICollectionViewDataSource)? { didSet { stub.reload() } }
  open weak var delegate: (any UICollectionViewDelegate)?
  open weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?

  public static let stubHeaderHeight = 28.0
  override open var contentSize: CGSize {
    get { CGSize(width: bounds.width, height: stub.lengthShown) }
    set {}
  }
  override func didScroll() {
    if !isBeforeLayout { layoutSubviews() }
    delegate?.scrollViewDidScroll(self)
  }
  open var allowsSelection = true
  // developer.apple.com/documentation/uikit/uicollectionview/hasuncommittedupdates
  open var hasUncommittedUpdates: Bool { stub.isReordering }
  override open func layoutSubviews() {
    stub.layout()
    layOutHeaders()
  }

  open var numberOfSections: Int { stub.sections.count }
  open func numberOfItems(inSection section: Int) -> Int { stub.sections[section].count }
  open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
    // It raises an exception if there is no such item.
    let place = stub.place(of: indexPath)
    let attributes = UICollectionViewLayoutAttributes()
    attributes.indexPath = indexPath
    attributes.frame = CGRect(
      x: 0, y: place.lowerBound, width: bounds.width, height: place.upperBound - place.lowerBound)
    return attributes
  }
  open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? {
    stub.slot(indexPath)?.cell
  }
  open var visibleCells: [UICollectionViewCell] {
    stub.visiblePaths.compactMap { stub.slot($0)?.cell }
  }
  // In no particular order.
  open var indexPathsForVisibleItems: [IndexPath] { stub.visiblePaths.reversed() }

  open func reloadData() {
    wasPulled = stubIsPulled
    stub.deselectAll()
    stub.reload()
    dropHeaders()
  }
  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    wasPulled = stubIsPulled
    stub.begin()
    updates?()
    stub.end()
    dropHeaders()
    completion?(true)
  }
  open func insertSections(_ sections: IndexSet) { stub.change { $0.insertedSections += sections } }
  open func deleteSections(_ sections: IndexSet) { stub.change { $0.deletedSections += sections } }
  open func insertItems(at indexPaths: [IndexPath]) {
    stub.change { $0.insertedRows += indexPaths }
  }
  open func deleteItems(at indexPaths: [IndexPath]) { stub.change { $0.deletedRows += indexPaths } }
  open func reloadItems(at indexPaths: [IndexPath]) {
    stub.change { $0.reloadedRows += indexPaths }
  }
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    stub.change { $0.moves.append((indexPath, newIndexPath)) }
  }
  open func reconfigureItems(at indexPaths: [IndexPath]) { stub.reconfigure(indexPaths) }

  open var indexPathsForSelectedItems: [IndexPath]? {
    let paths = stub.selectedPaths
    return paths.isEmpty ? nil : paths
  }
  open func selectItem(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    if let indexPath { stub.select(indexPath) } else { stub.deselectAll() }
  }

  // `AnyClass?` in UIKit, which makes the cells by means of Objective-C.
  open func register(
    _ cellClass: UICollectionViewCell.Type, forCellWithReuseIdentifier identifier: String
  ) { classes[identifier] = cellClass }
  open func register(
    _ viewClass: UICollectionReusableView.Type, forSupplementaryViewOfKind elementKind: String,
    withReuseIdentifier identifier: String
  ) { classes["\(elementKind) \(identifier)"] = viewClass }

  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell {
    if let cell = stub.reconfiguring(at: indexPath), cell.reuseIdentifier == identifier {
      return cell
    }
    if let cell = pool[identifier]?.popLast() {
      cell.prepareForReuse()
      return cell
    }
    guard let cell = classes[identifier]?.init(frame: .zero) as? UICollectionViewCell else {
      stub.report("no class is registered for \(identifier)")
      return UICollectionViewCell(frame: .zero)
    }
    cell.reuseIdentifier = identifier
    return cell
  }
  open func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView {
    guard let view = classes["\(elementKind) \(identifier)"]?.init(frame: .zero) else {
      stub.report("no class is registered for \(identifier)")
      return UICollectionReusableView(frame: .zero)
    }
    return view
  }
  public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell {
    classes[registration.identifier] = Cell.self
    let cell = dequeueReusableCell(
      withReuseIdentifier: registration.identifier, for: indexPath)
    guard let cell = cell as? Cell else { fatalError("Another class of cell was dequeued") }
    if let item { registration.handler(cell, indexPath, item) }
    return cell
  }

  /// What a reader does who drags an item.
  public func stubDrag(
    _ from: IndexPath, to target: IndexPath, while events: () -> Void = {}
  ) {
    guard dataSource?.collectionView(self, canMoveItemAt: from) == true else { return }
    stub.drag(from, to: target, while: events) {
      dataSource?.collectionView(self, moveItemAt: from, to: target)
    }
  }
}
