@_exported public import AppKit
@_exported public import ObjectiveC

// What is called of the classes in AppKit.h; see UIKit.swift.

// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentifier
public struct NSUserInterfaceItemIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(rawValue: String) { self.rawValue = rawValue }
}

// developer.apple.com/documentation/foundation/nsedgeinsets
public struct NSEdgeInsets: Sendable {
  public var top, left, bottom, right: CGFloat
}

extension NSView {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let width = AutoresizingMask(rawValue: 2)
    public static let height = AutoresizingMask(rawValue: 16)
  }
  public convenience init(frame frameRect: CGRect) { fatalError() }
  public var frame: CGRect {
    get { fatalError() }
    set {}
  }
  public var bounds: CGRect {
    get { fatalError() }
    set {}
  }
  public var visibleRect: CGRect { fatalError() }
  public var window: NSWindow? { fatalError() }
  public var superview: NSView? { fatalError() }
  public var identifier: NSUserInterfaceItemIdentifier? {
    get { fatalError() }
    set {}
  }
  public var enclosingScrollView: NSScrollView? { fatalError() }
  public var autoresizingMask: AutoresizingMask {
    get { fatalError() }
    set {}
  }
  public var postsBoundsChangedNotifications: Bool {
    get { fatalError() }
    set {}
  }
  public func animator() -> Self { fatalError() }
  public func scroll(_ point: CGPoint) {}
  public func addSubview(_ view: NSView) {}
  nonisolated public class var boundsDidChangeNotification: Notification.Name { fatalError() }
}

extension NSTextField {
  public convenience init(labelWithString stringValue: String) { fatalError() }
  public var stringValue: String {
    get { fatalError() }
    set {}
  }
}

extension NSScrollView {
  public var documentView: NSView? {
    get { fatalError() }
    set {}
  }
  public var contentInsets: NSEdgeInsets {
    get { fatalError() }
    set {}
  }
  public var contentView: NSClipView {
    get { fatalError() }
    set {}
  }
  public var hasVerticalScroller: Bool {
    get { fatalError() }
    set {}
  }
  nonisolated public class var willStartLiveScrollNotification: Notification.Name { fatalError() }
}

extension NSAnimationContext {
  public var duration: TimeInterval {
    get { fatalError() }
    set {}
  }
  public class var current: NSAnimationContext { fatalError() }
  public class func beginGrouping() {}
  public class func endGrouping() {}
}

// MARK: - Tables

extension NSTableColumn {
  public convenience init(identifier: NSUserInterfaceItemIdentifier) { fatalError() }
}

extension NSTableView {
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
  }
  public enum SelectionHighlightStyle: Int, Sendable { case none = -1, regular }
  public var numberOfRows: Int { fatalError() }
  public var numberOfColumns: Int { fatalError() }
  public var headerView: NSTableHeaderView? {
    get { fatalError() }
    set {}
  }
  public var usesAutomaticRowHeights: Bool {
    get { fatalError() }
    set {}
  }
  public var selectionHighlightStyle: SelectionHighlightStyle {
    get { fatalError() }
    set {}
  }
  public var selectedRowIndexes: IndexSet { fatalError() }
  public var floatsGroupRows: Bool {
    get { fatalError() }
    set {}
  }
  public func addTableColumn(_ tableColumn: NSTableColumn) {}
  public func rows(in rect: CGRect) -> NSRange { fatalError() }
  public func rect(ofRow row: Int) -> CGRect { fatalError() }
  public func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? {
    fatalError()
  }
  public func makeView(
    withIdentifier identifier: NSUserInterfaceItemIdentifier, owner: Any?
  ) -> NSView? { fatalError() }
  public func reloadData() {}
  public func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {}
  public func noteHeightOfRows(withIndexesChanged indexSet: IndexSet) {}
  public func beginUpdates() {}
  public func endUpdates() {}
  public func insertRows(
    at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []
  ) {}
  public func removeRows(
    at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []
  ) {}
  public func moveRow(at oldIndex: Int, to newIndex: Int) {}
  public func selectRowIndexes(_ indexes: IndexSet, byExtendingSelection extend: Bool) {}
}

// MARK: - Collection views

// developer.apple.com/documentation/appkit/nscollectionelementcategory
public enum NSCollectionElementCategory: Int, Sendable {
  case item, supplementaryView, decorationView, interItemGap
}

extension NSCollectionViewLayoutAttributes {
  public var frame: CGRect {
    get { fatalError() }
    set {}
  }
  public var indexPath: IndexPath? {
    get { fatalError() }
    set {}
  }
  public var representedElementCategory: NSCollectionElementCategory { fatalError() }
}

extension NSCollectionViewLayout {
  public func layoutAttributesForElements(
    in rect: CGRect
  ) -> [NSCollectionViewLayoutAttributes] { fatalError() }
}

extension NSCollectionView {
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public var collectionViewLayout: NSCollectionViewLayout? {
    get { fatalError() }
    set {}
  }
  public var selectionIndexPaths: Set<IndexPath> {
    get { fatalError() }
    set {}
  }
  public func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> NSCollectionViewLayoutAttributes? { fatalError() }
  public func indexPathsForVisibleItems() -> Set<IndexPath> { fatalError() }
  public var numberOfSections: Int { fatalError() }
  public func numberOfItems(inSection section: Int) -> Int { fatalError() }
  public func reloadData() {}
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completionHandler: ((Bool) -> Void)? = nil
  ) {}
  public func insertSections(_ sections: IndexSet) {}
  public func deleteSections(_ sections: IndexSet) {}
  public func insertItems(at indexPaths: Set<IndexPath>) {}
  public func deleteItems(at indexPaths: Set<IndexPath>) {}
  public func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
  public func reloadItems(at indexPaths: Set<IndexPath>) {}
  public func selectItems(at indexPaths: Set<IndexPath>, scrollPosition: ScrollPosition) {}
  public func register(
    _ itemClass: AnyClass?, forItemWithIdentifier identifier: NSUserInterfaceItemIdentifier
  ) {}
  public func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind kind: SupplementaryElementKind,
    withIdentifier identifier: NSUserInterfaceItemIdentifier
  ) {}
  public func makeItem(
    withIdentifier identifier: NSUserInterfaceItemIdentifier, for indexPath: IndexPath
  ) -> NSCollectionViewItem { fatalError() }
  public func makeSupplementaryView(
    ofKind elementKind: SupplementaryElementKind,
    withIdentifier identifier: NSUserInterfaceItemIdentifier, for indexPath: IndexPath
  ) -> NSView { fatalError() }
}

// developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  public init() {}
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {}
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {}
}
