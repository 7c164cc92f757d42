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
  /// shows it: a cell is asked for where a row came or changed, and nowhere else. Rows that changed
  /// are configured anew in the cell they have. See `ScreenOptions` for when a step reloads
  /// instead, and for what stays in place.
  ///
  /// The table does not hold its data source: keep it as long as the table. Its delegate stays
  /// yours. Where rows can be dragged and edges are rows, it forwards
  /// `tableView(_:targetIndexPathForMoveFromRowAt:toProposedIndexPath:)`.
  ///
  /// An object of yours can be the table's data source too, and forward what it does not answer
  /// itself: a footer, say. Where the table is given another source of this module, this one leaves
  /// it alone until it is the table's again: its `dataSource`, and its `prefetchDataSource`.
  @MainActor
  public final class TableSource<Item: ListItem>: NSObject, UITableViewDataSource,
    UITableViewDataSourcePrefetching, ListSource
  {

    /// What the table shows, and how.
    public let presenter: ListPresenter<Item>
    /// Whether it was asked how much there is to show.
    var wasAsked = false
    private let surface: TableSurface
    private let cell: (UITableView, IndexPath, Item) -> UITableViewCell
    private let otherCell: (UITableView, IndexPath, ScreenRow<Item>) -> UITableViewCell

    /// Takes an item out of the list, as the reader asked by a swipe:
    /// `FeedController.remove(_:commit:)`, say.
    ///
    /// Without it rows cannot be deleted.
    public var delete: ((Item) async -> Void)?
    /// Moves an item behind another one, as the reader dragged it: `moveLocally(_:after:)`,
    /// say.
    ///
    /// A row that the list does not move by the time this returns goes back: where a store decides,
    /// `ResultsController.move(_:after:commit:)` holds it. Without it rows cannot be dragged.
    public var move: ((Item, _ after: Item?) -> Void)?
    /// What stands for a section, of its name, in an index at the side; without it there is no
    /// index.
    public var indexTitle: ((String) -> String)? {
      didSet { surface.hasIndex = indexTitle != nil }
    }
    /// Is told of items that are about to come on screen, so that their images can be fetched.
    public var prefetch: (([Item]) -> Void)?
    /// Is told of items that were about to come on screen, and will not.
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
      tableView.dataSource = self
      tableView.prefetchDataSource = self
    }

    /// The item that is shown at an index path; `nil` where there is none.
    public func item(at path: IndexPath) -> Item? {
      presenter.layout.row(at: RowPath(path))?.item
    }

    private static func plainCell(
      _ tableView: UITableView, _ path: IndexPath, _ row: ScreenRow<Item>
    ) -> UITableViewCell {
      let cell =
        tableView.dequeueReusableCell(withIdentifier: "Freshet.plain")
        ?? UITableViewCell(style: .default, reuseIdentifier: "Freshet.plain")
      var content = cell.defaultContentConfiguration()
      content.text = row.text
      cell.contentConfiguration = content
      return cell
    }

    // MARK: - UITableViewDataSource

    // All of it stands in the class itself: extensions of generic classes cannot be seen by
    // Objective-C.

    /// How many sections are shown.
    public func numberOfSections(in tableView: UITableView) -> Int {
      wasAsked = true
      return presenter.layout.numberOfSections
    }

    /// How many rows a section has.
    public func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      wasAsked = true
      return presenter.layout.numberOfRows(in: section)
    }

    /// The cell of a row.
    public func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      presenter.answering {
        guard let row = presenter.layout.row(at: RowPath(indexPath)) else {
          return UITableViewCell()
        }
        guard case .item(let item) = row else { return otherCell(tableView, indexPath, row) }
        presenter.willDisplay(RowPath(indexPath))
        return cell(tableView, indexPath, item)
      }
    }

    /// The name of a section.
    public func tableView(
      _ tableView: UITableView, titleForHeaderInSection section: Int
    ) -> String? {
      presenter.layout.title(of: section)
    }

    /// The titles of the index, if there is one.
    public func sectionIndexTitles(for tableView: UITableView) -> [String]? {
      indexTitle.map { title in presenter.layout.index(by: title).map(\.title) }
    }

    /// The section that a title of the index stands for.
    public func tableView(
      _ tableView: UITableView, sectionForSectionIndexTitle title: String, at index: Int
    ) -> Int {
      guard let indexTitle else { return 0 }
      return presenter.layout.index(by: indexTitle).first { $0.title == title }?.section ?? 0
    }

    /// Whether a row can be deleted.
    public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      delete != nil && item(at: indexPath) != nil
    }

    /// Deletes a row that the reader swiped away.
    public func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
      forRowAt indexPath: IndexPath
    ) {
      guard editingStyle == .delete, let delete, let item = item(at: indexPath) else { return }
      Task { await delete(item) }
    }

    /// Whether a row can be dragged.
    public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      move != nil && item(at: indexPath) != nil
    }

    /// Takes in that a row was dragged.
    public func tableView(
      _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) {
      guard let move else { return }
      presenter.move(RowPath(sourceIndexPath), to: RowPath(destinationIndexPath), move)
    }

    /// Where a row comes to stand that the reader drags to a place: next to rows of edges, not
    /// among them.
    ///
    /// It is a method of the table's delegate, which is yours: forward it. A table that is not told
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

    /// Asks for more where the end comes near.
    public func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
      guard surface.isInUse else { return }
      let items = presenter.willDisplay(soon: indexPaths.map { RowPath($0) })
      prefetch?(items)
    }

    /// Tells of rows that will not come on screen.
    public func tableView(
      _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
    ) {
      guard surface.isInUse else { return }
      let items = presenter.willNotDisplay(indexPaths.map { RowPath($0) })
      cancelPrefetching?(items)
    }
  }
#endif
