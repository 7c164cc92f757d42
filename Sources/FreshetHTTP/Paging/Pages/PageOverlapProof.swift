internal import Foundation
internal import Freshet
internal import FreshetLists

/// A summary of the page before a counted page: enough to prove, mostly without reading that page
/// again, that the next page follows it (rule T5).
///
/// Rows may be inserted and deleted between two requests. An insertion above a page pushes known
/// rows into it: the page repeats them, which is the proof. A deletion above it moves rows out of
/// it that no request sees. A total does not show that: it may be capped or estimated, and one
/// deletion above the boundary and one insertion below leave it the same. So a page is accepted
/// without a second request only if its ids are consecutive whole numbers, those of the page before
/// are, too, and its first id follows the last one: no row fits between.
///
/// A total that changed is a reason for a second request all the same. One case is not noticed: a
/// row out of order exactly at the boundary, at the moment when another one is deleted.
struct PageOverlapProof: Hashable, Codable, Sendable {
  /// A number that two pages with other ids hardly share.
  let rows: UInt64
  /// The same of the last row alone.
  let last: UInt64
  /// How many rows the page had.
  let count: Int
  /// How many the longest and the shortest page so far had.
  let size: Int
  let least: Int
  /// The total that the page spoke of.
  let total: Int?
  /// The last row's number where rows are numbered one by one, and which way.
  let number: Int?
  let step: Int?
  /// Whether a page was the same as the one above: then numbers and rows do not go together, as
  /// where a server takes page 0 for page 1.
  let isSkewed: Bool
  /// How many rows the list has up to the end of the page, where every page from the first on was
  /// counted.
  let position: Int?
  /// Whether a flag of the page said that there is more.
  let saysMore: Bool?

  /// Rows in order that could be chance.
  private static var fewest: Int { 8 }

  /// - Parameters:
  ///   - above: what is known of the page above, or of this one.
  ///   - isAgain: whether it is this page, read again.
  ///   - isFirst: whether it is the first page.
  ///   - saysMore: whether a flag of the page says that there is more.
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

  /// The boundary of a key that an earlier version stored.
  init(rows: UInt64) {
    self.rows = rows
    (last, count, size, least, total, number, step) = (0, 0, 0, 0, nil, nil, nil)
    isSkewed = false
    (position, saysMore) = (nil, nil)
  }

  /// How many rows the list has above the page, where that is known.
  private var start: Int? {
    guard let position, count >= 0 else { return nil }
    return position.counting(-count)
  }

  /// How a page hangs together with the one above.
  enum Proof: Hashable {
    /// It repeats the last row of the page above.
    case repeats
    /// It starts right behind it.
    case follows
    /// It takes a second look.
    case open
  }

  /// How a page hangs together with the one above, as far as both tell.
  func proof(for items: [some ListItem], total: Int?) -> Proof {
    if items.contains(where: { NumberedKey.fingerprint(of: [$0]) == last }) { return .repeats }
    // The list had ended within the page above.
    if items.isEmpty { return count < size ? .follows : .open }
    guard let number, let step, total == self.total, let run = NumberRun(items),
      run.step == nil || run.step == step
    else { return .open }
    let (neighbour, isBeyond) = number.addingReportingOverflow(step)
    return !isBeyond && run.first == neighbour ? .follows : .open
  }

  /// Why a list does not end behind the page, if the page says so and nothing follows.
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

  /// Whether the page above is what it was.
  func matches(_ items: [some ListItem]) -> Bool { NumberedKey.fingerprint(of: items) == rows }
}

extension Int {
  /// The count with so many rows more, unless no list has as many.
  func counting(_ rows: Int) -> Int? {
    let (sum, isBeyond) = addingReportingOverflow(rows)
    return isBeyond || !PageCounting.range.contains(sum) ? nil : sum
  }
}

/// Rows whose ids are whole numbers without holes, that all ascend or all descend.
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

  /// The number that an id is or wraps: `17`, `integer(17)`.
  private static func number(_ text: String) -> Int? {
    let text =
      text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : text[...]
    if let number = Int(text) { return number }
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return nil }
    return Int(text[text.index(after: open)...].dropLast())
  }
}
