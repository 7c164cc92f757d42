@_exported public import ObjectiveC
@_exported public import UIKit

// What is called of the classes in UIKit.h, after the same pages. No body is ever run: the sources
// are checked against these declarations, and tests run against the modules in Stubs.

extension UIView {
  public convenience init(frame: CGRect) { fatalError() }
  public var frame: CGRect {
    get { fatalError() }
    set {}
  }
  public var bounds: CGRect {
    get { fatalError() }
    set {}
  }
  public var window: UIWindow? { fatalError() }
  public func addSubview(_ view: UIView) {}
  public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {}
}

// developer.apple.com/documentation/uikit/uiedgeinsets
public struct UIEdgeInsets: Equatable, Sendable {
  public var top, left, bottom, right: CGFloat
}

extension UIScrollView {
  public var contentOffset: CGPoint {
    get { fatalError() }
    set {}
  }
  public var contentSize: CGSize {
    get { fatalError() }
    set {}
  }
  public var contentInset: UIEdgeInsets {
    get { fatalError() }
    set {}
  }
  public var adjustedContentInset: UIEdgeInsets { fatalError() }
  public var alwaysBounceVertical: Bool {
    get { fatalError() }
    set {}
  }
  public var refreshControl: UIRefreshControl? {
    get { fatalError() }
    set {}
  }
  public var keyboardDismissMode: KeyboardDismissMode {
    get { fatalError() }
    set {}
  }
  public enum KeyboardDismissMode: Int, Sendable { case none, onDrag, interactive }
}

// developer.apple.com/documentation/uikit/uiactionhandler
public typealias UIActionHandler = (UIAction) -> Void
extension UIAction {
  public convenience init(title: String = "", handler: @escaping UIActionHandler) { fatalError() }
}

extension UIControl {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let valueChanged = Event(rawValue: 1 << 12)
  }
  public func addAction(_ action: UIAction, for controlEvents: Event) {}
}

// developer.apple.com/documentation/uikit/uicontentconfiguration
@MainActor @preconcurrency public protocol UIContentConfiguration {
  @MainActor @preconcurrency func makeContentView() -> any UIView & UIContentView
}

// developer.apple.com/documentation/uikit/uicontentview
@MainActor @preconcurrency public protocol UIContentView: ObjectiveCObjectProtocol {
  @MainActor @preconcurrency var configuration: any UIContentConfiguration { get set }
}

// developer.apple.com/documentation/uikit/uilistcontentconfiguration
public struct UIListContentConfiguration: UIContentConfiguration {
  public var text: String?
  public var secondaryText: String?
  public func makeContentView() -> any UIView & UIContentView { fatalError() }
}

// MARK: - Tables

extension UITableViewCell {
  public var contentConfiguration: (any UIContentConfiguration)? {
    get { fatalError() }
    set {}
  }
  public func defaultContentConfiguration() -> UIListContentConfiguration { fatalError() }
}

extension UITableView {
  public enum RowAnimation: Int, Sendable { case fade, none = 5, automatic = 100 }
  public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }
  public convenience init(frame: CGRect, style: Style) { fatalError() }
  public var numberOfSections: Int { fatalError() }
  public func numberOfRows(inSection section: Int) -> Int { fatalError() }
  public func rectForRow(at indexPath: IndexPath) -> CGRect { fatalError() }
  public func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { fatalError() }
  public var visibleCells: [UITableViewCell] { fatalError() }
  public var indexPathsForVisibleRows: [IndexPath]? { fatalError() }
  public func indexPathsForRows(in rect: CGRect) -> [IndexPath]? { fatalError() }
  public var indexPathsForSelectedRows: [IndexPath]? { fatalError() }
  public var hasUncommittedUpdates: Bool { fatalError() }
  public func reloadData() {}
  public func reloadSectionIndexTitles() {}
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {}
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {}
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
  public func reconfigureRows(at indexPaths: [IndexPath]) {}
  public func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {}
  public func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell { fatalError() }
}

// MARK: - Collection views

extension UICollectionViewCell {
  public var contentConfiguration: (any UIContentConfiguration)? {
    get { fatalError() }
    set {}
  }
}

