import Foundation
import Freshet
import FreshetHTTP

/// Foundation's decoder that also provides the document as it was sent; rows are read from it.
final class VerbatimDecoder: JSONDecoder, @unchecked Sendable {
  // This class adds no stored properties to those of `JSONDecoder`.

  convenience init(_ places: WatchedPlaces) {
    self.init()
    userInfo[.watchedPlaces] = places
  }

  override func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    do {
      userInfo[.document] = try JSONReader.value(of: data)
    } catch {
      // Foundation's error reads like those of all other sources. If Foundation accepts the
      // document, it is less strict.
      _ = try super.decode(type, from: data)
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "not JSON as RFC 8259 has it: \(error)"))
    }
    defer { userInfo[.document] = nil }
    return try super.decode(type, from: data)
  }
}

extension WatchedItem: Decodable {
  /// Creates the row from the document that a `VerbatimDecoder` reads.
  init(from decoder: any Decoder) throws {
    let path = decoder.codingPath
    guard let places = decoder.userInfo[.watchedPlaces] as? WatchedPlaces,
      let document = decoder.userInfo[.document] as? JSONValue,
      let value = document[codingPath: path[...]]
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: path, debugDescription: "rows are read by a VerbatimDecoder"))
    }
    do {
      try self.init(value, places)
    } catch {
      let place = path + places.id.tokens.map(PathKey.init)
      if !places.id.tokens.isEmpty, value.text != nil || value.kind == "a number" {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: path,
            debugDescription: "\(value.kind), which has no member; say --id \"\" for its own id"))
      }
      guard let found = error.found else {
        throw DecodingError.keyNotFound(
          place.last ?? PathKey(""),
          .init(codingPath: place.dropLast(), debugDescription: "no id"))
      }
      throw DecodingError.typeMismatch(
        String.self,
        .init(
          codingPath: place,
          debugDescription: "Expected a text or a number but found \(found.kind) instead."))
    }
  }
}

/// A coder that stores each row as its line of JSON.
struct WatchedCoder: ValueCoder {
  let places: WatchedPlaces

  func encode(_ values: [WatchedItem]) throws -> Data {
    Data(values.map(\.text).joined(separator: "\n").utf8)
  }

  /// Returns the rows of the lines; `nil` for a line without an id, which is of another list.
  func decode(_ data: Data) throws -> [WatchedItem?] {
    if data.isEmpty { return [] }
    return data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      (try? JSONReader.value(of: line)).flatMap { try? WatchedItem($0, places) }
    }
  }
}

private struct PathKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init("\(intValue)") }
}

extension CodingUserInfoKey {
  fileprivate static var watchedPlaces: CodingUserInfoKey { key("freshet.watched") }
  fileprivate static var document: CodingUserInfoKey { key("freshet.document") }

  private static func key(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("any text is a key")
    }
    return key
  }
}
