#if canImport(SwiftUI) && !os(watchOS)
  public import Freshet
  internal import FreshetLists
  public import SwiftUI

  /// A view of a feed, live results or a list made of others, at the cost of what changes.
  ///
  /// ```swift
  /// LiveListView(found) { book in
  ///   Text(book.title)
  /// }
  /// .searchable(found, prompt: "Titles")
  /// .opacity(found.isShowingOldRows ? 0.5 : 1)
  /// .task { await found.refresh() }
  /// ```
  ///
  /// It is based on a `UICollectionView` or an `NSTableView` with a SwiftUI view in each cell. A
  /// step of the list is one batch and updates only the rows that it names, whatever the length of
  /// the list (rule C4). A `List` compares the ids of all rows instead.
  ///
  /// Pulling the list down refreshes it, or performs the action of a `refreshable` around it. More
  /// rows are requested when the end is near. There are default views for gaps, for a page that
  /// loads or failed, and for a list without rows; each can be replaced. Section headers stay at
  /// the top while their sections scroll.
  ///
  /// Each row is a separate view hierarchy: rows get the environment of the list, and
  /// `swipeActions` of a row work on iOS. The closure of a row is called in the body of the row's
  /// view, so observed values that it reads update the row. A row keeps its `@State` while it stays
  /// on screen; the state is reset when its cell is reused, or when the list reloads. Store lasting
  /// state outside the row. The view is not available on watchOS, as lists are short there: use a
  /// `List`.
  public struct LiveListView<List: LiveList, Row: View>: View {
    private let list: ListController<List>
    private let row: (List.Item) -> Row
    private var parts = LiveListParts()
    private var top: Binding<List.Item.ID?>?
    private var options = ScreenOptions(edges: .activeAndEnd, showsEdgesWhenEmpty: false)
    @State private var place = ReaderPlace<List.Item.ID>()

    /// Creates a view that shows a list.
    ///
    /// - Parameters:
    ///   - list: the list; nothing is requested before the list is refreshed or fetched.
    ///   - row: the view of an item, made again when the item, or what the closure reads, changes.
    public init(_ list: ListController<List>, @ViewBuilder row: @escaping (List.Item) -> Row) {
      self.list = list
      self.row = row
    }

    /// The list, and the placeholder that is shown while it has no rows.
    public var body: some View {
      PlatformList(list: list, row: row, parts: parts, place: place, options: options, top: top)
        // Rows scroll under bars; the list insets its content itself.
        .ignoresSafeArea(.container, edges: .vertical)
        // These are separate views, so the state they read does not update the list.
        .overlay { LiveListPlaceholder(list: list, parts: parts) }
        .background {
          if let top { PlaceReader(binding: top, place: place) }
        }
    }

    // MARK: - What else is on screen

    /// Shows this view for rows that may be missing.
    public func gapRow(
      @ViewBuilder _ content: @escaping @MainActor (LiveGap) -> some View
    ) -> Self {
      changing { $0.parts.gap = { AnyView(content($0)) } }
    }

    /// Shows this view above or below the rows if an edge loads or failed, or if the list ends.
    public func edgeRow(
      @ViewBuilder _ content: @escaping @MainActor (LiveEdge) -> some View
    ) -> Self {
      changing { $0.parts.edge = { AnyView(content($0)) } }
    }

    /// Shows this view for each row that is not loaded: see `ScreenOptions.showsPlaceholders`.
    public func placeholderRow(
      @ViewBuilder _ content: @escaping @MainActor () -> some View
    ) -> Self {
      changing { $0.parts.placeholder = { AnyView(content()) } }
    }

    /// Shows this view above the rows of a section, given the section's name.
    public func sectionHeader(
      @ViewBuilder _ content: @escaping @MainActor (String) -> some View
    ) -> Self {
      changing { $0.parts.header = { AnyView(content($0)) } }
    }

    /// Shows this view while the first rows are loading.
    public func firstLoad(@ViewBuilder _ content: @escaping @MainActor () -> some View) -> Self {
      changing { $0.parts.firstLoad = { AnyView(content()) } }
    }

    /// Shows this view if the list is empty.
    public func emptyList(@ViewBuilder _ content: @escaping @MainActor () -> some View) -> Self {
      changing { $0.parts.empty = { AnyView(content()) } }
    }

    /// Shows this view if the first rows could not be loaded.
    public func failure(
      @ViewBuilder _ content: @escaping @MainActor (ErrorNotice) -> some View
    ) -> Self {
      changing { $0.parts.failure = { notice, _ in AnyView(content(notice)) } }
    }

    // MARK: - How it behaves

    /// Keeps the id of the row at the top in a binding, and scrolls to a row that is set there.
    ///
    /// The view scrolls once the row is in the list and the list is on screen. It no longer does
    /// after the user scrolls.
    ///
    /// `Bindable(feed).anchor` is such a binding: it is the reader's place, kept over a relaunch.
    /// Scrolling updates no rows, unless the view around the list reads the binding itself.
    public func topRow(id: Binding<List.Item.ID?>) -> Self {
      changing { $0.top = id }
    }

    /// Shows steps with other options, for example without animation.
    public func screenOptions(_ options: ScreenOptions) -> Self {
      changing {
        $0.options = options
        // The placeholder shows the state of the edges already.
        $0.options.showsEdgesWhenEmpty = false
      }
    }

    private func changing(_ change: (inout Self) -> Void) -> Self {
      var view = self
      change(&view)
      return view
    }
  }

  /// A place at which rows may be missing, as a row of a ``LiveListView``.
  @MainActor
  public struct LiveGap {
    /// The place in the list at which rows may be missing.
    public let gap: Gap
    /// The state of the gap's load.
    public let state: LoadState
    /// The number of missing rows; `nil` if it is unknown.
    public let size: RowTotal?
    /// The action that loads the missing rows.
    public let load: @MainActor () -> Void
  }

  /// An edge of the list, as a row of a ``LiveListView``.
  @MainActor
  public struct LiveEdge {
    /// The edge of the list.
    public let edge: EdgeRow.Edge
    /// The state of the edge: it loads, failed, or is the end.
    public let state: LoadState
    /// The action that retries the failed load.
    public let retry: @MainActor () -> Void
  }
#endif
