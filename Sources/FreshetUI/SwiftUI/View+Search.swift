#if canImport(SwiftUI)
  public import Freshet
  internal import FreshetLists
  public import SwiftUI

  extension View {
    /// Adds a search field for a list whose query is the typed text.
    ///
    /// Matching rows in memory are shown at once. The source is queried when the user stops typing
    /// or submits. Until there are rows for the query, those of the previous one stay and
    /// `found.isShowingOldRows` is `true`.
    ///
    /// - Parameters:
    ///   - found: the list.
    ///   - prompt: the text of the empty field.
    ///   - debounce: how long the user must not type before the source is queried.
    public func searchable<Item>(
      _ found: QueryController<String, Item>, prompt: String? = nil,
      debounce: Duration = .milliseconds(300)
    ) -> some View {
      searchable(found, prompt: prompt, debounce: debounce) { $0 }
    }

    /// Adds a search field for a list whose query contains the typed text, and perhaps more.
    ///
    /// - Parameters:
    ///   - found: the list.
    ///   - prompt: the text of the empty field.
    ///   - debounce: how long the user must not type before the source is queried.
    ///   - query: returns the query for a text.
    public func searchable<Query, Item>(
      _ found: QueryController<Query, Item>, prompt: String? = nil,
      debounce: Duration = .milliseconds(300), query: @escaping (String) -> Query
    ) -> some View {
      modifier(SearchField(found: found, prompt: prompt, debounce: debounce, query: query))
    }
  }

  /// A modifier that shows the list for the typed text.
  private struct SearchField<Query: Hashable & Codable & Sendable, Item: ListItem>: ViewModifier {
    let found: QueryController<Query, Item>
    let prompt: String?
    let debounce: Duration
    let query: (String) -> Query
    @State private var text = ""

    func body(content: Content) -> some View {
      content
        .searchable(text: $text, prompt: prompt.map { Text($0) })
        .onChange(of: text) { found.show(query(text), debounce: text.isEmpty ? nil : debounce) }
        .onSubmit(of: .search) { found.show(query(text)) }
    }
  }
#endif
