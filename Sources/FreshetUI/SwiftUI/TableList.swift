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
      context.coordinator.update(self, context.environment)
    }
  }

  /// The coordinator between a table and SwiftUI.
  @MainActor
  final class TableListCoordinator<List: LiveList, Row: View> {
    private var content: TableList<List, Row>
    private var environment = EnvironmentValues()
    private let table = PlacedTableView(frame: .zero)
    private var source: MacTableSource<List.Item>?
    private var observers: [ScrollObserver] = []

    init(_ content: TableList<List, Row>) { self.content = content }

    func makeView(_ environment: EnvironmentValues) -> NSScrollView {
      self.environment = environment
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

    /// Applies changes around the list, after which the visible rows may look different.
    func update(_ content: TableList<List, Row>, _ environment: EnvironmentValues) {
      let isOther = content.list !== self.content.list
      self.content = content
      self.environment = environment
      source?.presenter.options = content.options
      if isOther {
        content.place.startAnew(with: content.top)
        show(content.list)
        let inset = table.visibleTop - table.scrollOrigin
        table.scroll(CGPoint(x: table.visibleRect.minX, y: -inset))
      } else {
        let rows = table.rows(in: table.visibleRect)
        for row in rows.location..<(rows.location + rows.length) { configureAnew(row) }
      }
      content.place.go = { [weak self] in self?.goToPlace() }
      goToPlace()
    }

    private func show(_ list: ListController<List>) {
      let source = MacTableSource(
        table, list, options: content.options,
        title: { [weak self] table, name in self?.view(in: table, "title") { $0.parts.header(name) }
        },
        other: { [weak self] table, _, row in
          self?.view(in: table, "other") { $0.parts.view(of: row, in: $0.list) }
        },
        cell: { [weak self] table, _, item in self?.view(in: table, "item") { $0.row(item) } })
      self.source = source
      list.followers.add(source) { [weak self] _, _, _ in self?.goToPlace() }
    }

    /// Returns a hosting view; reuses an existing one of its kind.
    private func view<Content: View>(
      in table: NSTableView, _ kind: String, _ content: (TableList<List, Row>) -> Content
    ) -> NSView {
      let id = NSUserInterfaceItemIdentifier(kind)
      let row = HostedRow(content: content(self.content), environment: environment)
      if let view = table.makeView(withIdentifier: id, owner: nil)
        as? NSHostingView<HostedRow<Content>>
      {
        view.rootView = row
        return view
      }
      let view = NSHostingView(rootView: row)
      view.identifier = id
      return view
    }

    private func configureAnew(_ row: Int) {
      guard let source, let view = table.view(atColumn: 0, row: row, makeIfNecessary: false) else {
        return
      }
      switch source.shown(in: row) {
      case .title(let name): show(content.parts.header(name), in: view)
      case .row(.item(let item)): show(content.row(item), in: view)
      case .row(let other): show(content.parts.view(of: other, in: content.list), in: view)
      case nil: break
      }
    }

    private func show(_ content: some View, in view: NSView) {
      let row = HostedRow(content: content, environment: environment)
      func show<Content: View>(_ row: HostedRow<Content>) {
        (view as? NSHostingView<HostedRow<Content>>)?.rootView = row
      }
      show(row)
    }

    // MARK: - The reader's place

    private func goToPlace() {
      guard let source else { return }
      let height = table.window == nil ? 0 : table.visibleRect.height
      guard let path = content.place.take(inHeight: height, source.presenter.path(of:)) else {
        return
      }
      let row = FlatLayout(source.presenter.layout, showsTitles: true).index(of: path)
      // The row is placed below a bar, not under it.
      let (start, inset) = (table.rect(ofRow: row).minY, table.visibleTop - table.scrollOrigin)
      let offset = table.scrollBounds.offset(showing: start, at: inset)
      table.scroll(CGPoint(x: table.visibleRect.minX, y: offset))
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
