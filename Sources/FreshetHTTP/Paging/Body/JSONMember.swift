internal import Foundation

/// What stands at a place of a JSON document, as far as paging wants to know.
enum JSONMember: Hashable, Sendable {
  /// Nothing; `inParent` where the object or array is there that would hold it.
  case absent(inParent: Bool)
  case null
  case flag(Bool)
  /// A number with all its digits.
  case number(String)
  case text(String)
  case object
  case array
  /// A number that cannot be held exactly.
  case unreadable

  /// What a decoder stands at.
  init(_ decoder: any Decoder) {
    guard let value = try? decoder.singleValueContainer() else {
      self = .unreadable
      return
    }
    if value.decodeNil() {
      self = .null
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Int.self) {
      self = .number("\(number)")
    } else if let number = try? value.decode(Decimal.self) {
      let text = "\(number)"
      // A decimal holds 38 digits: where it is full, some may be lost.
      self = text.count(where: \.isNumber) < 38 ? .number(text) : .unreadable
    } else if (try? decoder.container(keyedBy: Name.self)) != nil {
      self = .object
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array
    } else {
      self = .unreadable
    }
  }

  /// What stands at a pointer.
  init(at pointer: JSONPointer, _ decoder: any Decoder) {
    guard let place = try? decoder.descending(pointer.tokens[...]) else {
      let parent = try? decoder.descending(pointer.tokens.dropLast()[...])
      self = .absent(inParent: parent.map { JSONMember($0).isContainer } ?? false)
      return
    }
    self = JSONMember(place)
    // JSON:API and HAL allow a link to be an object.
    guard self == .object, let object = try? place.container(keyedBy: Name.self) else { return }
    for name in ["href", "url", "uri"] where object.contains(Name(name)) {
      if let link = try? object.superDecoder(forKey: Name(name)) { self = JSONMember(link) }
      return
    }
  }

  private var isContainer: Bool { self == .object || self == .array }

  /// Whether there is nothing, or nothing to use: how a server says that there is no page.
  var isEmpty: Bool {
    switch self {
    case .absent, .null, .text(""), .flag(false): true
    default: false
    }
  }

  /// A text or a number as text, if it is one and not empty.
  var token: String? {
    switch self {
    case .text(let text) where !text.isEmpty: text
    case .number(let text): text
    default: nil
    }
  }

  /// The whole number that it is, or that a text spells: `2000`, `"2,000"`; the largest one for a
  /// larger number.
  var wholeNumber: Int? {
    if self == .unreadable { return .max }
    return token.flatMap { Int($0) ?? Self.grouped($0) ?? Self.large($0) }
  }

  private static func large(_ text: String) -> Int? {
    text.utf8.count > 18 && text.utf8.allSatisfy { 48...57 ~= $0 } ? .max : nil
  }

  /// A number in groups of three digits; a point groups none, as it may begin a fraction.
  private static func grouped(_ text: String) -> Int? {
    let groups = text.split(omittingEmptySubsequences: false) { ", '_\u{A0}\u{202F}".contains($0) }
    let isGrouped = groups.enumerated().allSatisfy { index, group in
      (index == 0 ? 1...3 ~= group.count : group.count == 3)
        && group.utf8.allSatisfy { 48...57 ~= $0 }
    }
    return isGrouped && groups.count > 1 ? Int(groups.joined()) : nil
  }

  /// What it says to a question: `true`, `1`, `"true"`, `"Y"`, and their contraries.
  var answersYes: Bool? {
    if case .flag(let flag) = self { return flag }
    return switch token?.lowercased() {
    case "1", "true", "yes", "y": true
    case "0", "false", "no", "n": false
    default: nil
    }
  }

  /// What it is called in an error.
  var kind: String {
    switch self {
    case .absent: "nothing"
    case .null: "null"
    case .flag: "true or false"
    case .number: "number"
    case .unreadable: "a number of more than 38 digits"
    case .text: "a text"
    case .object: "an object"
    case .array: "an array"
    }
  }
}

/// The name of a JSON member, or the index of an element.
struct Name: CodingKey, Hashable, Comparable {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  static func < (first: Name, second: Name) -> Bool { first.stringValue < second.stringValue }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init("\(intValue)") }

  /// The name as a decoder shows it that turns `next_page` into `nextPage`.
  var camelCased: Name {
    let words = stringValue.split(separator: "_", omittingEmptySubsequences: true)
    guard words.count > 1, let first = words.first else { return self }
    return Name(first + words.dropFirst().map(\.capitalized).joined())
  }
}

extension Decoder {
  /// The decoder of what stands at a path.
  func descending(_ path: ArraySlice<String>) throws -> any Decoder {
    guard let first = path.first else { return self }
    if let index = JSONPointer.index(first), var array = try? unkeyedContainer() {
      // An index beyond the end costs no more than the array.
      guard index < array.count ?? .max else {
        throw DecodingError.keyNotFound(
          Name(first), .init(codingPath: codingPath, debugDescription: "no such element"))
      }
      for _ in 0..<index { _ = try array.superDecoder() }
      return try array.superDecoder().descending(path.dropFirst())
    }
    let object = try container(keyedBy: Name.self)
    let name = [Name(first), Name(first).camelCased].first(where: object.contains)
    guard let name else {
      throw DecodingError.keyNotFound(
        Name(first), .init(codingPath: codingPath, debugDescription: "no such member"))
    }
    return try object.superDecoder(forKey: name).descending(path.dropFirst())
  }
}
