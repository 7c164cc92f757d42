internal import Foundation
internal import Freshet
internal import FreshetLists

/// A summary of the page before a counted page, used to prove that the counted page follows it.
///
/// The proof usually works without reading that page again (rule T5).
///
/// Rows may be inserted and deleted between two requests. An insertion above a page moves known
/// rows into it. The page repeats them, which is the proof. A deletion above a page moves rows out
/// of it, and no request returns them. A total does not reveal that. It may be capped or
/// estimated, and it stays the same after one deletion above the boundary and one insertion below
/// it.
///
/// So a page is accepted without a second request only if no row fits between the two pages. Its
/// ids must be consecutive whole numbers, those of the page before must be, too, and its first id
/// must follow the last one.
///
/// A changed total also causes a second request. One case is not noticed: a row out of order
/// exactly at the boundary, at the moment when another one is deleted.
struct PageOverlapProof: Hashable, Codable, Sendable {
  /// A fingerprint of the page's ids; pages with different ids hardly ever share one.
  let rows: UInt64
  /// The fingerprint of the last row alone.
  let last: UInt64
  /// The number of rows on the page.
  let count: Int
  /// The number of rows on the longest and on the shortest page so far.
  let size: Int
  let least: Int
  /// The total that the page reported.
  let total: Int?
  /// The last row's number and the direction, if ids are consecutive numbers.
  let number: Int?
  let step: Int?
  /// Whether a page was equal to the one above, so that page numbers do not match rows.
  ///
  /// That happens if a server returns the same page for 0 and 1.
  let isSkewed: Bool
  /// The number of rows up to the end of the page, if all pages from the first were counted.
  let position: Int?
  /// Whether a flag of the page reported more rows.
  let saysMore: Bool?

  /// The number of rows needed for a proof by ids; fewer could be in order by chance.
  private static var fewest: Int { 8 }

  /// - Parameters:
  ///   - above: the summary of the page above, or of this one.
  ///   - isAgain: whether it is this page, read again.
  ///   - isFirst: whether it is the first page.
  ///   - saysMore: whether a flag of the page reports more rows.
  init(
    of items: [some ListItem], count: Int, total: Int?, above: PageOverlapProof? = nil,
    isAgain: Bool = false, isFirst: Bool = false, saysMore: Bool = false
  ) {
    rows = NumberedKey.fingerprint(of: items)
    last = NumberedKey.fingerprint(of: Array(items.suffix(1)))
    self.count = count
    isSkewed = above.map { $0.isSkewed || !isAgain && $0.matches(items) } ?? false
    size = max(above?.size ?? 0, count)
    least = min(above.map { $0.size == 0 ? count : $0.least } ?? count, count)
    self.total = total
    self.saysMore = saysMore
    position = isFirst ? count : (isAgain ? above?.start : above?.position)?.counting(count)
    let run = NumberRun(items)
    (number, step) = items.count >= Self.fewest ? (run?.last, run?.step) : (nil, nil)
  }

  /// Creates the summary for a key that an earlier version stored.
  init(rows: UInt64) {
    self.rows = rows
    (last, count, size, least, total, number, step) = (0, 0, 0, 0, nil, nil, nil)
    isSkewed = false
    (position, saysMore) = (nil, nil)
  }

  /// The number of rows on each page up to this one, if they have equally many.
  var pageSize: Int? { size == least && size > 0 && !isSkewed ? size : nil }

  /// The number of rows above the page, if that is known.
  private var start: Int? {
    guard let position, count >= 0 else { return nil }
    return position.counting(-count)
  }

  /// The relation of a page to the one above.
  enum Proof: Hashable {
    /// The page repeats the last row of the page above.
    case repeats
    /// The page starts directly after the page above.
    case follows
    /// A second request has to decide.
    case open
  }

  /// Returns how a page relates to this one, as far as the two show it.
  func proof(for items: [some ListItem], total: Int?) -> Proof {
    if items.contains(where: { NumberedKey.fingerprint(of: [$0]) == last }) { return .repeats }
    // A page above that is shorter than others shows that the list ended within it.
    if items.isEmpty { return count < size ? .follows : .open }
    guard let number, let step, total == self.total, let run = NumberRun(items),
      run.step == nil || run.step == step
    else { return .open }
    let (neighbour, isBeyond) = number.addingReportingOverflow(step)
    return !isBeyond && run.first == neighbour ? .follows : .open
  }

  /// Returns the error for a list that ends after this page although the page reported more rows.
  func unread(_ nothing: String, position: Int?, url: URL) -> FeedError? {
    let seen: String
    if let total, let position, total > position, total > count {
      seen = "a total of \(total), and \(nothing)"
    } else if saysMore == true {
      seen = "a flag that says that there is more, and \(nothing)"
    } else {
      return nil
    }
    return .unreadPages(
      seen: seen, advice: "The server gives no more than that: ask for a part of the list.",
      url: url)
  }

  /// Returns whether the page above is unchanged.
  func matches(_ items: [some ListItem]) -> Bool { NumberedKey.fingerprint(of: items) == rows }
}

extension Int {
  /// Returns the count increased by `rows`; `nil` if no list has as many.
  func counting(_ rows: Int) -> Int? {
    let (sum, isBeyond) = addingReportingOverflow(rows)
    return isBeyond || !PageCounting.range.contains(sum) ? nil : sum
  }
}

/// A run of rows whose ids are consecutive whole numbers, all ascending or all descending.
struct NumberRun: Hashable {
  let first: Int
  let last: Int
  /// 1 or -1; `nil` for a single row.
  let step: Int?

  init?(_ items: [some ListItem]) {
    var numbers: [Int] = []
    for item in items {
      guard let number = Self.number("\(item.id)") else { return nil }
      numbers.append(number)
    }
    guard let first = numbers.first, let last = numbers.last else { return nil }
    (self.first, self.last) = (first, last)
    guard numbers.count > 1 else {
      self.step = nil
      return
    }
    let step = first < last ? 1 : -1
    guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 &+ step == $1 }) else { return nil }
    self.step = step
  }

  /// Returns the number that an id is or wraps: `17`, `integer(17)`.
  private static func number(_ text: String) -> Int? {
    let text =
      text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : text[...]
    if let number = Int(text) { return number }
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return nil }
    return Int(text[text.index(after: open)...].dropLast())
  }
}
