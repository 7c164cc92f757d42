// developer.apple.com/documentation/uikit/uitableviewcell
@MainActor open class UITableViewCell: UIView {
  public enum CellStyle: Int, Sendable { case `default`, value1, value2, subtitle }
  public enum EditingStyle: Int, Sendable { case none, delete, insert }

  // Not `required` in UIKit, which makes cells of registered classes by other means.
  public required init(style: CellStyle, reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
  }
  public convenience init() { self.init(style: .default, reuseIdentifier: nil) }

  open private(set) var reuseIdentifier: String?
  private let content = StubContent()
  open var contentConfiguration: (any UIContentConfiguration)? {
    get { content.configuration }
    set { content.configuration = newValue }
  }
  public var stubContentView: (any UIView & UIContentView)? { content.view }
  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
  open func prepareForReuse() {}
}

// developer.apple.com/documentation/uikit/uitableviewdatasource
// Optional requirements have defaults here: there is no Objective-C to ask.
@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String?
  func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
  func sectionIndexTitles(for tableView: UITableView) -> [String]?
  func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int
  func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath)
  func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath)
}

extension UITableViewDataSource {
  public func numberOfSections(in tableView: UITableView) -> Int { 1 }
  public func tableView(
    _ tableView: UITableView, titleForHeaderInSection section: Int
  ) -> String? { nil }
  public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    true
  }
  public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    false
  }
  public func sectionIndexTitles(for tableView: UITableView) -> [String]? { nil }
  public func tableView(
    _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
  ) -> Int { index }
  public func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {}
  public func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {}
}

// developer.apple.com/documentation/uikit/uitableviewdatasourceprefetching
@MainActor public protocol UITableViewDataSourcePrefetching: NSObjectProtocol {
  func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])
  func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath])
}

extension UITableViewDataSourcePrefetching {
  public func tableView(
    _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
  ) {}
}

// developer.apple.com/documentation/uikit/uitableviewdelegate
@MainActor public protocol UITableViewDelegate: UIScrollViewDelegate {
  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
  func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath
}

extension UITableViewDelegate {
  public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
  public func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
    toProposedIndexPath proposedDestinationIndexPath: IndexPath
  ) -> IndexPath { proposedDestinationIndexPath }
}

