#if canImport(SwiftUI) && canImport(AppKit) && !targetEnvironment(macCatalyst)
  internal import AppKit
  internal import Freshet
  internal import FreshetLists
  internal import SwiftUI

  #if !canImport(UIKit)
    typealias PlatformList = TableList
  #endif

  /// A list on an `NSTableView`.
  struct TableList<List: LiveList, Row: View>: NSViewRepresentable {
    let list: ListController<List>
    let row: (List.Item) -> Row
    let parts: LiveListParts
    let place: ReaderPlace<List.Item.ID>
    let options: ScreenOptions
    /// The binding to which the reader's place is written; never read here.
    var top: Binding<List.Item.ID?>?

    func makeCoordinator() -> TableListCoordinator<List, Row> { TableListCoordinator(self) }

    func makeNSView(context: Context) -> NSScrollView {
      context.coordinator.makeView(context.environment)
    }

    func updateNSView(_ view: NSScrollView, context: Context) {
      place.updating { context.coordinator.update(self, context.environment) }
    }
  }

  /// The coordinator between a table and SwiftUI.
  @MainActor
  final class TableListCoordinator<List: LiveList, Row: View> {
    private var content: TableList<List, Row>
    private let rows: RowContent<List, Row>
    private let table = PlacedTableView(frame: .zero)
    private var source: MacTableSource<List.Item>?
    private var observers: [ScrollObserver] = []

    init(_ content: TableList<List, Row>) {
      self.content = content
      rows = RowContent(row: content.row, parts: content.parts, environment: EnvironmentValues())
    }

    func makeView(_ environment: EnvironmentValues) -> NSScrollView {
      rows.environment = environment
      table.addTableColumn(NSTableColumn(identifier: NSUserInterfaceItemIdentifier("row")))
      table.headerView = nil
      table.usesAutomaticRowHeights = true
      table.selectionHighlightStyle = .none
      let scroll = NSScrollView(frame: .zero)
      scroll.documentView = table
      scroll.hasVerticalScroller = true
      scroll.contentView.postsBoundsChangedNotifications = true
      observers = [
        ScrollObserver(NSView.boundsDidChangeNotification, of: scroll.contentView) { [weak self] in
          self?.content.place.see(self?.source?.presenter.topItem?.id)
        },
        ScrollObserver(NSScrollView.willStartLiveScrollNotification, of: scroll) { [weak self] in
          self?.content.place.leave()
        },
      ]
      table.didLayOut = { [weak self] in self?.goToPlace() }
      show(content.list)
      return scroll
    }

    /// Applies changes around the list.
    ///
    /// Visible rows update themselves, and no row is reloaded.
    func update(_ content: TableList<List, Row>, _ environment: EnvironmentValues) {
      let isOther = content.list !== self.content.list
      self.content = content
      rows.update(row: content.row, parts: content.parts, environment: environment)
      source?.presenter.options = content.options
      if isOther {
        content.place.startAnew(with: content.top)
        show(content.list)
        let inset = table.visibleTop - table.scrollOrigin
        table.scroll(CGPoint(x: table.visibleRect.minX, y: -inset))
      }
      content.place.go = { [weak self] in self?.goToPlace() }
      goToPlace()
    }

    private func show(_ list: ListController<List>) {
      let source = MacTableSource(
        table, list, options: content.options,
        title: { [rows] in Self.view(in: $0, "title", rows.header($1)) },
        other: { [rows, weak list] table, _, row in
          list.map { Self.view(in: table, "other", rows.view(of: row, in: $0)) }
        },
        cell: { [rows] in Self.view(in: $0, "item", rows.view(of: $2)) })
      // The view of a row stays with the row, and with it the state of what it shows.
      source.surface.update = { [rows, unowned source, weak list] view, path in
        switch source.presenter.layout.row(at: path) {
        case .item(let item): Self.show(rows.view(of: item), in: view)
        case let other?: list.map { Self.show(rows.view(of: other, in: $0), in: view) } ?? false
        case nil: false
        }
      }
      self.source = source
      list.followers.add(source) { [weak self] _, _, _ in self?.goToPlace() }
    }

    /// Returns a hosting view of a row; reuses an existing one of its kind.
    private static func view<Content: View>(
      in table: NSTableView, _ kind: String, _ row: Content
    ) -> NSView {
      let id = NSUserInterfaceItemIdentifier(kind)
      if let view = table.makeView(withIdentifier: id, owner: nil) as? NSHostingView<Content> {
        view.rootView = row
        return view
      }
      let view = NSHostingView(rootView: row)
      view.identifier = id
      return view
    }

    /// Shows a row in a view, and returns whether that view shows such rows.
    private static func show<Content: View>(_ row: Content, in view: NSView) -> Bool {
      guard let view = view as? NSHostingView<Content> else { return false }
      view.rootView = row
      return true
    }

    // MARK: - The reader's place

    private func goToPlace() {
      guard let source else { return }
      let height = table.window == nil ? 0 : table.visibleRect.height
      guard let path = content.place.take(inHeight: height, source.presenter.path(of:)) else {
        return
      }
      let row = FlatLayout(source.presenter.layout, showsTitles: true).index(of: path)
      // The row is placed below a bar and below the title that floats above it.
      content.place.updating {
        table.show(
          at: table.visibleTop - table.scrollOrigin + source.surface.titleHeight(above: path)
        ) { table.rect(ofRow: row).minY }
      }
    }
  }

  /// A table that reports when it is laid out.
  final class PlacedTableView: NSTableView {
    var didLayOut: () -> Void = {}

    override func layout() {
      super.layout()
      didLayOut()
    }
  }

  /// An observer that calls a closure for each notification of a view, for as long as it is held.
  private final class ScrollObserver {
    private let token: any NSObjectProtocol

    @MainActor
    init(_ name: Notification.Name, of view: NSView, _ body: @escaping @MainActor () -> Void) {
      token = NotificationCenter.default.addObserver(
        forName: name, object: view, queue: nil
      ) { _ in MainActor.assumeIsolated(body) }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
  }
#endif
