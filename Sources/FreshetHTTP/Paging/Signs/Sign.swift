internal import Freshet

/// One thing that an answer says of other pages: a member of its body or a header field.
struct Sign: Hashable, Sendable {
  /// Where it stands.
  enum Place: Hashable, Sendable {
    case member(JSONPointer)
    case header(String)
    /// Status 206, without a range to go by.
    case status
  }

  /// What it tells.
  enum Meaning: Hashable, Sendable {
    /// Whether there are more rows (`has_more`, `truncated`).
    case hasMore
    /// Whether this is all (`last`, `isLast`).
    case isLast
    /// Whether this is the first page.
    case isFirst
    /// The page that follows: a URL, a token or a number (`next`, `next_cursor`).
    case next
    /// A link to the page that follows, in a list of links.
    case nextLink
    /// The page that follows, in a `Link` header.
    case linkHeader
    /// How many rows the list has (`total`).
    case total
    /// How many rows the list has, or this page (`count`).
    case count
    /// How many pages the list has (`pages`).
    case pages
    /// Which page this is, from which row on, and how many rows are to a page: for advice.
    case page, offset, size
    /// One of two texts that name the ends of a page (`start` and `end`, `before` and `after`).
    case firstOfTwo, secondOfTwo
  }

  let meaning: Meaning
  let place: Place
  let value: JSONMember
  /// The name of the member or header field.
  let name: String

  init(_ meaning: Meaning, at pointer: JSONPointer, _ value: JSONMember) {
    self.meaning = meaning
    place = .member(pointer)
    self.value = value
    name = pointer.tokens.last ?? ""
  }

  init(_ meaning: Meaning, header: String, _ value: JSONMember) {
    self.meaning = meaning
    place = .header(header)
    self.value = value
    name = header
  }

  /// Status 206: a part.
  static var partial: Sign { Sign() }

  private init() { (meaning, place, value, name) = (.hasMore, .status, .flag(true), "") }

  /// The place as an error shows it.
  var placeText: String {
    switch place {
    case .member(let pointer): pointer.description.shownSafely
    case .header(let name): "the header \(name.shownSafely)"
    case .status: "status 206"
    }
  }
}

// Signs in a body.
extension Sign {
  /// Objects that speak of pages.
  private static let containers: Set<String> = [
    "meta", "metadata", "pagination", "paging", "page", "pages", "pageinfo", "pager", "links",
    "link",
    "info", "responsemetadata", "searchmetadata", "response", "hits", "result", "results",
    "resultinfo", "resultset", "cursor", "cursors", "view", "properties", "batching", "range",
    "attr",
  ]

  /// The signs at the root of a body, in the objects that hold the rows, and in those that speak of
  /// pages, two levels deep.
  ///
  /// - Throws: `FeedError.decoding` where there is more than anybody sends.
  static func all(in decoder: any Decoder, around items: [String]) throws -> [Sign] {
    var signs: [Sign] = []
    let rows = RowsName(items.last)
    try collect(in: decoder, at: [], towards: items[...], rows, depth: 2, into: &signs)
    let pairs = signs.filter { $0.meaning == .firstOfTwo }.map(\.parent)
    return signs.compactMap { sign in
      switch sign.meaning {
      case .firstOfTwo: return nil
      case .secondOfTwo:
        guard pairs.contains(sign.parent), case .member(let pointer) = sign.place else {
          return nil
        }
        return Sign(.next, at: pointer, sign.value)
      default: return sign
      }
    }
  }

  private var parent: [String] {
    if case .member(let pointer) = place { pointer.tokens.dropLast() } else { [] }
  }

  private static func collect(
    in decoder: any Decoder, at path: [String], towards items: ArraySlice<String>,
    _ rows: RowsName, depth: Int, into signs: inout [Sign]
  ) throws {
    guard let object = try? decoder.container(keyedBy: Name.self) else {
      signs += try links(in: decoder, at: path)
      return
    }
    try BodyBounds.checkMembers(object.allKeys.count, at: decoder.codingPath)
    for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      let name = SignName(key.stringValue)
      let isOnTheWay = items.first == key.stringValue
      let isContainer = depth > 0 && containers.contains(name.joined) || isOnTheWay
      let told = name.meaning ?? rows.meaning(of: name)
      guard told != nil || isContainer, let child = try? object.superDecoder(forKey: key)
      else { continue }
      let place = path + [key.stringValue]
      if isContainer, !isOnTheWay || items.count > 1 {
        try collect(
          in: child, at: place, towards: isOnTheWay ? items.dropFirst() : [], rows,
          depth: isOnTheWay ? depth : depth - 1, into: &signs)
      }
      guard let told, let sign = sign(told, name, in: path, place, child) else { continue }
      signs.append(sign)
    }
  }

  /// What a member says whose name tells something, together with the object that it stands in and
  /// with its value.
  private static func sign(
    _ told: Meaning, _ name: SignName, in path: [String], _ place: [String], _ child: any Decoder
  ) -> Sign? {
    let parent = path.last.map(SignName.init)?.joined
    let meaning = told == .secondOfTwo && name.isEnough(in: parent) ? .next : told
    var value = JSONMember(at: JSONPointer(tokens: []), child)
    // The token may stand in an object.
    if meaning == .next, value == .object, ["next", "nextpage"].contains(name.joined) {
      for token in ["after", "cursor", "token", "starting_after", "href", "url"] {
        let member = JSONMember(at: JSONPointer(tokens: [token]), child)
        if member.token != nil {
          return Sign(.next, at: JSONPointer(tokens: place + [token]), member)
        }
      }
    }
    // A total may come with what it relates to.
    if meaning == .total, value == .object {
      value = JSONMember(at: JSONPointer(tokens: ["value"]), child)
    }
    return name.meaning(of: value, meaning).map { Sign($0, at: JSONPointer(tokens: place), value) }
  }

  /// The next one in an array of links, as OGC API, STAC and others send it.
  private static func links(in decoder: any Decoder, at path: [String]) throws -> [Sign] {
    guard let name = path.last.map(SignName.init), ["link", "links"].contains(name.joined),
      let links = try LinkObject.all(in: decoder)
    else { return [] }
    let pointer = JSONPointer(tokens: path)
    if let next = LinkObject.target("next", of: links) {
      return [Sign(.nextLink, at: pointer, .text(next))]
    }
    // One that takes another method than `GET` speaks of more all the same.
    let hasNext = links.contains { $0.relations.contains("next") }
    return hasNext ? [Sign(.hasMore, at: pointer, .flag(true))] : []
  }
}

extension String {
  /// A short text of a server's, with everything that does not print as an escape (rule N5).
  var shownSafely: String { LogText(self, limit: 60).description }
}

extension SignName {
  /// Whether one of two texts is enough, as the object that it stands in says what they are.
  fileprivate func isEnough(in parent: String?) -> Bool {
    guard let parent else { return false }
    return ["cursor", "cursors"].contains(parent)
      || joined == "after" && ["page", "pages", "paging", "pagination"].contains(parent)
  }
}
