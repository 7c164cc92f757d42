internal import Freshet
internal import FreshetLists

/// The reference to the next page in a response, as a paging style reads it.
struct NextPageReference: Sendable {
  /// The next page.
  enum Next: Hashable, Sendable {
    case link(String)
    case token(String, parameter: String)
  }

  private(set) var next: Next?
  /// The link to the previous page.
  private(set) var previous: String?
  /// The place where the reference was found, as messages name it.
  private(set) var source = ""
  /// Whether the response has the place for a reference.
  ///
  /// If the place exists and holds no reference, the list has ended.
  private(set) var isNamed = false
  /// The missing place, if its absence is an error on the first page.
  ///
  /// Usually its parent is missing too, so the pointer may be wrong.
  private(set) var missing: String?
  /// The missing place, if no server is known to omit it on the last page.
  private(set) var unknown: String?
  /// The error for a place whose value does not lead to a next page.
  private(set) var unread: FeedError?
  /// The error for a value that cannot be read.
  private(set) var invalid: FeedError?

  init<Item>(of answer: PageAnswer<Item>, _ style: PagingStyle.Kind) {
    do { try read(answer, style) } catch { (next, invalid) = (nil, error) }
  }

  private mutating func read<Item>(
    _ answer: PageAnswer<Item>, _ style: PagingStyle.Kind
  ) throws(FeedError) {
    switch style {
    case .link: readLinkHeader(answer)
    case .automatic: readAnything(answer)
    case .next(let pointer, let previous):
      next = try link(answer, pointer).map(Next.link)
      self.previous = try previous.flatMap { (pointer) throws(FeedError) in
        try Self.text(answer, pointer)
      }
    case .links(let pointer): try readLinks(answer, pointer)
    case .header(let name, let parameter): readHeader(answer, name, parameter)
    case .cursor(let pointer, let parameter, let hasMore):
      try readCursor(answer, pointer, parameter, hasMore)
    case .lastItem(_, let parameter, let hasMore): try readLastItem(answer, parameter, hasMore)
    case .custom(let paging): try readCustom(answer, paging)
    case .offset, .page, .single: isNamed = true
    }
  }

  private mutating func readCustom<Item>(
    _ answer: PageAnswer<Item>, _ paging: CustomPaging
  ) throws(FeedError) {
    source = "the convention \(paging.name)"
    isNamed = true
    do {
      next = try paging.next(PagingAnswer(answer)).map(Next.link)
    } catch {
      throw error as? FeedError ?? .source(error)
    }
  }

  // MARK: - Links

  private mutating func readLinkHeader<Item>(_ answer: PageAnswer<Item>) {
    source = "the Link header"
    guard let header = answer.headers["Link"] else { return }
    let links = LinkHeader(header)
    isNamed = true
    next = links.target("next").map(Next.link)
    previous = links.target("prev") ?? links.target("previous")
  }

  private mutating func readAnything<Item>(_ answer: PageAnswer<Item>) {
    readLinkHeader(answer)
    isNamed = false
    guard next == nil else { return }
    let urls = answer.signals.filter(\.isURL)
    let usual = Self.usualPlaces.lazy.compactMap { place in
      urls.first { $0.place == .member(place) }
    }.first
    guard let signal = usual ?? urls.first(where: { $0.meaning == .next }) ?? urls.first,
      case .text(let text) = signal.value
    else { return }
    source = signal.placeText
    next = .link(text)
  }

  private static let usualPlaces: [JSONPointer] = [
    "/next", "/next_url", "/links/next", "/_links/next", "/@odata.nextLink",
  ]

  private mutating func readLinks<Item>(
    _ answer: PageAnswer<Item>, _ pointer: JSONPointer?
  ) throws(FeedError) {
    source = pointer?.description ?? "/links, /_links, /Links or /link"
    guard let links = answer.links else {
      missing = source
      return
    }
    isNamed = true
    next = try Self.text(links.next, at: source, answer).map(Next.link)
    previous = try Self.text(links.previous, at: source, answer)
  }

  private mutating func readHeader<Item>(
    _ answer: PageAnswer<Item>, _ name: String, _ parameter: String?
  ) {
    source = "the header \(name)"
    guard let value = answer.headers[name] else { return }
    isNamed = true
    guard !value.isEmpty, value.lowercased() != "null" else { return }
    if let parameter {
      next = .token(value, parameter: parameter)
    } else if value.looksLikeURL {
      next = .link(value.trimmingBrackets)
    } else {
      let words = SignalName(name).words.last ?? "cursor"
      unread = .unreadPages(
        seen: "no URL in \(source)",
        advice:
          "Say which parameter takes it: .nextHeader(\"\(name)\", parameter: \"\(words)\"), in a shell --paging header:\(name):\(words).",
        url: answer.answered)
    }
  }

