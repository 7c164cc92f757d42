internal import Freshet

// Signals in a body.
extension PaginationSignal {
  /// The names of objects about pages.
  private static let containers: Set<String> = [
    "meta", "metadata", "pagination", "paging", "page", "pages", "pageinfo", "pager", "links",
    "link",
    "info", "responsemetadata", "searchmetadata", "response", "hits", "result", "results",
    "resultinfo", "resultset", "cursor", "cursors", "view", "properties", "batching", "range",
    "attr", "shards",
  ]
  /// The words in other names of objects about pages: `page_meta`, `additional_data`.
  private static let containerWords: Set<String> = [
    "page", "pages", "paging", "pagination", "pager", "meta", "metadata", "cursor", "cursors",
    "additional", "links",
  ]
  /// The words among these that are also used for many other things.
  private static let ambiguous: Set<String> = ["page", "pages", "cursor", "cursors", "links"]
  /// The largest number of members for an object to be searched, whatever its name.
  private static let fewMembers = 64
  /// The number of elements that are searched beside the one that leads to the rows.
  private static let fewElements = 4

  /// Returns the signals in a body.
  ///
  /// They are at the root, in the objects that hold the rows, and in objects about pages, two
  /// levels deep.
  ///
  /// - Throws: `FeedError.decoding` if there are more members or links than any real response has.
  static func all(in decoder: any Decoder, around items: [String]) throws -> [PaginationSignal] {
    var signals: [PaginationSignal] = []
    let rows = RowTotalMatcher(items.last)
    try collect(in: decoder, at: [], towards: items[...], rows, depth: 2, into: &signals)
    let pairs = signals.filter { $0.meaning == .firstOfTwo }.map(\.parent)
    return signals.compactMap { signal in
      switch signal.meaning {
      case .firstOfTwo: return nil
      case .secondOfTwo:
        guard pairs.contains(signal.parent), case .member(let pointer) = signal.place else {
          return nil
        }
        return PaginationSignal(.next, at: pointer, signal.value)
      default: return signal
      }
    }
  }

  private var parent: [String] {
    if case .member(let pointer) = place { pointer.tokens.dropLast() } else { [] }
  }

