// developer.apple.com/documentation/appkit/nscollectionviewitem
@MainActor open class NSCollectionViewItem: NSViewController {
  // Not `required` in AppKit, which makes items of registered classes by other means.
  public required override init() { super.init() }
  open var identifier: NSUserInterfaceItemIdentifier?
  open func prepareForReuse() {}
}

// developer.apple.com/documentation/appkit/nscollectionviewlayoutattributes
@MainActor open class NSCollectionViewLayoutAttributes: NSObject {
  open var frame = CGRect.zero
  open var indexPath: IndexPath?
  open var representedElementCategory: NSCollectionElementCategory { .item }
}

// developer.apple.com/documentation/appkit/nscollectionelementcategory
public enum NSCollectionElementCategory: Int, Sendable {
  case item, supplementaryView, decorationView, interItemGap
}

// developer.apple.com/documentation/appkit/nscollectionviewlayout
@MainActor open class NSCollectionViewLayout: NSObject {
  open fileprivate(set) weak var collectionView: NSCollectionView?

  // developer.apple.com/documentation/appkit/nscollectionviewlayout/layoutattributesforelements(in:)
  open func layoutAttributesForElements(in rect: CGRect) -> [NSCollectionViewLayoutAttributes] {
    guard let collectionView else { return [] }
    if collectionView.stub.isStale {
      collectionView.stub.report("a layout that is not prepared is asked")
    }
    return collectionView.stub.paths(in: rect.minY..<rect.maxY)
      .compactMap(collectionView.layoutAttributesForItem)
  }
}

// developer.apple.com/documentation/appkit/nscollectionviewdatasource
// Optional requirements have defaults here: there is no Objective-C to ask. The methods are
// isolated to the main actor, and the protocol is not.
public protocol NSCollectionViewDataSource: NSObjectProtocol {
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, numberOfItemsInSection section: Int
  ) -> Int
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt indexPath: IndexPath
  ) -> NSCollectionViewItem
  @MainActor func numberOfSections(in collectionView: NSCollectionView) -> Int
  @MainActor func collectionView(
    _ collectionView: NSCollectionView,
    viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind,
    at indexPath: IndexPath
  ) -> NSView
}

extension NSCollectionViewDataSource {
  @MainActor public func numberOfSections(in collectionView: NSCollectionView) -> Int { 1 }
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView,
    viewForSupplementaryElementOfKind kind: NSCollectionView.SupplementaryElementKind,
    at indexPath: IndexPath
  ) -> NSView { NSView(frame: .zero) }
}

