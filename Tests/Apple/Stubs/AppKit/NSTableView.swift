// developer.apple.com/documentation/appkit/nstablecolumn
@MainActor open class NSTableColumn: NSObject {
  override public init() {}
  public init(identifier: NSUserInterfaceItemIdentifier) {}
}

// developer.apple.com/documentation/appkit/nstableheaderview
@MainActor open class NSTableHeaderView: NSView {}

// developer.apple.com/documentation/appkit/nstableviewdatasource
// Optional requirements have defaults here: there is no Objective-C to ask. The methods are
// isolated to the main actor, and the protocol is not.
public protocol NSTableViewDataSource: NSObjectProtocol {
  @MainActor func numberOfRows(in tableView: NSTableView) -> Int
}

extension NSTableViewDataSource {
  @MainActor public func numberOfRows(in tableView: NSTableView) -> Int { 0 }
}

// developer.apple.com/documentation/appkit/nscontroltexteditingdelegate
@MainActor public protocol NSControlTextEditingDelegate: NSObjectProtocol {}

// developer.apple.com/documentation/appkit/nstableviewdelegate
public protocol NSTableViewDelegate: NSControlTextEditingDelegate {
  @MainActor func tableView(
    _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
  ) -> NSView?
  @MainActor func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool
}

extension NSTableViewDelegate {
  @MainActor public func tableView(
    _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
  ) -> NSView? { nil }
  @MainActor public func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool { false }
}

// developer.apple.com/documentation/appkit/nstableview, and its pages of
// - beginupdates(): selected rows are maintained through insertions, deletions and moves; groups
//   can be nested
// - removerows(at:withanimation:): rows as they are displayed at that moment, not as they will be
// - insertrows(at:withanimation:): the final positions of the rows; changes are processed
//   incrementally
// - moverow(at:to:): like removing a row and inserting it, and done as soon as it is called
// - rows(in:): the rows that lie within a rectangle, whether there are views of them or not
// - deselectall(_:): asks the delegate, and does nothing where it or the table does not allow an
//   empty selection
// - selectrowindexes(_:byextendingselection:): posts a notification where the selection does change
// - reloaddata(forrowindexes:columnindexes:): views of rows that are visible are dropped and asked
//   for anew
// The numbers of options are those of NSTableView.h, which is quoted in many public repositories.
// That reloadData() keeps the numbers of selected rows is known from practice: no page says it.
@MainActor open class NSTableView: NSView {
  // developer.apple.com/documentation/appkit/nstableview/animationoptions
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let effectFade = AnimationOptions(rawValue: 1)
    public static let effectGap = AnimationOptions(rawValue: 2)
    public static let slideUp = AnimationOptions(rawValue: 0x10)
  }

  public required init(frame frameRect: CGRect) {
    super.init(frame: frameRect)
    stub.countSections = { 1 }
    stub.countRows = { [unowned self] _ in dataSource?.numberOfRows(in: self) ?? 0 }
    stub.makeCell = { [unowned self] path in
      delegate?.tableView(self, viewFor: column, row: path.row)
    }
    stub.recycle = { [unowned self] view in
      if let id = view.identifier { pool[id, default: []].append(view) }
    }
    stub.visible = { [unowned self] in
      window == nil ? nil : stubOrigin.y..<(stubOrigin.y + frame.height)
    }
  }

  /// The rows and what they are held to.
  public let stub = StubRows<NSView>()
  private let column = NSTableColumn()
  private var pool: [NSUserInterfaceItemIdentifier: [NSView]] = [:]

  open weak var dataSource: (any NSTableViewDataSource)? { didSet { stub.reload() } }
  open weak var delegate: (any NSTableViewDelegate)? { didSet { stub.reload() } }

  override open var bounds: CGRect {
    get { CGRect(x: 0, y: 0, width: frame.width, height: max(frame.height, stub.length)) }
    set { super.bounds = newValue }
  }
  override func didScroll() { stub.layout() }
  override open func layout() { stub.layout() }

  open var numberOfRows: Int { stub.sections.first?.count ?? 0 }
  open var numberOfColumns: Int { 1 }
  public enum SelectionHighlightStyle: Int, Sendable { case none = -1, regular }
  open var selectionHighlightStyle = SelectionHighlightStyle.regular
  open var headerView: NSTableHeaderView?
  // developer.apple.com/documentation/appkit/nstableview/floatsgrouprows
  open var floatsGroupRows = true
  open var usesAutomaticRowHeights = false
  open func addTableColumn(_ tableColumn: NSTableColumn) {}
  open func rows(in rect: CGRect) -> NSRange {
    let rows = stub.paths(in: rect.minY..<rect.maxY).map(\.row)
    guard let first = rows.first, let last = rows.last else {
      return NSRange(location: 0, length: 0)
    }
    return NSRange(location: first, length: last - first + 1)
  }
  open func rect(ofRow row: Int) -> CGRect {
    let place = stub.place(of: IndexPath(row: row, section: 0))
    return CGRect(
      x: 0, y: place.lowerBound, width: frame.width, height: place.upperBound - place.lowerBound)
  }
  open func view(atColumn column: Int, row: Int, makeIfNecessary: Bool) -> NSView? {
    stub.slot(IndexPath(row: row, section: 0))?.cell
  }
  open func makeView(withIdentifier identifier: NSUserInterfaceItemIdentifier, owner: Any?)
    -> NSView?
  {
    pool[identifier]?.popLast()
  }

  // Selected rows keep their numbers, whatever stands there.
  open func reloadData() {
    let selected = selectedRowIndexes
    stub.reload()
    for row in selected where row < numberOfRows { stub.select(IndexPath(row: row, section: 0)) }
  }
  open func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {
    stub.reconfigure(rowIndexes.map { IndexPath(row: $0, section: 0) }, keepsCell: false)
  }
  // developer.apple.com/documentation/appkit/nstableview/noteheightofrows(withindexeschanged:):
  // rows keep the heights they have until this is called; new heights are animated unless the
  // animation context says that it takes no time
  open func noteHeightOfRows(withIndexesChanged indexSet: IndexSet) {
    if NSAnimationContext.current.duration > 0 { stub.report("new heights are animated") }
    stub.measure(indexSet.map { IndexPath(row: $0, section: 0) })
  }
  private var updates = 0
  open func beginUpdates() { updates += 1 }
  open func endUpdates() {
    updates -= 1
    if updates == 0 { stub.settle() }
  }
  open func insertRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = [])
  {
    edit { stub.insert(indexes) }
  }
  open func removeRows(at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = [])
  {
    edit { stub.remove(indexes) }
  }
  open func moveRow(at oldIndex: Int, to newIndex: Int) {
    edit { stub.move(oldIndex, to: newIndex) }
  }
  private func edit(_ body: () -> Void) {
    beginUpdates()
    body()
    endUpdates()
  }

  open var selectedRowIndexes: IndexSet { IndexSet(stub.selectedPaths.map(\.row)) }
  open func selectRowIndexes(_ indexes: IndexSet, byExtendingSelection extend: Bool) {
    let before = selectedRowIndexes
    if !extend { stub.deselectAll() }
    for row in indexes { stub.select(IndexPath(row: row, section: 0)) }
    if selectedRowIndexes != before { stubSelections.append(selectedRowIndexes) }
  }
  open func deselectAll(_ sender: Any?) { selectRowIndexes([], byExtendingSelection: false) }
  /// What the delegate was told is selected.
  public private(set) var stubSelections: [IndexSet] = []
}
