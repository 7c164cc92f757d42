/// What to look for in a body.
struct BodyReading: Sendable {
  /// The place of the items; `nil` for the document if it is an array, else its only array, else
  /// the array with one of the usual names.
  var items: JSONPointer?
  /// The members that the paging style asks for.
  var members: [JSONPointer] = []
  /// The place of a row's id, where the paging style asks for the last one.
  var rowID: JSONPointer?
  /// The place of an array or object of links: of the first that is there.
  var links: [JSONPointer] = []
  /// How many rows there may be.
  var rowLimit = BodyBounds.rows
  /// Whether an item that does not decode is left out.
  var skipsInvalid = false
  /// Whether the rows are decoded, and not only what stands around them.
  var readsItems = true

  /// What the body is read for that is being decoded.
  ///
  /// Sources may share a decoder and read at the same time, so it is no place to leave this in.
  @TaskLocal static var current: BodyReading?
}
