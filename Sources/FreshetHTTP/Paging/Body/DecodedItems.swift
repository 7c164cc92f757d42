internal import Foundation

/// The elements of an array, decoded one by one, so that an error always names its place.
struct DecodedItems<Item: Decodable>: Decodable {
  private(set) var items: [Item] = []

  init(from decoder: any Decoder) throws {
    var array = try decoder.unkeyedContainer()
    if let count = array.count { items.reserveCapacity(min(count, 10_000)) }
    while !array.isAtEnd {
      let index = array.currentIndex
      do {
        items.append(try array.decode(Item.self))
      } catch {
        throw DecodingError.placing(error, at: array.codingPath + [Name("\(index)")])
      }
    }
  }
}

extension DecodingError {
  /// Returns the error of a row, with this place added if the error names none.
  ///
  /// Foundation's decoder omits the place of a number that does not fit its type. A row may also
  /// throw an error of its own.
  static func placing(_ error: any Error, at path: [any CodingKey]) -> DecodingError {
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
