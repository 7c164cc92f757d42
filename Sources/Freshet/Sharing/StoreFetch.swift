/// A fetch of live results from a store that may also hold the rows of feeds of the map.
///
/// Such a feed writes into the store what it learned earlier, so an item found there is no newer
/// than the map knows. It is newer only if another writer changed it: if it differs from a version
/// that the feeds had stored before the fetch.
struct StoreFetch: Sendable {
  let moment: SharedItems.Moment
  /// The request before which everything that these feeds know is in the store; `nil` if there are
  /// no such feeds.
  var settled: Int?
}
