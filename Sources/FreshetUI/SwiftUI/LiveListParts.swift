#if canImport(SwiftUI) && !os(watchOS)
  internal import Freshet
  internal import SwiftUI

  /// The views of a list besides those of its items.
  @MainActor
  struct LiveListParts {
    var gap: (LiveGap) -> AnyView = { AnyView(PlainGap(gap: $0)) }
    var edge: (LiveEdge) -> AnyView = { AnyView(PlainEdge(edge: $0)) }
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
      case .gap(let found, let state):
        gap(LiveGap(gap: found, state: state) { Task { await list.load(found, from: .above) } })
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
      case .idle, .end: Button("Load More", systemImage: "ellipsis", action: gap.load)
      }
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

  /// A row in a cell, with the environment of its list.
  struct HostedRow<Content: View>: View {
    let content: Content
    let environment: EnvironmentValues

    var body: some View { content.environment(\.self, environment) }
  }
#endif
