/// The rows that a query cannot show, by what identifies a row: for stores that look rows up.
package struct InvalidRows<Key: Hashable & Comparable & Sendable>: Sendable {
  /// Why rows do not decode.
  private var errors: [Key: any Error] = [:]
  /// The rows whose item another row has, as the query was told.
  private var covered: Set<Key> = []
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

  /// Why the first of them does not decode.
  package var first: (any Error)? { errors.min { $0.key < $1.key }?.value }

  /// All rows are looked at again.
  package mutating func removeAll() {
    isNew = isNew || !errors.isEmpty
    errors = [:]
  }

  /// Tells the query where that is news.
  ///
  /// - Parameters:
  ///   - covered: the rows whose item another row has.
  ///   - error: says so of one of them.
  package mutating func tell<Item, Request>(
    _ query: DataStoreQuery<Item, Request>, covered: Set<Key>, error: (Key) -> any Error
  ) {
    guard isNew || covered != self.covered else { return }
    (isNew, self.covered) = (false, covered)
    query.report(
      invalidItems: errors.count + covered.count, first: first ?? covered.min().map(error))
  }
}
