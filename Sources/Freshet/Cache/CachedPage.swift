internal import FreshetLists

extension PageKey {
  /// Whether it holds what is not stored: `access_token` in a link, say (rule P12).
  var holdsSecret: Bool { Secrets.masked(json) != json }
}

/// What a cache keeps of the page at the head of a list beside its rows, so that the first refresh
/// after a relaunch can be answered with `Page.unchanged` (rule N3).
///
/// The first rows that are stored are the page's items, all of them and in their order.
public struct CachedPage: Equatable, Codable, Sendable {
  /// What names this version of the page.
  public var validator: String
  /// How many of the first rows are the page.
  public var rows: Int
  /// The key of the page that follows.
  public var next: PageKey?
  /// The key of the page before.
  public var previous: PageKey?
  /// How the page hangs together with its neighbours, where it said so itself.
  public var continuity: PageContinuity?

  /// How long a validator may be, in bytes, to be kept.
  static var lengths: ClosedRange<Int> { 1...1024 }
  /// How long the keys of the neighbours may be, in bytes, for the page to be stored.
  private static var keyLimit: Int { 4096 }

  /// Creates a page as a cache found it.
  public init(
    validator: String, rows: Int, next: PageKey?, previous: PageKey?,
    continuity: PageContinuity? = nil
  ) {
    self.validator = validator
    self.rows = rows
    self.next = next
    self.previous = previous
    self.continuity = continuity
  }

  /// What is kept of a page; `nil` for one that is not worth it: without items, or with a key that
  /// is long or holds a secret.
  init?<Item>(_ page: Page<Item, PageKey>) {
    guard let validator = page.validator, !page.items.isEmpty,
      [page.next, page.previous].compactMap(\.self).allSatisfy({
        $0.json.utf8.count <= Self.keyLimit && !$0.holdsSecret
      })
    else { return nil }
    self.init(
      validator: validator, rows: page.items.count, next: page.next, previous: page.previous,
      continuity: page.continuity)
  }

  /// The page with its items.
  func page<Item>(of items: [Item]) -> Page<Item, PageKey> {
    var page = Page(items, next: next, previous: previous, validator: validator)
    page.continuity = continuity
    return page
  }
}
