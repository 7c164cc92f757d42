internal import Freshet
internal import FreshetLists

/// A counted page that is proven to follow the page before it (rule T5).
///
/// If the page itself proves nothing, the page before it is read again *after* the page. If that
/// page is unchanged, nothing moved in between. Both are then one page that repeats known rows.
struct VerifiedPage<Item: ListItem & Decodable>: Sendable {
  /// The page before, if it was read again.
  var above: PageAnswer<Item>?
  /// The page; `nil` past the last one.
  var answer: PageAnswer<Item>?
  var continuity: PageContinuity
  /// Whether the list keeps changing, so that only the page before is known, to continue from.
  var isHeldBack = false

  /// The number of checks of a boundary before the list counts as one that keeps changing.
  private static var looks: Int { 6 }

  /// Reads a page by `page`, and the page before it by `above` if needed.
  ///
  /// `page` returns `nil` past the last page.
  static func read(
    behind overlap: PageOverlapProof?, page: () async throws -> PageAnswer<Item>?,
    above: () async throws -> PageAnswer<Item>
  ) async throws -> VerifiedPage {
    var answer = try await page()
    guard var overlap else { return VerifiedPage(answer: answer, continuity: .overlapping) }
    switch overlap.proof(for: answer?.items ?? [], total: answer?.total) {
    case .repeats: return VerifiedPage(answer: answer, continuity: .overlapping)
    case .follows: return VerifiedPage(answer: answer, continuity: .stable)
    case .open: break
    }
    var wasSame = false
    for look in 1...looks {
      let before = try await above()
      // A row that was inserted and deleted between the requests shows in the totals. Three totals
      // are compared, so that a change below the boundary cannot hide one above it. In a list that
      // changes with each response, three totals never agree. From the fifth look on, two are
      // enough.
      let first = look < 5 ? overlap.total : nil
      let totals = Set([first, answer?.total, before.total].compactMap { $0 })
      // If the rows of both pages stay unchanged, totals that differ are estimates.
      if overlap.matches(before.items), totals.count < 2 || wasSame {
        return VerifiedPage(above: before, answer: answer, continuity: .overlapping)
      }
      let known = (above: overlap, rows: NumberedKey.fingerprint(of: answer?.items ?? []))
      overlap = before.overlap(again: overlap)
      answer = try await page()
      wasSame =
        known.above.matches(before.items)
        && known.rows == NumberedKey.fingerprint(of: answer?.items ?? [])
      if overlap.proof(for: answer?.items ?? [], total: answer?.total) == .follows {
        return VerifiedPage(above: before, answer: answer, continuity: .overlapping)
      }
    }
    return VerifiedPage(above: try await above(), continuity: .overlapping, isHeldBack: true)
  }

  /// Returns the rows of both pages with the given keys.
  func page(_ next: HTTPPageKey?, previous: HTTPPageKey?) -> Page<Item, HTTPPageKey> {
    let answers = [above, answer].compactMap { $0 }
    // A page that is proven to follow has no previous key, because the rows that it counts may
    // shift.
    var page = Page(
      answers.flatMap(\.items), next: next, previous: continuity == .stable ? nil : previous)
    page.continuity = continuity
    page.invalidItems = answers.reduce(0) { $0 + $1.rowCount - $1.items.count }
    page.invalidItem = answers.lazy.compactMap(\.invalidItem).first
    page.total = answer?.rowTotal
    return page
  }
}
