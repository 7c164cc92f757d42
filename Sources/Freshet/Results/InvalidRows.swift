/// The rows that a query cannot show, by key, for stores that look up changed rows.
package struct InvalidRows<Key: Hashable & Comparable & Sendable>: Sendable {
  /// The reasons why rows do not decode.
  private var errors: [Key: any Error] = [:]
  /// The value of the record's `coveredChanges` at the last report.
  private var coveredChanges = 0
  /// Whether the rows have changed since the last report.
  private var isNew = false

  package init() {}

  /// The rows that do not decode.
  package var keys: some Sequence<Key> { errors.keys }

  /// The error of a row; `nil` if the row decodes, is not selected, or is gone.
  package subscript(key: Key) -> (any Error)? {
    get { errors[key] }
    set {
      if newValue == nil, errors.isEmpty { return }
      isNew = isNew || newValue != nil || errors[key] != nil
      errors[key] = newValue
    }
  }

  /// Forgets all errors, because all rows are examined again.
  package mutating func removeAll() {
    isNew = isNew || !errors.isEmpty
    errors = [:]
  }

  /// Reports the invalid rows to the query if they changed, with rows whose item another row has.
  ///
  /// - Parameter error: returns the error for a row whose item another row has.
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
