/// The rows that a query cannot show, by what identifies a row: for stores that look rows up.
package struct InvalidRows<Key: Hashable & Comparable & Sendable>: Sendable {
  /// Why rows do not decode.
  private var errors: [Key: any Error] = [:]
  /// How often the rows had changed whose item another row has, at the last report.
  private var coveredChanges = 0
  /// Whether it is not what it was at the last report.
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

  /// All rows are looked at again.
  package mutating func removeAll() {
    isNew = isNew || !errors.isEmpty
    errors = [:]
  }

  /// Reports them to the query where they changed, and the rows whose item another row has.
  ///
  /// - Parameter error: what is wrong with one of those.
  package mutating func report<Item, Request>(
    to query: DataStoreQuery<Item, Request>, beside record: DeliveryRecord<Key, Item>,
    error: (Key) -> any Error
  ) {
    guard isNew || record.coveredChanges != coveredChanges else { return }
    (isNew, coveredChanges) = (false, record.coveredChanges)
    query.report(
      invalidItems: errors.count + record.covered.count,
      first: errors.min { $0.key < $1.key }?.value ?? record.covered.min().map(error))
  }
}
