#if canImport(SwiftUI)
  public import Freshet
  internal import FreshetLists
  public import SwiftUI

  extension View {
    /// A search field for a list whose query is what is typed.
    ///
    /// What is in memory shows at once; the source is asked when the reader stops typing, or
    /// submits. Rows of the query before stay until then: `found.isShowingOldRows` says so.
    ///
    /// - Parameters:
    ///   - found: the list.
    ///   - prompt: what the empty field says.
    ///   - debounce: how long nobody types before the source is asked.
    public func searchable<Item>(
      _ found: QueryController<String, Item>, prompt: String? = nil,
      debounce: Duration = .milliseconds(300)
    ) -> some View {
      searchable(found, prompt: prompt, debounce: debounce) { $0 }
    }

    /// A search field for a list whose query has what is typed in it, and perhaps more.
    ///
    /// - Parameters:
    ///   - found: the list.
    ///   - prompt: what the empty field says.
    ///   - debounce: how long nobody types before the source is asked.
    ///   - query: the query for a text.
    public func searchable<Query, Item>(
      _ found: QueryController<Query, Item>, prompt: String? = nil,
      debounce: Duration = .milliseconds(300), query: @escaping (String) -> Query
    ) -> some View {
      modifier(SearchField(found: found, prompt: prompt, debounce: debounce, query: query))
    }
  }

  /// Shows what is typed.
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