  // MARK: - Tokens

  private mutating func readCursor<Item>(
    _ answer: PageAnswer<Item>, _ pointer: JSONPointer, _ parameter: String,
    _ hasMore: JSONPointer?
  ) throws(FeedError) {
    source = pointer.description
    let more = hasMore.flatMap { answer.members[$0]?.answersYes }
    isNamed = note(answer, pointer)
    if more == false {
      isNamed = true
      return
    }
    switch answer.members[pointer] {
    case .flag(true)?, .object?, .array?, .unreadable?:
      throw Self.wrong(answer.members[pointer], "a text or a number", source, answer)
    case let member?: next = member.token.map { .token($0, parameter: parameter) }
    case nil: break
    }
    if next == nil, more == true, let hasMore {
      unread = .unreadPages(
        seen: "\(hasMore) = true and nothing at \(source)",
        advice: PagingAdvice(evidence: answer.signals.filter(\.namesNext), signals: answer.signals)
          .text,
        url: answer.answered)
    }
  }

  private mutating func readLastItem<Item>(
    _ answer: PageAnswer<Item>, _ parameter: String, _ hasMore: JSONPointer?
  ) throws(FeedError) {
    source = "the last row's id"
    isNamed = true
    if let hasMore {
      switch answer.members[hasMore] {
      case .absent?, nil:
        (isNamed, missing) = (false, hasMore.description)
        return
      // The flag is undecided, so the next page shows whether the list ends.
      case .null?: break
      case let member?:
        guard let more = member.answersYes else {
          throw Self.wrong(member, "true or false", hasMore.description, answer)
        }
        if !more { return }
      }
    }
    guard let id = answer.lastRowID?.token else {
      // An empty page is the end, unless a flag says otherwise.
      guard answer.rowCount > 0 else { return }
      throw Self.wrong(
        answer.lastRowID, "a text or a whole number as the last row's id", "", answer)
    }
    next = .token(id, parameter: parameter)
  }

  // MARK: - Members

  /// Returns whether the place for a member exists, and records a missing place.
  ///
  /// A nested member counts as existing if its parent exists.
  private mutating func note<Item>(_ answer: PageAnswer<Item>, _ pointer: JSONPointer) -> Bool {
    guard case .absent(let inParent)? = answer.members[pointer] else { return true }
    // An array has no members.
    if answer.memberNames.isEmpty { missing = pointer.description }
    if pointer.tokens.count > 1, inParent { return true }
    if !inParent { missing = pointer.description }
    let name = SignalName(pointer.tokens.last ?? "")
    if ![.next, .secondOfTwo].contains(name.meaning) { unknown = pointer.description }
    return false
  }

  private mutating func link<Item>(
    _ answer: PageAnswer<Item>, _ pointer: JSONPointer
  ) throws(FeedError) -> String? {
    source = pointer.description
    isNamed = note(answer, pointer)
    return try Self.text(answer, pointer)
  }

  private static func text<Item>(
    _ answer: PageAnswer<Item>, _ pointer: JSONPointer
  ) throws(FeedError) -> String? {
    guard let member = answer.members[pointer] else { return nil }
    return try text(member, at: pointer.description, answer)
  }

  private static func text<Item>(
    _ member: JSONMember, at place: String, _ answer: PageAnswer<Item>
  ) throws(FeedError) -> String? {
    if member.isEmpty { return nil }
    guard case .text(let text) = member else { throw wrong(member, "a text", place, answer) }
    return text
  }

  private static func wrong<Item>(
    _ member: JSONMember?, _ expected: String, _ place: String, _ answer: PageAnswer<Item>
  ) -> FeedError {
    .decoding(
      path: place, expected: expected, found: member?.kind ?? "nothing", url: answer.answered)
  }

  // MARK: - Words

  /// Returns a description of the reference for people.
  func words(_ key: HTTPPageKey?) -> String? {
    switch key?.kind {
    case .counted?:
      "\(source.shownSafely), which counts: pages shift, so each is proven to follow the one before"
    case nil: nil
    default: "\(source.shownSafely), which stays"
    }
  }
}

extension String {
  fileprivate var trimmingBrackets: String {
    hasPrefix("<") && hasSuffix(">") ? String(dropFirst().dropLast()) : self
  }
}