// developer.apple.com/documentation/uikit/uitableview
@MainActor open class UITableView: UIScrollView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
  public enum RowAnimation: Int, Sendable {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }
  public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }

  public init(frame: CGRect, style: Style) {
    super.init(frame: frame)
    stub.countSections = { [unowned self] in dataSource?.numberOfSections(in: self) ?? 0 }
    stub.countRows = { [unowned self] in
      dataSource?.tableView(self, numberOfRowsInSection: $0) ?? 0
    }
    stub.makeCell = { [unowned self] in dataSource?.tableView(self, cellForRowAt: $0) }
    stub.prefetch = { [unowned self] in prefetchDataSource?.tableView(self, prefetchRowsAt: $0) }
    stub.cancelPrefetching = { [unowned self] in
      prefetchDataSource?.tableView(self, cancelPrefetchingForRowsAt: $0)
    }
    stub.recycle = { [unowned self] cell in
      pool[cell.reuseIdentifier ?? "", default: []].append(cell)
    }
    stub.visible = { [unowned self] in
      window == nil ? nil : contentOffset.y..<(contentOffset.y + bounds.height)
    }
    stub.willLayOut = { [unowned self] _ in
      if !wasPulled { stubScroll(beforeLayoutTo: stubNearest(to: contentOffset)) }
      wasPulled = false
    }
  }

  /// The rows and what they are held to.
  public let stub = StubRows<UITableViewCell>()
  private var wasPulled = false
  private var pool: [String: [UITableViewCell]] = [:]
  private var classes: [String: UITableViewCell.Type] = [:]
  /// Batches that were performed without animation.
  public private(set) var stubStillBatches = 0
  public private(set) var stubIndexReloads = 0

  open weak var dataSource: (any UITableViewDataSource)? { didSet { stub.reload() } }
  open weak var delegate: (any UITableViewDelegate)?
  open weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?

  override open var contentSize: CGSize {
    get { CGSize(width: bounds.width, height: stub.length) }
    set {}
  }
  override func didScroll() { if !isBeforeLayout { layoutSubviews() } }
  override open func layoutSubviews() { stub.layout() }

  open var numberOfSections: Int { stub.sections.count }
  open func numberOfRows(inSection section: Int) -> Int { stub.sections[section].count }
  open func rectForRow(at indexPath: IndexPath) -> CGRect {
    let place = stub.place(of: indexPath)
    return CGRect(
      x: 0, y: place.lowerBound, width: bounds.width, height: place.upperBound - place.lowerBound)
  }
  open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { stub.slot(indexPath)?.cell }
  open var visibleCells: [UITableViewCell] { stub.visiblePaths.compactMap { stub.slot($0)?.cell } }
  open var indexPathsForVisibleRows: [IndexPath]? { stub.visiblePaths }
  // developer.apple.com/documentation/uikit/uitableview/indexpathsforrows(in:)
  open func indexPathsForRows(in rect: CGRect) -> [IndexPath]? {
    stub.paths(in: rect.minY..<rect.maxY)
  }

  open func reloadData() {
    wasPulled = stubIsPulled
    stub.deselectAll()
    stub.reload()
  }
  // developer.apple.com/documentation/uikit/uitableview/hasuncommittedupdates
  open var hasUncommittedUpdates: Bool { stub.isReordering }
  open func reloadSectionIndexTitles() { stubIndexReloads += 1 }
  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    if UIView.stubAnimationsOff > 0 { stubStillBatches += 1 }
    wasPulled = stubIsPulled
    stub.begin()
    updates?()
    stub.end()
    completion?(true)
  }
  open func beginUpdates() { stub.begin() }
  open func endUpdates() { stub.end() }
  open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    stub.change { $0.insertedSections += sections }
  }
  open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    stub.change { $0.deletedSections += sections }
  }
  open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    stub.change { $0.insertedRows += indexPaths }
  }
  open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    stub.change { $0.deletedRows += indexPaths }
  }
  open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    stub.change { $0.reloadedRows += indexPaths }
  }
  open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    stub.change { $0.moves.append((indexPath, newIndexPath)) }
  }
  open func reconfigureRows(at indexPaths: [IndexPath]) { stub.reconfigure(indexPaths) }

  open var indexPathsForSelectedRows: [IndexPath]? {
    let paths = stub.selectedPaths
    return paths.isEmpty ? nil : paths
  }
  open var indexPathForSelectedRow: IndexPath? { stub.selectedPaths.first }
  open func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    if let indexPath { stub.select(indexPath) } else { stub.deselectAll() }
  }
  open func deselectRow(at indexPath: IndexPath, animated: Bool) { stub.select(indexPath, false) }

  // `AnyClass?` in UIKit, which makes the cells by means of Objective-C.
  open func register(_ cellClass: UITableViewCell.Type, forCellReuseIdentifier identifier: String) {
    classes[identifier] = cellClass
  }
  open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
    guard let cell = pool[identifier]?.popLast() else {
      return classes[identifier]?.init(style: .default, reuseIdentifier: identifier)
    }
    cell.prepareForReuse()
    return cell
  }
  open func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell {
    // Without the path, the cell that is being reconfigured is not found: see reconfigureRows(at:).
    if let cell = stub.reconfiguring(at: indexPath), cell.reuseIdentifier == identifier {
      return cell
    }
    if let cell = dequeueReusableCell(withIdentifier: identifier) { return cell }
    stub.report("no class is registered for \(identifier)")
    return UITableViewCell(style: .default, reuseIdentifier: identifier)
  }

  /// What a reader does who drags a row: the view moves it, then tells its data source.
  public func stubDrag(
    _ from: IndexPath, to target: IndexPath, while events: () -> Void = {}
  ) {
    guard dataSource?.tableView(self, canMoveRowAt: from) == true else { return }
    let target =
      delegate?.tableView(
        self, targetIndexPathForMoveFromRowAt: from, toProposedIndexPath: target) ?? target
    stub.drag(from, to: target, while: events) {
      dataSource?.tableView(self, moveRowAt: from, to: target)
    }
  }
}
