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
  /// begins before the view's body is first read, and continues as long as the view exists. It
  /// starts again if the store or the request changes. Reading the property changes nothing.
  ///
  /// Closures cannot be compared, and therefore neither can arrangements or most requests. If a
  /// view is given them from outside, `id` identifies them, as in `task(id:)`. When `id` changes,
  /// the existing results are rearranged. They are fetched again if the request may be a different
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
  /// Without an `id`, requests that cannot be compared count as equal, and only the first
  /// arrangement is used. Call `$books.performFetch(_:)` and `$books.arrange(_:)` for others.
  ///
  /// - Precondition: it is read while a view is on display, with a store of these items and
  ///   requests in its environment.
  @propertyWrapper
  public struct Live<Item: ListItem, Request: Sendable>: DynamicProperty {
    @Environment(\.liveStores) private var stores
    @State private var holder = LiveHolder<Item, Request>()
    private let request: Request
    private let arrangement: Arrangement<Item>
    private let id: AnyHashable?

    /// Creates results from the environment's store for these items and requests.
    public init(_ request: Request, arrangement: Arrangement<Item> = .all) {
      self.request = request
      self.arrangement = arrangement
      id = nil
    }

    /// Creates results from the environment's store; their request and arrangement may change.
    ///
    /// The store is the one for these items and requests.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - arrangement: how the items are laid out.
    ///   - id: the identity of the request and the arrangement. When it changes, the results are
    ///     rearranged, and fetched again unless the request is equal to the one before.
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

    /// Updates the results if the store, the request or the arrangement changed.
    ///
    /// SwiftUI calls this method on the main thread, before the view's body. The protocol does not
    /// promise that, so it is checked. On another thread, the process stops here with an
    /// explanation, instead of racing with views that read the results.
    public func update() {
      // Proof: only the next line reads the copy. `assumeIsolated` runs that line immediately, on
      // the main thread on which this was called, or ends the process. Nothing keeps the copy.
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
      // SwiftUI does not say on which thread it calls this, so it is isolated to none.
      transformEnvironment(\.liveStores) { @Sendable stores in stores.add(store) }
    }
  }

  /// The results of a ``Live`` property, which live as long as its view.
  @MainActor
  final class LiveHolder<Item: ListItem, Request: Sendable> {
    private(set) var results: ResultsController<Item, Request>?
    private var store: (any DataStore<Item, Request>)?
    private var request: Request?
    private var id: AnyHashable?

    nonisolated init() {}

    /// Fetches the results if the store or the request changed; rearranges them if `id` changed.
    func ask(
      _ store: any DataStore<Item, Request>, _ request: Request, _ arrangement: Arrangement<Item>,
      id: AnyHashable?
    ) {
      let old = self.store.flatMap { differs($0, store) == true ? nil : self.results }
      let isOther = id != self.id
      if let old, isOther { old.arrange(arrangement) }
      self.id = id
      // A request that cannot be compared counts as changed if `id` changed.
      if old != nil, let asked = self.request, !(differs(asked, request) ?? isOther) { return }
      let results = old ?? ResultsController(store: store, arrangement: arrangement)
      (self.results, self.store, self.request) = (results, store, request)
      results.performFetch(request)
    }
  }

  /// Returns whether two values are different, or `nil` if they cannot be compared.
  ///
  /// Values are different if they are not equal. Objects without `==` are different if they are not
  /// the same object.
  private func differs(_ first: Any, _ second: Any) -> Bool? {
    func isOther<Value: Equatable>(_ first: Value) -> Bool { first != second as? Value }
    if let first = first as? any Equatable { return isOther(first) }
    guard type(of: first) is AnyClass else { return nil }
    return first as AnyObject !== second as AnyObject
  }

  /// The stores in the environment, by their items and requests.
  struct LiveStores {
    private var stores: [ObjectIdentifier: Any] = [:]

    /// Returns the store of these items that takes these requests.
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
