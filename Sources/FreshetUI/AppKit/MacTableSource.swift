#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import Freshet
  public import FreshetLists

  /// The data source of an `NSTableView` that shows a feed, live results or a list made of others.
  ///
  /// ```swift
  /// let source = MacTableSource(
  ///   tableView, notes,
  ///   title: { _, name in NSTextField(labelWithString: name) },
  ///   cell: { _, _, note in NSTextField(labelWithString: note.text) })
  /// ```
  ///
  /// Each step of the list is performed between `beginUpdates()` and `endUpdates()`, in the turn of
  /// the main actor in which the list publishes it. A view is requested only for rows that were
  /// inserted or changed. The title of a section is a group row above its rows, if there is a
  /// `title` closure and the section has a name.
  ///
  /// The source is the table's delegate too, as the delegate makes the views. A delegate of your
  /// own must forward `tableView(_:viewFor:row:)` and `tableView(_:isGroupRow:)`. The table does
  /// not retain its data source: keep it as long as the table.
  @MainActor
  public final class MacTableSource<Item: ListItem>: NSObject, NSTableViewDataSource,
    NSTableViewDelegate, ListDataSource
  {

    /// The presenter that shows the list on the table.
    public let presenter: ListPresenter<Item>
    /// Whether a view asked it for its number of rows.
    var wasAsked = false
    let surface: MacTableSurface<Item>
    private let title: ((NSTableView, String) -> NSView?)?
    private let other: ((NSTableView, NSTableColumn?, ScreenRow<Item>) -> NSView?)?
    private let cell: (NSTableView, NSTableColumn?, Item) -> NSView?

    /// Shows a list on a table.
    ///
    /// - Parameters:
    ///   - tableView: the table.
    ///   - list: the list.
    ///   - options: how steps are shown.
    ///   - title: makes the view of a section's title; without it, sections have no title.
    ///   - other: makes the view of a gap or of an edge that loads or failed; without it, it is a
    ///     line of text.
    ///   - cell: makes the view of an item in a column.
    public init(
      _ tableView: NSTableView, _ list: ListController<some LiveList<Item>>,
      options: ScreenOptions = ScreenOptions(),
      title: ((NSTableView, String) -> NSView?)? = nil,
      other: ((NSTableView, NSTableColumn?, ScreenRow<Item>) -> NSView?)? = nil,
      cell: @escaping (NSTableView, NSTableColumn?, Item) -> NSView?
    ) {
      let surface = MacTableSurface<Item>(tableView)
      self.surface = surface
      let presenter = ListPresenter(list, on: surface, options: options)
      self.presenter = presenter
      self.title = title
      self.other = other
      self.cell = cell
      super.init()
      surface.source = self
      let showsTitles = title != nil
      var known: (step: Int, rows: FlatLayout<Item>)?
      surface.rows = { [unowned presenter] in
        if let known, known.step == presenter.layoutsShown { return known.rows }
        let rows = FlatLayout(presenter.layout, showsTitles: showsTitles)
        known = (presenter.layoutsShown, rows)
        return rows
      }
      tableView.dataSource = self
      tableView.delegate = self
      tableView.reloadData()
    }

    /// Returns the item that a row shows, or `nil` for a title, a gap or an edge.
    public func item(at row: Int) -> Item? {
      path(of: row).flatMap { presenter.layout.row(at: $0)?.item }
    }

    /// The content of a row: a title, or a row of the screen.
    private enum Shown {
      case title(String)
      case row(ScreenRow<Item>)
    }

    /// Returns the content of a row, or `nil` if there is no such row.
    private func shown(in row: Int) -> Shown? {
      let rows = surface.rows()
      guard row >= 0, row < rows.count else { return nil }
      switch rows[row] {
      case .title(let name): return .title(name)
      case .row(let path): return presenter.layout.row(at: path).map { .row($0) }
      }
    }

    /// Returns the path of a row in the screen's sections, or `nil` for a title.
    public func path(of row: Int) -> RowPath? {
      let rows = surface.rows()
      guard row >= 0, row < rows.count, case .row(let path) = rows[row] else { return nil }
      return path
    }

    // MARK: - NSTableViewDataSource

    // All methods are in the class itself: Objective-C cannot see extensions of generic classes.

    /// Returns the number of rows, including titles.
    public func numberOfRows(in tableView: NSTableView) -> Int {
      wasAsked = true
      return surface.rows().count
    }

    // MARK: - NSTableViewDelegate

    /// Returns the view of a row.
    public func tableView(
      _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
    ) -> NSView? {
      presenter.answering {
        if let path = path(of: row) { presenter.willDisplay(path) }
        switch shown(in: row) {
        case .title(let name): return title?(tableView, name)
        case .row(.item(let item)): return cell(tableView, tableColumn, item)
        case .row(let other):
          return self.other.map { $0(tableView, tableColumn, other) }
            ?? NSTextField(labelWithString: other.text ?? "")
        case nil: return nil
        }
      }
    }

    /// Returns whether a row is the title of a section.
    public func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool {
      path(of: row) == nil
    }
  }
#endif
