/// The rows that a query cannot show, by what identifies a row: for stores that look rows up.
package struct InvalidRows<Key: Hashable & Comparable & Sendable>: Sendable {
  /// Why rows do not decode.
  private var errors: [Key: any Error] = [:]
  /// How often the rows had changed whose item another row has, when the query was told.
  private var coveredChanges = 0
  /// Whether it is not what it was when the query was told.
  private var isNew = false

  package init() {}

  /// The rows that do not decode.
  package var keys: some Sequence<Key> { errors.keys }

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

  /// Tells the query where that is news, and of the rows whose item another row has.
  ///
  /// - Parameter error: says so of one of them.
  package mutating func tell<Item, Request>(
    _ query: DataStoreQuery<Item, Request>, beside told: ToldRows<Key, Item>,
    error: (Key) -> any Error
  ) {
    guard isNew || told.coveredChanges != coveredChanges else { return }
    (isNew, coveredChanges) = (false, told.coveredChanges)
    query.report(
      invalidItems: errors.count + told.covered.count,
      first: first ?? told.covered.min().map(error))
  }
}