  private static func collect(
    in decoder: any Decoder, at path: [String], towards items: ArraySlice<String>,
    _ rows: RowTotalMatcher, depth: Int, into signals: inout [PaginationSignal]
  ) throws {
    guard let object = try? decoder.container(keyedBy: Name.self) else {
      signals += try links(in: decoder, at: path)
      try collect(inArray: decoder, at: path, towards: items, rows, depth: depth, into: &signals)
      return
    }
    try BodyBounds.checkMembers(object.allKeys.count, at: decoder.codingPath)
    for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      let name = SignalName(key.stringValue)
      let isOnTheWay = items.first == key.stringValue
      let isLinks = name.words.count > 1 && name.words.last == "links"
      let isContainer =
        depth > 0 && (containers.contains(name.joined) || isLinks) || isOnTheWay
      let told = isOnTheWay ? nil : meaning(of: name, in: path.last, rows)
      guard told != nil || isContainer || depth > 0,
        let child = try? object.superDecoder(forKey: key)
      else { continue }
      let place = path + [key.stringValue]
      if told == nil, !isContainer {
        signals += try others(in: child, name, at: place, rows, depth: depth - 1)
        continue
      }
      if isContainer, !isOnTheWay || items.count > 1 {
        try collect(
          in: child, at: place, towards: isOnTheWay ? items.dropFirst() : [], rows,
          depth: isOnTheWay ? depth : depth - 1, into: &signals)
      }
      guard let told, let signal = signal(told, name, in: path, place, child) else { continue }
      signals.append(signal)
    }
  }

  /// Returns the meaning of a member's name in an object with a given name.
  private static func meaning(
    of name: SignalName, in parent: String?, _ rows: RowTotalMatcher
  ) -> Meaning? {
    // Elasticsearch counts the shards of its index, and those that did not answer.
    if parent == "_shards" { return name.joined == "failed" ? .trouble : nil }
    return name.meaning ?? rows.meaning(of: name)
  }

  /// Collects the signals in an array on the path to the rows.
  ///
  /// An example is `[head, rows]`. The signals are in the element that leads to the rows, and in
  /// the objects beside it.
  private static func collect(
    inArray decoder: any Decoder, at path: [String], towards items: ArraySlice<String>,
    _ rows: RowTotalMatcher, depth: Int, into signals: inout [PaginationSignal]
  ) throws {
    guard let first = items.first, let index = JSONPointer.index(first),
      var array = try? decoder.unkeyedContainer()
    else { return }
    for element in 0..<min(array.count ?? 0, max(index + 1, fewElements)) {
      let child = try array.superDecoder()
      let place = path + ["\(element)"]
      if element == index, items.count > 1 {
        try collect(
          in: child, at: place, towards: items.dropFirst(), rows, depth: depth, into: &signals)
      } else if element != index, element < fewElements,
        (try? child.container(keyedBy: Name.self)) != nil,
        // If the same path in it leads to other rows, it is about those.
        items.count == 1 || (try? child.descending(items.dropFirst())) == nil
      {
        try collect(in: child, at: place, towards: [], rows, depth: 1, into: &signals)
      }
    }
  }

  /// Returns the signals in an object that is about pages although it has another name.
  ///
  /// Either a word of its name shows that, or another signal beside a next page.
  private static func others(
    in decoder: any Decoder, _ name: SignalName, at path: [String], _ rows: RowTotalMatcher,
    depth: Int
  ) throws -> [PaginationSignal] {
    guard let object = try? decoder.container(keyedBy: Name.self),
      object.allKeys.count <= fewMembers
    else { return [] }
    var signals: [PaginationSignal] = []
    try collect(in: decoder, at: path, towards: [], rows, depth: depth, into: &signals)
    signals.removeAll { $0.meaning == .trouble }
    if name.words.contains(where: containerWords.contains) {
      // A total alone may count anything in `page_views`, but not in `page_metadata`.
      let isClear = name.words.contains { !ambiguous.contains($0) && containerWords.contains($0) }
      return isClear || signals.contains { $0.meaning.isOfPages } ? signals : []
    }
    let leadsOn = signals.contains { [.next, .hasMore, .nextLink].contains($0.meaning) }
    return leadsOn && Set(signals.map(\.meaning)).count > 1 ? signals : []
  }

  /// Returns the error that a response reports beside its rows; `nil` if the member reports none.
  private static func trouble(_ name: SignalName, _ decoder: any Decoder, at place: [String])
    -> PaginationSignal?
  {
    let value = JSONMember(decoder)
    let isReported =
      switch value {
      case .flag(let flag): flag
      case .text(let text) where name.joined == "remark":
        ["error", "timed out", "timeout"].contains { text.lowercased().contains($0) }
      case .text(let text): !text.isEmpty && !saysNoError(value)
      case .number: name.joined != "remark" && value.wholeNumber != nil && !saysNoError(value)
      case .array: (try? decoder.unkeyedContainer()).flatMap(\.count).map { $0 > 0 } ?? false
      case .object: reportsError(decoder)
      default: false
      }
    guard isReported else { return nil }
    let words = (try? ServerMessage(from: decoder))?.text
    return PaginationSignal(
      .trouble, at: JSONPointer(tokens: place),
      .text(words ?? value.token ?? (value == .flag(true) ? "true" : value.kind)))
  }

  /// Returns whether an object reports an error, unlike `{"code":0,"message":""}`.
  private static func reportsError(_ decoder: any Decoder) -> Bool {
    let names = (try? decoder.container(keyedBy: Name.self))?.allKeys.map(\.stringValue) ?? []
    let members = names.map { name in
      (SignalName(name).words.last, JSONMember(at: JSONPointer(tokens: [name]), decoder))
    }
    let isEmpty = members.allSatisfy { $1.isEmpty || $1.wholeNumber == 0 }
    return !isEmpty && !members.contains { ["code", "status"].contains($0) && saysNoError($1) }
  }

  /// Returns whether a text or code means that there was no error: Comic Vine's is `"OK"`.
  private static func saysNoError(_ value: JSONMember) -> Bool {
    if value.answersYes == false || value.wholeNumber == 200 { return true }
    let nothing = ["ok", "none", "null", "success", "successful", "no error", "no errors"]
    return value.token.map { nothing.contains($0.lowercased()) } ?? false
  }

  /// Returns the signal of a member, by its name, its value and the object that holds it.
  private static func signal(
    _ told: Meaning, _ name: SignalName, in path: [String], _ place: [String], _ child: any Decoder
  ) -> PaginationSignal? {
    if told == .trouble { return trouble(name, child, at: place) }
    let parent = path.last.map(SignalName.init)?.joined
    let meaning = told == .secondOfTwo && name.isEnough(in: parent) ? .next : told
    var value = JSONMember(at: JSONPointer(tokens: []), child)
    // The token may be inside an object.
    if meaning == .next, value == .object, ["next", "nextpage"].contains(name.joined) {
      for token in ["after", "cursor", "token", "starting_after", "href", "url"] {
        let member = JSONMember(at: JSONPointer(tokens: [token]), child)
        if member.token != nil {
          return PaginationSignal(.next, at: JSONPointer(tokens: place + [token]), member)
        }
      }
    }
    // A total may be an object that holds the number and its relation, which is `gte` where
    // Elasticsearch stopped counting.
    var isLowerBound = false
    if meaning == .total, value == .object {
      value = JSONMember(at: JSONPointer(tokens: ["value"]), child)
      isLowerBound = JSONMember(at: JSONPointer(tokens: ["relation"]), child) == .text("gte")
    }
    return name.meaning(of: value, meaning).map {
      var signal = PaginationSignal($0, at: JSONPointer(tokens: place), value)
      signal.isLowerBound = isLowerBound
      return signal
    }
  }

  /// Returns the next link in an array of links, as OGC API, STAC and others send it.
  private static func links(in decoder: any Decoder, at path: [String]) throws -> [PaginationSignal]
  {
    guard let name = path.last.map(SignalName.init), ["link", "links"].contains(name.words.last),
      let links = try LinkObject.all(in: decoder)
    else { return [] }
    let pointer = JSONPointer(tokens: path)
    if let next = LinkObject.target("next", of: links) {
      return [PaginationSignal(.nextLink, at: pointer, .text(next))]
    }
    // A next link for another method than `GET` is still a sign of more rows.
    let hasNext = links.contains { $0.relations.contains("next") }
    return hasNext ? [PaginationSignal(.hasMore, at: pointer, .flag(true))] : []
  }
}

extension SignalName {
  /// Returns whether one of two texts is enough, because the object around it shows its meaning.
  fileprivate func isEnough(in parent: String?) -> Bool {
    guard let parent else { return false }
    return ["cursor", "cursors"].contains(parent)
      || joined == "after" && ["page", "pages", "paging", "pagination"].contains(parent)
  }
}
