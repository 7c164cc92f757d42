internal import Foundation
internal import Freshet

/// The content of a body, read in one pass: its rows and its signals about other pages.
struct Envelope<Item: Decodable & Sendable>: Decodable, Sendable {
  private(set) var items: [Item] = []
  /// The number of rows, including rows that could not be decoded.
  private(set) var rowCount = 0
  /// The number of rows at the end that could not be decoded.
  private(set) var invalidTail = 0
  /// The decoding error of the first row that was left out.
  private(set) var firstInvalid: DecodingError?
  /// The values at the places that the style reads.
  private(set) var members: [JSONPointer: JSONMember] = [:]
  /// The id of the last row, if the style reads it.
  private(set) var lastRowID: JSONMember?
  /// The links at the place that the style reads.
  private(set) var links: PageLinks?
  /// The signals about other pages in the body.
  private(set) var signals: [PaginationSignal] = []
  /// The names of the first few members at the root, as pointers.
  private(set) var memberNames: [String] = []

  /// Reads a body.
  ///
  /// A decoder that converts names reads only the items. Pointers and signals refer to the names
  /// that the server wrote.
  static func read(
    _ body: Data, _ reading: BodyReadingOptions, with decoder: JSONDecoder
  ) throws -> Envelope {
    var envelope = try decode(body, reading, with: decoder)
    if case .useDefaultKeys = decoder.keyDecodingStrategy { return envelope }
    var signsOnly = reading
    signsOnly.readsItems = false
    let page = try decode(body, signsOnly, with: JSONDecoder())
    (envelope.members, envelope.lastRowID) = (page.members, page.lastRowID)
    envelope.links = page.links
    (envelope.signals, envelope.memberNames) = (page.signals, page.memberNames)
    return envelope
  }

  private static func decode(
    _ body: Data, _ reading: BodyReadingOptions, with decoder: JSONDecoder
  ) throws -> Envelope {
    try BodyReadingOptions.$current.withValue(reading) {
      try decoder.decode(Envelope.self, from: body)
    }
  }

  init(from decoder: any Decoder) throws {
    guard let reading = BodyReadingOptions.current else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "no places to look at"))
    }
    let place = try reading.items?.tokens ?? Self.itemsPath(decoder)
    guard let array = try? decoder.descending(place[...]) else {
      throw FeedError.decoding(
        path: JSONPointer(tokens: place).description, expected: "the items",
        found: "nothing there, and \(Self.found(in: decoder))", url: nil)
    }
    // Check before the first row is decoded.
    let count = (try? array.unkeyedContainer())?.count ?? 0
    try BodyBounds.checkRows(count, reading.rowLimit, at: array.codingPath)
    let rows = try DecodedItems<Row>(from: array).items
    items = rows.compactMap(\.item)
    rowCount = rows.count
    if reading.readsItems { invalidTail = rows.reversed().prefix { $0.item == nil }.count }
    firstInvalid =
      rows.enumerated().lazy.compactMap { index, row in
        row.error.map { DecodingError.placing($0, at: array.codingPath + [Name("\(index)")]) }
      }.first
    if reading.rowID != nil { lastRowID = rows.last?.id ?? .absent(inParent: false) }
    for pointer in reading.members { members[pointer] = JSONMember(at: pointer, decoder) }
    for pointer in reading.links where links == nil { links = try PageLinks(at: pointer, decoder) }
    signals = try PaginationSignal.all(in: decoder, around: place)
    if let object = try? decoder.container(keyedBy: Name.self) {
      memberNames = object.allKeys.map(\.stringValue).sorted().prefix(12).map {
        JSONPointer(tokens: [$0]).description
      }
    }
  }

  /// A row that may fail to decode, and its id.
  private struct Row: Decodable {
    var item: Item?
    var id: JSONMember?
    var error: (any Error)?

    init(from decoder: any Decoder) throws {
      guard let reading = BodyReadingOptions.current else { return }
      if let place = reading.rowID { id = JSONMember(at: place, decoder) }
      guard reading.readsItems else { return }
      do {
        item = try Item(from: decoder)
      } catch  where reading.skipsInvalid {
        self.error = error
      }
    }
  }

  private static var usualNames: [String] {
    ["items", "data", "results", "rows", "features", "value", "records", "entries", "content"]
  }

  /// Returns the path of the items if the source does not specify it.
  private static func itemsPath(_ decoder: any Decoder) throws -> [String] {
    guard let object = try? decoder.container(keyedBy: Name.self) else { return [] }
    var arrays = object.allKeys.filter {
      $0.stringValue != "links" && (try? object.nestedUnkeyedContainer(forKey: $0)) != nil
    }
    // FHIR's `link` and OpenStack's `servers_links` hold links to pages. Without another array,
    // they may be the rows.
    let others = arrays.filter {
      !["link", "links"].contains(SignalName($0.stringValue).words.last)
    }
    if !others.isEmpty { arrays = others }
    // GraphQL's errors are beside the data.
    if object.contains(Name("data")) { arrays.removeAll { $0.stringValue == "errors" } }
    let name =
      arrays.count == 1 ? arrays[0] : usualNames.lazy.map(Name.init).first(where: arrays.contains)
    if let name { return [name.stringValue] }
    // HAL keeps its rows one level down.
    if arrays.isEmpty, object.contains(Name("_embedded")),
      let embedded = try? object.superDecoder(forKey: Name("_embedded"))
    {
      return try ["_embedded"] + itemsPath(embedded)
    }
    throw FeedError.decoding(
      path: "", expected: "one array of items (say where they are)", found: found(in: decoder),
      url: nil)
  }

  /// Returns a description of an object without one array of items.
  ///
  /// It names the arrays further down, or an error message.
  private static func found(in decoder: any Decoder) -> String {
    if (try? decoder.unkeyedContainer()) != nil { return "an array" }
    let names = (try? decoder.container(keyedBy: Name.self))?.allKeys.map(\.stringValue) ?? []
    let isError = names.contains { SignalName($0).meaning == .trouble }
    if isError, let words = (try? ServerMessage(from: decoder))?.text {
      return "an object that says: \(words.shownSafely)"
    }
    let path = decoder.codingPath.map(\.stringValue)
    let places = arrays(in: decoder, depth: 4).map { JSONPointer(tokens: path + $0).description }
    return switch places.count {
    case 0: "an object without an array"
    case 1: "an array at \(places[0].shownSafely)"
    default: "arrays at \(places.prefix(4).map(\.shownSafely).joined(separator: ", "))"
    }
  }

  /// Returns the paths of arrays in an object and in the objects within it.
  private static func arrays(in decoder: any Decoder, depth: Int) -> [[String]] {
    guard depth > 0, let object = try? decoder.container(keyedBy: Name.self),
      object.allKeys.count <= 64
    else { return [] }
    return object.allKeys.sorted().flatMap { key -> [[String]] in
      guard let child = try? object.superDecoder(forKey: key) else { return [] }
      if (try? child.unkeyedContainer()) != nil { return [[key.stringValue]] }
      return arrays(in: child, depth: depth - 1).map { [key.stringValue] + $0 }
    }
  }
}
