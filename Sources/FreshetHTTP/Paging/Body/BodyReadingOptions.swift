/// The parts of a body to read.
struct BodyReadingOptions: Sendable {
  /// The place of the items; `nil` for the usual place.
  ///
  /// That is the document if it is an array. Otherwise it is the only array, or the one with a
  /// usual name.
  var items: JSONPointer?
  /// The members that the paging style reads.
  var members: [JSONPointer] = []
  /// The place of the id in a row, if the paging style uses the last row's id.
  var rowID: JSONPointer?
  /// The possible places of an array or object of links; the first that exists is read.
  var links: [JSONPointer] = []
  /// The largest number of rows.
  var rowLimit = BodyBounds.rows
  /// Whether an item that does not decode is left out.
  var skipsInvalid = false
  /// Whether the rows are decoded, or only the members around them.
  var readsItems = true

  /// The parts to read of the body that is being decoded.
  ///
  /// Sources may share a decoder and use it at the same time, so the decoder cannot hold this
  /// value.
  @TaskLocal static var current: BodyReadingOptions?
}
