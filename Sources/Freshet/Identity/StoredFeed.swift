/// A feed in a store, whose writes live results of the store receive.
struct StoredFeed: Hashable, Sendable {
  /// The store: the object itself, because only it knows which of its changes a feed wrote.
  let store: ObjectIdentifier
  /// The name of the feed in the store.
  let name: String

  init(store: ObjectIdentifier, name: String) { (self.store, self.name) = (store, name) }

  /// Names a feed in a store; `nil` if the store is a value, which has no identity.
  init?(_ store: any Sendable, named name: String) {
    guard let store = Self.identifier(of: store) else { return nil }
    (self.store, self.name) = (store, name)
  }

  /// Returns the identity of a store; for a draft, that of the store below it.
  static func identifier(of store: any Sendable) -> ObjectIdentifier? {
    if let layer = store as? any LayeredStore { return identifier(of: layer.storeBelow) }
    return type(of: store) is AnyClass ? ObjectIdentifier(store as AnyObject) : nil
  }
}

/// A store that passes on the changes of another one.
protocol LayeredStore {
  var storeBelow: any Sendable { get }
}
