/// The rows that a query could not decode, by what identifies a row: for stores that look rows up.
package struct InvalidRows<Key: Hashable & Comparable & Sendable>: Sendable {
  private var errors: [Key: any Error] = [:]
  /// Whether it is not what it was when the query was told.
  private var isNew = false

  package init() {}

  /// A row does not decode; `nil` where it does, is not asked for, or is gone.
  package subscript(key: Key) -> (any Error)? {
    get { errors[key] }
    set {
      if newValue == nil, errors.isEmpty { return }
      isNew = isNew || newValue != nil || errors[key] != nil
      errors[key] = newValue
    }
  }

  /// All rows are looked at again.
  package mutating func removeAll() {
    isNew = isNew || !errors.isEmpty
    errors = [:]
  }

  /// Tells the query where that is news.
  package mutating func tell<Item, Request>(_ query: DataStoreQuery<Item, Request>) {
    guard isNew else { return }
    isNew = false
    query.report(invalidItems: errors.count, first: errors.min { $0.key < $1.key }?.value)
  }
}
