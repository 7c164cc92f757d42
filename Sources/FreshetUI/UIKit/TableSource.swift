#if canImport(UIKit) && !os(watchOS)
  public import Freshet
  internal import FreshetLists
  public import UIKit

  /// The data source of a `UITableView` that shows a feed, live results or a list made of others.
  ///
  /// ```swift
  /// let source = TableSource(tableView, letters) { tableView, path, letter in
  ///   let cell = tableView.dequeueReusableCell(withIdentifier: "letter", for: path)
  ///   var content = cell.defaultContentConfiguration()
  ///   content.text = letter.subject
  ///   cell.contentConfiguration = content
  ///   return cell
  /// }
  /// ```
  ///
  /// Each step of the list is one batch, performed in the turn of the main actor in which the list
  /// publishes it. A cell is requested only for rows that were inserted or changed. Rows that
  /// changed are configured again in their existing cell. See `ScreenOptions` for when a step
  /// reloads instead, and for the rows that stay in place.
  ///
  /// The table does not retain its data source: keep it as long as the table. The table's delegate
  /// remains yours. If rows can be dragged and edges are rows, the delegate must forward
  /// `tableView(_:targetIndexPathForMoveFromRowAt:toProposedIndexPath:)`.
  ///
  /// An object of yours can be the table's data source too. It answers some methods itself, such as
  /// those for footers, and forwards the others to this source. If the table is given another
  /// source of this module, this one does nothing to it. It continues once it is the table's
  /// `dataSource` and `prefetchDataSource` again.
  @MainActor
  public final class TableSource<Item: ListItem>: NSObject, UITableViewDataSource,
    UITableViewDataSourcePrefetching, ListDataSource
  {

    /// The presenter that shows the list on the table.
    public let presenter: ListPresenter<Item>
    /// Whether a view asked it for its number of sections or rows.
    var wasAsked = false
    private let surface: TableSurface
    private let cell: (UITableView, IndexPath, Item) -> UITableViewCell
    private let otherCell: (UITableView, IndexPath, ScreenRow<Item>) -> UITableViewCell

    /// The closure that removes an item from the list after the user swiped it away.
    ///
    /// An example is `ListController.remove(_:commit:)`, which removes the item before it sends the
    /// deletion. From iOS 26 on, the row is then gone when the swipe ends if the list is idle;
    /// before, in the next turn of the main actor. Without the closure, rows cannot be deleted.
    public var delete: ((Item) async -> Void)?
    /// The closure that moves an item after another one, as the user dragged it.
    ///
    /// An example is `moveLocally(_:after:)`. If the list has not moved the item when the closure
    /// returns, the row returns to its old place. If a store decides the order,
    /// `ResultsController.move(_:after:commit:)` keeps the item at its new place meanwhile.
    ///
    /// Without the closure, rows cannot be dragged.
    public var move: ((Item, _ after: Item?) -> Void)?
    /// The closure that returns the index title of a section, given the section's name.
    ///
    /// The index is at the side of the table. Without the closure, there is no index.
    public var indexTitle: ((String) -> String)? {
      didSet { surface.hasIndex = indexTitle != nil }
    }
    /// The closure that receives items about to appear on screen, to fetch their images.
    public var prefetch: (([Item]) -> Void)?
    /// The closure that receives items that were about to appear on screen and will not.
    public var cancelPrefetching: (([Item]) -> Void)?

    /// Shows a list on a table.
    ///
    /// - Parameters:
    ///   - tableView: the table.
    ///   - list: the list.
    ///   - options: how steps are shown.
    ///   - other: makes the cell of a gap or of an edge that loads or failed; without it, it is a
    ///     line of text.
    ///   - cell: makes the cell of an item.
    public init(
      _ tableView: UITableView, _ list: ListController<some LiveList<Item>>,
      options: ScreenOptions = ScreenOptions(),
      other: ((UITableView, IndexPath, ScreenRow<Item>) -> UITableViewCell)? = nil,
      cell: @escaping (UITableView, IndexPath, Item) -> UITableViewCell
    ) {
      surface = TableSurface(tableView)
      presenter = ListPresenter(list, on: surface, options: options)
      self.cell = cell
      otherCell = other ?? Self.plainCell
      super.init()
      surface.source = self
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "Freshet.plain")
      tableView.dataSource = self
      tableView.prefetchDataSource = self
    }

    /// Returns the item at an index path, or `nil` if there is none.
    public func item(at path: IndexPath) -> Item? {
      presenter.layout.row(at: RowPath(path))?.item
    }

    private static func plainCell(
      _ tableView: UITableView, _ path: IndexPath, _ row: ScreenRow<Item>
    ) -> UITableViewCell {
      // Without the path, a table that reconfigures a row would return another cell.
      let cell = tableView.dequeueReusableCell(withIdentifier: "Freshet.plain", for: path)
      var content = cell.defaultContentConfiguration()
      content.text = row.text
      cell.contentConfiguration = content
      return cell
    }

    // MARK: - UITableViewDataSource

    // All methods are in the class itself: Objective-C cannot see extensions of generic classes.

    /// Returns the number of sections.
    public func numberOfSections(in tableView: UITableView) -> Int {
      wasAsked = true
      return presenter.layout.numberOfSections
    }

    /// Returns the number of rows in a section.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      wasAsked = true
      return presenter.layout.numberOfRows(in: section)
    }

    /// Returns the cell of a row.
    public func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      presenter.answering {
        guard let row = presenter.layout.row(at: RowPath(indexPath)) else {
          return UITableViewCell()
        }
        presenter.willDisplay(RowPath(indexPath))
        guard case .item(let item) = row else { return otherCell(tableView, indexPath, row) }
        return cell(tableView, indexPath, item)
      }
    }

    /// Returns the name of a section.
    public func tableView(
      _ tableView: UITableView, titleForHeaderInSection section: Int
    ) -> String? {
      presenter.layout.title(of: section)
    }

    /// Returns the titles of the index, if there is one.
    public func sectionIndexTitles(for tableView: UITableView) -> [String]? {
      indexTitle.map { title in presenter.layout.index(by: title).map(\.title) }
    }

    /// Returns the section that an index title represents.
    public func tableView(
      _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int {
      guard let indexTitle else { return 0 }
      return presenter.layout.index(by: indexTitle).first { $0.title == title }?.section ?? 0
    }

    /// Returns whether a row can be deleted.
    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      delete != nil && item(at: indexPath) != nil
    }

    /// Deletes a row that the user swiped away.
    public func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
      forRowAt indexPath: IndexPath
    ) {
      guard editingStyle == .delete, let delete, let item = item(at: indexPath) else { return }
      // The table expects the row to be gone when this returns: an edit shows before it is sent.
      if #available(iOS 26, tvOS 26, visionOS 26, macCatalyst 26, macOS 26, *) {
        Task.immediate { await delete(item) }
      } else {
        Task { await delete(item) }
      }
    }

    /// Returns whether a row can be dragged.
    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      move != nil && item(at: indexPath) != nil
    }

    /// Records that the user dragged a row.
    public func tableView(
      _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) {
      guard let move else { return }
      presenter.move(RowPath(sourceIndexPath), to: RowPath(destinationIndexPath), move)
    }

    /// Returns the path for a dragged row: next to rows of edges, not among them.
    ///
    /// It is a method of the table's delegate, which is yours: forward it. Otherwise, the table
    /// shows a row among those of an edge as it is dropped, and UIKit may raise an exception about
    /// that section.
    public func tableView(
      _ tableView: UITableView, targetIndexPathForMoveFromRowAt sourceIndexPath: IndexPath,
      toProposedIndexPath proposedDestinationIndexPath: IndexPath
    ) -> IndexPath {
      IndexPath(
        presenter.layout.target(
          of: RowPath(sourceIndexPath), to: RowPath(proposedDestinationIndexPath)))
    }

    // MARK: - UITableViewDataSourcePrefetching

    /// Requests more rows if the end is near, and reports the items to prefetch.
    public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
      guard surface.isInUse else { return }
      let items = presenter.willDisplay(soon: indexPaths.map { RowPath($0) })
      prefetch?(items)
    }

    /// Reports items that will not appear on screen.
    public func tableView(
      _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
    ) {
      guard surface.isInUse else { return }
      let items = presenter.willNotDisplay(indexPaths.map { RowPath($0) })
      cancelPrefetching?(items)
    }
  }
#endif
