internal import Foundation
internal import Freshet

/// The rows of a body, decoded one by one, so that a bad one can be left out and always is found.
struct DecodedItems<Item: Decodable>: Decodable {
  private(set) var items: [Item] = []
  /// How many rows were left out.
  private(set) var invalidCount = 0
  /// What was wrong with the first of them.
  private(set) var firstError: DecodingError?

  init(from decoder: any Decoder) throws {
    let skipsInvalid =
      decoder.userInfo[.invalidItems] as? HTTPConfiguration.InvalidItems == .skipInvalid
    var array = try decoder.unkeyedContainer()
    if let count = array.count { items.reserveCapacity(min(count, 10_000)) }
    while !array.isAtEnd {
      let index = array.currentIndex
      do {
        guard skipsInvalid else {
          items.append(try array.decode(Item.self))
          continue
        }
        // The container goes on behind this element whatever becomes of it.
        let element = try array.superDecoder()
        items.append(try Item(from: element))
      } catch {
        let error = DecodingError.placing(error, at: array.codingPath + [Name("\(index)")])
        guard skipsInvalid, array.currentIndex > index else { throw error }
        invalidCount += 1
        firstError = firstError ?? error
      }
    }
  }

  /// How many rows were left out, and what was wrong with the first of them.
  func complaint(_ response: HTTPResponse, _ url: URL) -> (count: Int, first: FeedError?) {
    (invalidCount, firstError.map { BodyComplaint.error($0, in: response, from: url).masked })
  }
}

extension CodingUserInfoKey {
  /// What becomes of a page with an item that does not decode.
  static var invalidItems: CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: "freshet.invalidItems") else {
      preconditionFailure("any text is a key")
    }
    return key
  }
}

extension DecodingError {
  /// What decoding a row threw, with this place where it names none: Foundation's decoder forgets that
  /// of a number that does not fit its type, and a row may throw an error of its own.
  fileprivate static func placing(_ error: any Error, at path: [any CodingKey]) -> DecodingError {
    guard let error = error as? DecodingError else {
      return .dataCorrupted(
        Context(codingPath: path, debugDescription: "\(error)", underlyingError: error))
    }
    guard case .dataCorrupted(let context) = error, context.codingPath.isEmpty else { return error }
    return .dataCorrupted(
      Context(
        codingPath: path, debugDescription: context.debugDescription,
        underlyingError: context.underlyingError))
  }
}
