#if canImport(SwiftUI) && !os(watchOS)
  internal import Freshet
  internal import SwiftUI

  /// The views of a list besides those of its items.
  @MainActor
  struct LiveListParts {
    var gap: (LiveGap) -> AnyView = { AnyView(PlainGap(gap: $0)) }
    var edge: (LiveEdge) -> AnyView = { AnyView(PlainEdge(edge: $0)) }
    var placeholder: () -> AnyView = { AnyView(PlainPlaceholder()) }
    var header: (String) -> AnyView = { AnyView(Text($0).font(.headline)) }
    var firstLoad: () -> AnyView = { AnyView(ProgressView()) }
    var empty: () -> AnyView = {
      AnyView(ContentUnavailableView("Nothing Here", systemImage: "tray"))
    }
    var failure: (ErrorNotice, _ retry: @escaping @MainActor () -> Void) -> AnyView = {
      AnyView(PlainFailure(notice: $0, retry: $1))
    }

    /// Returns the view of a row that shows no item.
    func view<List: LiveList>(of row: ScreenRow<List.Item>, in list: ListController<List>)
      -> AnyView
    {
      switch row {
      case .item: AnyView(EmptyView())
      case .gap(let found, let state, let size):
        gap(
          LiveGap(gap: found, state: state, size: size) {
            Task { await list.load(found, from: .above) }
          })
      case .placeholder: placeholder()
      case .edge(let row): edge(LiveEdge(edge: row.id, state: row.state) { list.retry() })
      }
    }
  }

  /// The placeholder for a list without rows.
  struct LiveListPlaceholder<List: LiveList>: View {
    let list: ListController<List>
    let parts: LiveListParts

    var body: some View {
      switch list.placeholder {
      case .loading: parts.firstLoad()
      case .empty: parts.empty()
      case .failed(let notice): parts.failure(notice) { list.retry() }
      case nil: EmptyView()
      }
    }
  }

  private struct PlainGap: View {
    let gap: LiveGap

    var body: some View {
      switch gap.state {
      case .loading: ProgressView()
      case .failed(let error):
        PlainFailure(notice: ErrorNotice(error), retry: gap.load)
      case .idle, .end:
        Button(
          gap.size.map { "Load \($0.text) More" } ?? "Load More", systemImage: "ellipsis",
          action: gap.load)
      }
    }
  }

  private struct PlainPlaceholder: View {
    var body: some View {
      Text("…").foregroundStyle(.secondary).accessibilityLabel("Not loaded yet")
    }
  }

  private struct PlainEdge: View {
    let edge: LiveEdge

    var body: some View {
      switch edge.state {
      case .loading: ProgressView()
      case .failed(let error): PlainFailure(notice: ErrorNotice(error), retry: edge.retry)
      case .end: Text("That is all.").foregroundStyle(.secondary)
      case .idle: EmptyView()
      }
    }
  }

  private struct PlainFailure: View {
    let notice: ErrorNotice
    let retry: @MainActor () -> Void

    var body: some View {
      ContentUnavailableView {
        Label(notice.message, systemImage: "exclamationmark.triangle")
      } description: {
        if let advice = notice.advice { Text(advice) }
      } actions: {
        // Other actions are up to the app.
        if notice.action == .retry { Button(ErrorNotice.Action.retry.title, action: retry) }
      }
    }
  }

  /// The row closure, parts and environment that all cells of a list share.
  ///
  /// The bodies of the rows read them. So a change of the view around the list updates the rows,
  /// and reconfigures no cell.
  @MainActor @Observable
  final class RowContent<List: LiveList, Row: View> {
    var row: (List.Item) -> Row
    var parts: LiveListParts
    var environment: EnvironmentValues

    init(
      row: @escaping (List.Item) -> Row, parts: LiveListParts, environment: EnvironmentValues
    ) {
      (self.row, self.parts, self.environment) = (row, parts, environment)
    }

    /// Takes the content of the view around the list, whose closures cannot be compared.
    func update(
      row: @escaping (List.Item) -> Row, parts: LiveListParts, environment: EnvironmentValues
    ) {
      (self.row, self.parts, self.environment) = (row, parts, environment)
    }

    /// Returns the view of an item.
    func view(of item: List.Item) -> some View { hosted(item.id) { $0.row(item) } }

    /// Returns the view of a row that shows no item.
    func view(of row: ScreenRow<List.Item>, in list: ListController<List>) -> some View {
      hosted(row.hostID) { $0.parts.view(of: row, in: list) }
    }

    /// Returns the header of a section.
    func header(_ title: String) -> some View { hosted(title) { $0.parts.header(title) } }

    private func hosted<Content: View>(
      _ id: some Hashable, _ content: @escaping @MainActor (RowContent) -> Content
    ) -> some View {
      HostedRow(id: id) { [self] in content(self).environment(\.self, environment) }
    }
  }

  /// A row in a cell.
  ///
  /// It has the identity of its item, so a reused cell does not keep the state of the item before.
  /// The body creates the content, so observed values update it.
  private struct HostedRow<ID: Hashable, Content: View>: View {
    let id: ID
    let content: @MainActor () -> Content

    var body: some View {
      #if os(macOS)
        content().frame(maxWidth: .infinity, alignment: .leading).id(id)
      #else
        content().id(id)
      #endif
    }
  }

  extension ScreenRow {
    /// The identity of a row that shows no item.
    fileprivate var hostID: AnyHashable {
      switch self {
      case .item(let item): item.id
      case .gap(let gap, _, _): gap.id
      case .edge(let row): row.id
      case .placeholder(let row): row
      }
    }
  }
#endif
