internal import Foundation

/// The value at a place of a JSON document, as far as paging needs it.
enum JSONMember: Hashable, Sendable {
  /// No value; `inParent` is true if the object or array that would hold it exists.
  case absent(inParent: Bool)
  case null
  case flag(Bool)
  /// A number, with all its digits.
  case number(String)
  case text(String)
  case object
  case array
  /// A number that cannot be represented exactly.
  case unreadable

  /// Creates the member from a decoder's value.
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
      // A `Decimal` holds 38 digits. If all of them are used, some digits may have been lost.
      self = text.count(where: \.isNumber) < 38 ? .number(text) : .unreadable
    } else if (try? decoder.container(keyedBy: Name.self)) != nil {
      self = .object
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array
    } else {
      self = .unreadable
    }
  }

  /// Creates the member from the value at a pointer.
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

  /// Whether there is no usable value, which is how a server shows that there is no page.
  var isEmpty: Bool {
    switch self {
    case .absent, .null, .text(""), .flag(false): true
    default: false
    }
  }

  /// The text, or the number as text; `nil` for an empty text and for all others.
  var token: String? {
    switch self {
    case .text(let text) where !text.isEmpty: text
    case .number(let text): text
    default: nil
    }
  }

  /// The whole number, also one that a text spells: `2000`, `"2,000"`.
  ///
  /// A number that is too large becomes the largest one.
  var wholeNumber: Int? {
    if self == .unreadable { return .max }
    return token.flatMap { Int($0) ?? Self.grouped($0) ?? Self.large($0) }
  }

  private static func large(_ text: String) -> Int? {
    text.utf8.count > 18 && text.utf8.allSatisfy { 48...57 ~= $0 } ? .max : nil
  }

  /// Returns a number written in groups of three digits.
  ///
  /// A point does not separate groups, because it may begin a fraction.
  private static func grouped(_ text: String) -> Int? {
    let groups = text.split(omittingEmptySubsequences: false) { ", '_\u{A0}\u{202F}".contains($0) }
    let isGrouped = groups.enumerated().allSatisfy { index, group in
      (index == 0 ? 1...3 ~= group.count : group.count == 3)
        && group.utf8.allSatisfy { 48...57 ~= $0 }
    }
    return isGrouped && groups.count > 1 ? Int(groups.joined()) : nil
  }

  /// The answer to a yes-or-no question: `true`, `1`, `"true"`, `"Y"`, and their opposites.
  var answersYes: Bool? {
    if case .flag(let flag) = self { return flag }
    return switch token?.lowercased() {
    case "1", "true", "yes", "y": true
    case "0", "false", "no", "n": false
    default: nil
    }
  }

  /// The name of its kind in an error.
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

  /// The converted name in a decoder that turns `next_page` into `nextPage`.
  var camelCased: Name {
    let words = stringValue.split(separator: "_", omittingEmptySubsequences: true)
    guard words.count > 1, let first = words.first else { return self }
    return Name(first + words.dropFirst().map(\.capitalized).joined())
  }
}

extension Decoder {
  /// Returns the decoder of the value at a path.
  func descending(_ path: ArraySlice<String>) throws -> any Decoder {
    guard let first = path.first else { return self }
    if let index = JSONPointer.index(first), var array = try? unkeyedContainer() {
      // An index past the end fails here, so it costs no more than the array.
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
