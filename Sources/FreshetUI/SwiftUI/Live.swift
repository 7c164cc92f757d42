#if canImport(SwiftUI)
  public import Freshet
  public import FreshetLists
  public import SwiftUI

  /// Live results of the store in the environment.
  ///
  /// ```swift
  /// struct Favourites: View {
  ///   @Live<Book, MemoryStore<Book>.Request>(.all, arrangement: .all.sorted(by: \.title)) var books
  ///
  ///   var body: some View {
  ///     LiveListView($books) { book in
  ///       Text(book.title)
  ///     }
  ///     .emptyList { Text("No favourites yet.") }
  ///   }
  /// }
  ///
  /// struct Root: View {
  ///   let store: MemoryStore<Book>
  ///
  ///   var body: some View { Favourites().liveStore(store) }
  /// }
  /// ```
  ///
  /// The property is the items, for a `ForEach`; `$books` is their `ResultsController`. The fetch
  /// begins before the view's body is read first, goes on as long as the view is there, and begins
  /// anew where the store or the request is another one. Reading the property changes nothing.
  ///
  /// Closures cannot be compared, and so neither can arrangements nor most requests. Where a view
  /// is given them from outside, `id` says which ones they are, as in `task(id:)`: with another one
  /// the results that are there are rearranged, and fetched again where the request may be another
  /// one.
  ///
  /// ```swift
  /// @Live<Book, MemoryStore<Book>.Request> var books: LoadedItems<Book>
  ///
  /// init(by direction: ListDirection) {
  ///   _books = Live(.all, arrangement: .all.sorted(by: \.title, direction), id: direction)
  /// }
  /// ```
  ///
  /// Without an `id`, requests that cannot be compared count as the same, and the arrangement given
  /// here is the first: `$books.performFetch(_:)` and `$books.arrange(_:)` ask for others.
  ///
  /// - Precondition: it is read where a view is on display, and there is a store of these items and
  ///   requests in its environment.
  @propertyWrapper
  public struct Live<Item: ListItem, Request: Sendable>: DynamicProperty {
    @Environment(\.liveStores) private var stores
    @State private var holder = LiveHolder<Item, Request>()
    private let request: Request
    private let arrangement: Arrangement<Item>
    private let id: AnyHashable?

    /// Asks the store in the environment that has these items and takes this request.
    public init(_ request: Request, arrangement: Arrangement<Item> = .all) {
      self.request = request
      self.arrangement = arrangement
      id = nil
    }

    /// Asks the store in the environment that has these items and takes this request; request and
    /// arrangement may become others.
    ///
    /// - Parameters:
    ///   - request: what to ask for.
    ///   - arrangement: how the items are laid out.
    ///   - id: which request and arrangement they are; where the view comes with another one, the
    ///     results are rearranged, and fetched again unless the request is equal to the one before.
    public init(
      _ request: Request, arrangement: Arrangement<Item> = .all, id: some Hashable
    ) {
      self.request = request
      self.arrangement = arrangement
      self.id = AnyHashable(id)
    }

    /// The items, section after section.
    @MainActor public var wrappedValue: LoadedItems<Item> { projectedValue.fetchedObjects }

    /// The results: their sections, state and rows.
    @MainActor public var projectedValue: ResultsController<Item, Request> {
      guard let results = holder.results else {
        preconditionFailure("Put a store of \(Item.self) into the environment: liveStore(_:)")
      }
      return results
    }

    /// Asks the store in the environment where that, the request or the arrangement is another one.
    ///
    /// SwiftUI calls it on the main thread, before the view's body. Its protocol does not promise
    /// that, so it is checked: on another thread the process ends here, where it is told why,
    /// instead of racing with views that read the results.
    public func update() {
      // Proof: the copy is read by the next line alone, which `assumeIsolated` runs here and now,
      // on the main thread that this was called on, or ends the process. Nothing keeps it.
      nonisolated(unsafe) let property = self
      MainActor.assumeIsolated { unsafe property.ask() }
    }

    @MainActor private func ask() {
      guard let store = stores.store(of: Item.self, for: Request.self) else { return }
      holder.ask(store, request, arrangement, id: id)
    }
  }

  extension View {
    /// Puts a store into the environment, for ``Live`` properties of its items and requests.
    public func liveStore<Item, Request>(
      _ store: some DataStore<Item, Request>
    ) -> some View {
      transformEnvironment(\.liveStores) { $0.add(store) }
    }
  }

  /// What lives as long as a view with live results.
  @MainActor
  final class LiveHolder<Item: ListItem, Request: Sendable> {
    private(set) var results: ResultsController<Item, Request>?
    private var store: (any DataStore<Item, Request>)?
    private var request: Request?
    private var id: AnyHashable?

    nonisolated init() {}

    /// Asks for the results of a request: anew where the store or the request is another one, and
    /// rearranged where the arrangement is.
    func ask(
      _ store: any DataStore<Item, Request>, _ request: Request, _ arrangement: Arrangement<Item>,
      id: AnyHashable?
    ) {
      let old = self.store.flatMap { differs($0, store) == true ? nil : self.results }
      let isOther = id != self.id
      if let old, isOther { old.arrange(arrangement) }
      self.id = id
      // What cannot be compared is another request where the view says so.
      if old != nil, let asked = self.request, !(differs(asked, request) ?? isOther) { return }
      let results = old ?? ResultsController(store: store, arrangement: arrangement)
      (self.results, self.store, self.request) = (results, store, request)
      results.performFetch(request)
    }
  }

  /// Whether two values are different: objects that are two, or values that are not equal; `nil`
  /// where they cannot be compared.
  private func differs(_ first: Any, _ second: Any) -> Bool? {
    func isOther<Value: Equatable>(_ first: Value) -> Bool { first != second as? Value }
    if let first = first as? any Equatable { return isOther(first) }
    guard type(of: first) is AnyClass else { return nil }
    return first as AnyObject !== second as AnyObject
  }

  /// The stores in the environment, by their items and requests.
  struct LiveStores {
    private var stores: [ObjectIdentifier: Any] = [:]

    /// The store of these items that takes these requests.
    func store<Item: ListItem, Request: Sendable>(
      of item: Item.Type, for request: Request.Type
    ) -> (any DataStore<Item, Request>)? {
      stores[Self.key(item, request)] as? any DataStore<Item, Request>
    }

    mutating func add<Item, Request>(_ store: some DataStore<Item, Request>) {
      stores[Self.key(Item.self, Request.self)] = store
    }

    private static func key<Item, Request>(
      _ item: Item.Type, _ request: Request.Type
    ) -> ObjectIdentifier { ObjectIdentifier(((Item, Request) -> Void).self) }
  }

  private struct LiveStoresKey: EnvironmentKey {
    static var defaultValue: LiveStores { LiveStores() }
  }

  extension EnvironmentValues {
    var liveStores: LiveStores {
      get { self[LiveStoresKey.self] }
      set { self[LiveStoresKey.self] = newValue }
    }
  }
#endif
