#if canImport(SwiftUI) && !os(watchOS)
  public import Freshet
  internal import FreshetLists
  public import SwiftUI

  /// A feed, live results or a list made of others, at the cost of what changes.
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
  /// Beneath it is a `UICollectionView` or an `NSTableView` with a SwiftUI view in each cell: a
  /// step of the list is one batch, and makes the rows anew that it names, whatever the length of
  /// the list (rule C4). A `List` compares the ids of all rows instead.
  ///
  /// Pulling it down refreshes, or does what a `refreshable` around it says. More is asked for as
  /// the end comes near. Rows where others may be missing, where a page is on its way or failed,
  /// and what stands in the place of a list without rows are there by default; each can be
  /// replaced. Section headers stay at the top while their sections scroll.
  ///
  /// Rows are views of their own beside each other: they get the environment of the list, and
  /// `swipeActions` of a row work on iOS. There is none for watchOS, where lists are short: use a
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
    ///   - list: the list; nothing is asked for before somebody refreshes or fetches it.
    ///   - row: the view of an item, made anew when the item changes.
    public init(_ list: ListController<List>, @ViewBuilder row: @escaping (List.Item) -> Row) {
      self.list = list
      self.row = row
    }

    /// The list, and what stands in its place while it has no rows.
    public var body: some View {
      PlatformList(list: list, row: row, parts: parts, place: place, options: options, top: top)
        // Views of their own: what they read does not make the list anew.
        .overlay { LiveListPlaceholder(list: list, parts: parts) }
        .background {
          if let top { PlaceReader(binding: top, place: place) }
        }
    }

    // MARK: - What else is on screen

    /// Shows this for rows that may be missing.
    public func gapRow(
      @ViewBuilder _ content: @escaping @MainActor (LiveGap) -> some View
    ) -> Self {
      changing { $0.parts.gap = { AnyView(content($0)) } }
    }

    /// Shows this above or below the rows, where an edge loads or failed, or the list ends.
    public func edgeRow(
      @ViewBuilder _ content: @escaping @MainActor (LiveEdge) -> some View
    ) -> Self {
      changing { $0.parts.edge = { AnyView(content($0)) } }
    }

    /// Shows this above the rows of a section, of its name.
    public func sectionHeader(
      @ViewBuilder _ content: @escaping @MainActor (String) -> some View
    ) -> Self {
      changing { $0.parts.header = { AnyView(content($0)) } }
    }

    /// Shows this while the first rows are on their way.
    public func firstLoad(@ViewBuilder _ content: @escaping @MainActor () -> some View) -> Self {
      changing { $0.parts.firstLoad = { AnyView(content()) } }
    }

    /// Shows this where there is nothing in the list.
    public func emptyList(@ViewBuilder _ content: @escaping @MainActor () -> some View) -> Self {
      changing { $0.parts.empty = { AnyView(content()) } }
    }

    /// Shows this where the first rows could not be loaded.
    public func failure(
      @ViewBuilder _ content: @escaping @MainActor (ErrorNotice) -> some View
    ) -> Self {
      changing { $0.parts.failure = { notice, _ in AnyView(content(notice)) } }
    }

    // MARK: - How it behaves

    /// Keeps the id of the row at the top in a binding, and scrolls to the row that is put there,
    /// once it is in the list and the list on screen; not any more once the reader scrolls.
    ///
    /// `Bindable(feed).anchor` is such a binding: the reader's place, kept over a relaunch.
    /// Scrolling makes no row anew, unless the view around the list reads the binding itself.
    public func topRow(id: Binding<List.Item.ID?>) -> Self {
      changing { $0.top = id }
    }

    /// Shows steps in another way: without animation, say.
    public func screenOptions(_ options: ScreenOptions) -> Self {
      changing {
        $0.options = options
        // What stands in the place of the rows says it already.
        $0.options.showsEdgesWhenEmpty = false
      }
    }

    private func changing(_ change: (inout Self) -> Void) -> Self {
      var view = self
      change(&view)
      return view
    }
  }

  /// A place where rows may be missing, as a row of a ``LiveListView``.
  @MainActor
  public struct LiveGap {
    /// Where in the list rows may be missing.
    public let gap: Gap
    /// How the load of the gap stands.
    public let state: LoadState
    /// Asks for the rows that are missing.
    public let load: @MainActor () -> Void
  }

  /// An edge of the list, as a row of a ``LiveListView``.
  @MainActor
  public struct LiveEdge {
    /// Which edge of the list it is.
    public let edge: EdgeRow.Edge
    /// How it stands: it loads, failed, or is the end.
    public let state: LoadState
    /// Asks again for what failed.
    public let retry: @MainActor () -> Void
  }
#endif