// developer.apple.com/documentation/appkit/nscollectionviewprefetching
public protocol NSCollectionViewPrefetching: NSObjectProtocol {
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, prefetchItemsAt indexPaths: [IndexPath])
  @MainActor func collectionView(
    _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension NSCollectionViewPrefetching {
  @MainActor public func collectionView(
    _ collectionView: NSCollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {}
}

// developer.apple.com/documentation/appkit/nscollectionview
@MainActor open class NSCollectionView: NSView {
  public typealias SupplementaryElementKind = String
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let top = ScrollPosition(rawValue: 1)
  }

  public required init(frame frameRect: CGRect) {
    super.init(frame: frameRect)
    collectionViewLayout?.collectionView = self
    stub.countSections = { [unowned self] in dataSource?.numberOfSections(in: self) ?? 0 }
    stub.countRows = { [unowned self] in
      dataSource?.collectionView(self, numberOfItemsInSection: $0) ?? 0
    }
    stub.makeCell = { [unowned self] path in
      let item = dataSource?.collectionView(self, itemForRepresentedObjectAt: path)
      if let item, !made.contains(ObjectIdentifier(item)) {
        stub.report("the item at \(path) is not of makeItem(withIdentifier:for:)")
      }
      return item
    }
    stub.prefetch = { [unowned self] in
      prefetchDataSource?.collectionView(self, prefetchItemsAt: $0)
    }
    stub.cancelPrefetching = { [unowned self] in
      prefetchDataSource?.collectionView(self, cancelPrefetchingForItemsAt: $0)
    }
    stub.recycle = { [unowned self] item in
      if let id = item.identifier { pool[id, default: []].append(item) }
    }
    stub.visible = { [unowned self] in
      window == nil ? nil : stubOrigin.y..<(stubOrigin.y + frame.height)
    }
  }

  /// The items and what they are held to.
  public let stub = StubRows<NSCollectionViewItem>()
  private var pool: [NSUserInterfaceItemIdentifier: [NSCollectionViewItem]] = [:]
  private var classes: [NSUserInterfaceItemIdentifier: NSCollectionViewItem.Type] = [:]
  private var supplements: [String: NSView.Type] = [:]
  private var made: Set<ObjectIdentifier> = []

  open var collectionViewLayout: NSCollectionViewLayout? = NSCollectionViewLayout() {
    didSet { collectionViewLayout?.collectionView = self }
  }
  open weak var dataSource: (any NSCollectionViewDataSource)? { didSet { stub.reload() } }
  open weak var prefetchDataSource: (any NSCollectionViewPrefetching)?

  override open var bounds: CGRect {
    get { CGRect(x: 0, y: 0, width: frame.width, height: max(frame.height, stub.length)) }
    set { super.bounds = newValue }
  }
  override func didScroll() { stub.layout() }
  override open func layout() { stub.layout() }

  open func layoutAttributesForItem(at indexPath: IndexPath) -> NSCollectionViewLayoutAttributes? {
    let place = stub.place(of: indexPath)
    let attributes = NSCollectionViewLayoutAttributes()
    attributes.indexPath = indexPath
    attributes.frame = CGRect(
      x: 0, y: place.lowerBound, width: frame.width, height: place.upperBound - place.lowerBound)
    return attributes
  }
  open var numberOfSections: Int { stub.sections.count }
  open func numberOfItems(inSection section: Int) -> Int { stub.sections[section].count }
  open func item(at indexPath: IndexPath) -> NSCollectionViewItem? { stub.slot(indexPath)?.cell }
  open func indexPathsForVisibleItems() -> Set<IndexPath> { Set(stub.visiblePaths) }

  open func reloadData() { stub.reload() }
  open func performBatchUpdates(
    _ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil
  ) {
    stub.begin()
    updates?()
    stub.end()
    // Nothing in the documentation says that it is kept.
    stub.deselectAll()
    completionHandler?(true)
  }
  open func insertSections(_ sections: IndexSet) { stub.change { $0.insertedSections += sections } }
  open func deleteSections(_ sections: IndexSet) { stub.change { $0.deletedSections += sections } }
  open func insertItems(at indexPaths: Set<IndexPath>) {
    stub.change { $0.insertedRows += indexPaths }
  }
  open func deleteItems(at indexPaths: Set<IndexPath>) {
    stub.change { $0.deletedRows += indexPaths }
  }
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    stub.change { $0.moves.append((indexPath, newIndexPath)) }
  }
  open func reloadItems(at indexPaths: Set<IndexPath>) {
    for path in indexPaths { stub.select(path, false) }
    stub.reconfigure(indexPaths.sorted(), keepsCell: false)
  }

  open var selectionIndexPaths: Set<IndexPath> {
    get { Set(stub.selectedPaths) }
    set {
      stub.deselectAll()
      for path in newValue { stub.select(path) }
    }
  }
  open func selectItems(at indexPaths: Set<IndexPath>, scrollPosition: ScrollPosition) {
    for path in indexPaths { stub.select(path) }
  }
  // NSCollectionView.h: notifies the delegate about any newly deselected items.
  open func deselectAll(_ sender: Any?) {
    if !stub.selectedPaths.isEmpty { stubDeselections += 1 }
    stub.deselectAll()
  }
  /// How often the delegate was told that items are not selected any more.
  public private(set) var stubDeselections = 0

  // `AnyClass?` in AppKit, which makes the items by means of Objective-C.
  open func register(
    _ itemClass: NSCollectionViewItem.Type,
    forItemWithIdentifier identifier: NSUserInterfaceItemIdentifier
  ) { classes[identifier] = itemClass }
  open func makeItem(
    withIdentifier identifier: NSUserInterfaceItemIdentifier, for indexPath: IndexPath
  ) -> NSCollectionViewItem {
    if let item = pool[identifier]?.popLast() {
      item.prepareForReuse()
      return item
    }
    let item = classes[identifier]?.init() ?? NSCollectionViewItem()
    if classes[identifier] == nil { stub.report("no class is registered for \(identifier)") }
    item.identifier = identifier
    made.insert(ObjectIdentifier(item))
    return item
  }

  // `AnyClass?` in AppKit.
  open func register(
    _ viewClass: NSView.Type, forSupplementaryViewOfKind kind: SupplementaryElementKind,
    withIdentifier identifier: NSUserInterfaceItemIdentifier
  ) {
    let isNew = supplements.updateValue(viewClass, forKey: "\(kind) \(identifier)") == nil
    if !isNew { stub.report("a class is registered twice for \(identifier)") }
  }
  open func makeSupplementaryView(
    ofKind elementKind: SupplementaryElementKind,
    withIdentifier identifier: NSUserInterfaceItemIdentifier, for indexPath: IndexPath
  ) -> NSView {
    guard let view = supplements["\(elementKind) \(identifier)"] else {
      stub.report("no class is registered for \(identifier)")
      return NSView(frame: .zero)
    }
    return view.init(frame: .zero)
  }
}
