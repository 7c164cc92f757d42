internal import FreshetLists

extension PageKey {
  /// Whether the key holds a secret that must not be stored (rule P12).
  ///
  /// An example is `access_token` in a link.
  var holdsSecret: Bool { Secrets.masked(json) != json }
}

/// The page at the head of a list, as a cache stores it beside its rows.
///
/// With it, the first refresh after a relaunch can be answered with `Page.unchanged` (rule N3).
///
/// The first stored rows are the items of the page, all of them and in their order.
public struct CachedHeadPage: Equatable, Codable, Sendable {
  /// The validator of this version of the page.
  public var validator: String
  /// The number of the first rows that are the page.
  public var rows: Int
  /// The key of the next page.
  public var next: PageKey?
  /// The key of the previous page.
  public var previous: PageKey?
  /// The continuity of the page with its neighbours, if the page declared it.
  public var continuity: PageContinuity?

  /// The permitted lengths of a validator, in bytes.
  static var lengths: ClosedRange<Int> { 1...1024 }
  /// The maximum length of the keys of a page that is stored, in bytes.
  private static var keyLimit: Int { 4096 }

  /// Creates a page from its stored parts.
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

  /// Creates the stored form of a page; `nil` if the page is not to be stored.
  ///
  /// A page is not stored if it has no items, or a key that is long or holds a secret.
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

  /// Returns the page with its items.
  func page<Item>(of items: [Item]) -> Page<Item, PageKey> {
    var page = Page(items, next: next, previous: previous, validator: validator)
    page.continuity = continuity
    return page
  }
}