extension UICollectionViewListCell {
  public func defaultContentConfiguration() -> UIListContentConfiguration { fatalError() }
}

extension UICollectionViewLayout {
  public var collectionViewContentSize: CGSize { fatalError() }
  public func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { fatalError() }
  public func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? { fatalError() }
}

extension UICollectionViewLayoutAttributes {
  public var frame: CGRect {
    get { fatalError() }
    set {}
  }
  public var indexPath: IndexPath {
    get { fatalError() }
    set {}
  }
  public var representedElementCategory: UICollectionView.ElementCategory { fatalError() }
}

// developer.apple.com/documentation/uikit/uicollectionlayoutlistconfiguration
public struct UICollectionLayoutListConfiguration {
  public enum Appearance: Int, Sendable { case plain, grouped, insetGrouped }
  public enum HeaderMode: Int, Sendable { case none, supplementary, firstItemInSection }
  public init(appearance: Appearance) { fatalError() }
  public var headerMode: HeaderMode {
    get { fatalError() }
    set {}
  }
}

extension NSCollectionLayoutSection {
  public static func list(
    using configuration: UICollectionLayoutListConfiguration,
    layoutEnvironment: any NSCollectionLayoutEnvironment
  ) -> NSCollectionLayoutSection { fatalError() }
}

// developer.apple.com/documentation/uikit/uicollectionviewcompositionallayoutsectionprovider
public typealias UICollectionViewCompositionalLayoutSectionProvider = (
  Int, any NSCollectionLayoutEnvironment
) -> NSCollectionLayoutSection?

extension UICollectionViewCompositionalLayout {
  public convenience init(
    sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider
  ) { fatalError() }
}

extension UICollectionView {
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let top = ScrollPosition(rawValue: 1)
  }
  public enum ElementCategory: UInt, Sendable { case cell, supplementaryView, decorationView }

  // developer.apple.com/documentation/uikit/uicollectionview/cellregistration
  @MainActor @preconcurrency
  public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler = (
      _ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item
    ) -> Void
    public init(handler: @escaping Handler) { fatalError() }
  }

  // developer.apple.com/documentation/uikit/uicollectionview/supplementaryregistration
  @MainActor @preconcurrency
  public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
    public typealias Handler = (
      _ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath
    ) -> Void
    public init(elementKind: String, handler: @escaping Handler) { fatalError() }
  }

  public class var elementKindSectionHeader: String { fatalError() }
  public convenience init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    fatalError()
  }
  public var collectionViewLayout: UICollectionViewLayout {
    get { fatalError() }
    set {}
  }
  public var allowsSelection: Bool {
    get { fatalError() }
    set {}
  }
  public var hasUncommittedUpdates: Bool { fatalError() }
  public var numberOfSections: Int { fatalError() }
  public var indexPathsForVisibleItems: [IndexPath] { fatalError() }
  public var indexPathsForSelectedItems: [IndexPath]? { fatalError() }
  public func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { fatalError() }
  public func layoutAttributesForSupplementaryElement(
    ofKind kind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { fatalError() }
  public func supplementaryView(
    forElementKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView? { fatalError() }
  public func numberOfItems(inSection section: Int) -> Int { fatalError() }
  public func reloadData() {}
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {}
  public func insertSections(_ sections: IndexSet) {}
  public func deleteSections(_ sections: IndexSet) {}
  public func insertItems(at indexPaths: [IndexPath]) {}
  public func deleteItems(at indexPaths: [IndexPath]) {}
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
  public func reconfigureItems(at indexPaths: [IndexPath]) {}
  public func selectItem(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {}
  public func scrollToItem(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) {}
  public func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  public func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String,
    withReuseIdentifier identifier: String
  ) {}
  public func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell { fatalError() }
  public func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView { fatalError() }
  public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell { fatalError() }
  public func dequeueConfiguredReusableSupplementary<Supplementary: UICollectionReusableView>(
    using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
  ) -> Supplementary { fatalError() }
}

// developer.apple.com/documentation/uikit/nsdiffabledatasourcesnapshot
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  public init() {}
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {}
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {}
}
