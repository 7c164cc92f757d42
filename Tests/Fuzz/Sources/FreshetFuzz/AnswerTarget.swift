import Foundation
import Freshet
import FreshetHTTP
import Watch

/// A list of pages from answers: their statuses, links, `Retry-After`, bodies and redirections.
///
/// The first byte chooses the paging style and the rest of what a user sets; answers follow, one
/// behind another, each after a byte 0x1E.
enum AnswerTarget {
  static func read(_ input: Data) {
    guard let options = input.first else { return }
    let answers = input.dropFirst().split(separator: 0x1E, omittingEmptySubsequences: false)
      .prefix(8).map { HTTPResponse(Data($0)) }
    let foreignLinks = options & 0x10 == 0 ? ForeignLinks.refused : .withoutCredentials
    let style = styles[Int(options & 0x0F) % styles.count]
    wait {
      let transport = Script(answers, foreignLinks: foreignLinks)
      await follow(
        source(
          style, transport, foreignLinks, options & 0x20 == 0 ? .failPage : .skipInvalid,
          items: options & 0x40 == 0 ? nil : "/data/items"))
    }
  }

  static let styles: [PagingStyle] = [
    .automatic, .linkHeader, .nextURL("/next", previous: "/prev"), .nextURL("/links/0/next"),
    .offset(), .page(), .page(size: nil, first: 0), .offset(limit: nil, first: 1), .single,
    .links(at: "/links"), .nextHeader("Next-Page"), .cursor(at: "/next", parameter: "cursor"),
    .lastItem(id: "/id", parameter: "after", hasMore: "/has_more"),
  ]

  static func source(
    _ style: PagingStyle, _ transport: Script, _ foreignLinks: ForeignLinks = .refused,
    _ invalidItems: HTTPConfiguration.InvalidItems = .failPage, items: JSONPointer? = nil
  ) -> HTTPFeedSource<Row> {
    let url = URL(string: Script.url)
    let source = url.flatMap {
      try? HTTPFeedSource<Row>(
        $0, paging: style, items: items,
        credentials: ["Authorization": "Bearer \(Script.secret)"],
        configuration: HTTPConfiguration(
          foreignLinks: foreignLinks, invalidItems: invalidItems, bodyLimit: 1 << 20,
          transport: transport))
    }
    guard let source else { fatalError("the source refuses its own URL") }
    return source
  }

  /// Reads on until there is no next page, or an answer is refused.
  static func follow(_ source: HTTPFeedSource<Row>, from key: HTTPPageKey? = nil) async {
    var key = key
    for _ in 0..<8 {
      do {
        let page = try await source.page(PageRequest(key: key, limit: 3))
        guard let next = page.next else { return }
        key = next
      } catch {
        expect(!"\(error)".contains(Script.secret), "N5: an error with credentials")
        return expect(
          error is FeedError || error is HTTPError, "N2: \(type(of: error)) is no typed error")
      }
    }
  }

  /// A row whose id may be a number or a text.
  struct Row: ListItem, Decodable {
    let id: String

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Keys.self)
      id =
        try (try? object.decode(Int.self, forKey: .id)).map { "\($0)" }
        ?? object.decode(String.self, forKey: .id)
    }

    private enum Keys: CodingKey { case id }
  }
}
