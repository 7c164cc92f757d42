/// How far pages and rows are counted: keys come from disk, first numbers from a command line, and
/// arithmetic on either must not overflow.
package enum PageCounting {
  package static let range = 0...(Int.max >> 2)

  /// Throws where a list cannot begin with a page or row of this number.
  package static func check(_ first: Int) throws(FeedError) {
    guard range.contains(first) else { throw .source(CountOutOfRange(number: first)) }
  }
}

/// A number that no page or row has.
struct CountOutOfRange: Error, CustomStringConvertible {
  let number: Int

  var description: String {
    "A list cannot begin with page or row \(number). Pages and rows are counted from 0 or 1: say so with `first`."
  }
}
