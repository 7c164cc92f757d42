/// The range of page and row numbers.
///
/// Keys are read from disk, and first numbers from a command line. Arithmetic on either must not
/// overflow.
package enum PageCounting {
  package static let range = 0...(Int.max >> 2)

  /// Throws if a list cannot begin with a page or row of this number.
  package static func check(_ first: Int) throws(FeedError) {
    guard range.contains(first) else { throw .source(CountOutOfRange(number: first)) }
  }
}

/// The error for a number that no page or row can have.
struct CountOutOfRange: Error, CustomStringConvertible {
  let number: Int

  var description: String {
    "A list cannot begin with page or row \(number). Pages and rows are counted from 0 or 1: say so with `first`."
  }
}
