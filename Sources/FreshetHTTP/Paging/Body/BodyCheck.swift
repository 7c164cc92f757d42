internal import Foundation
internal import Freshet

/// What a body is looked at for before it is decoded: a decoder holds all values at once, and takes
/// some bytes that are no text (rule N2).
enum BodyCheck {
  /// How many bytes of the bound of a body each of its values stands for: a decoder takes up to 80
  /// for one, and in all at most 8 times the bound.
  private static var bytesPerValue: Int { 12 }

  /// Checks a body.
  ///
  /// - Parameters:
  ///   - body: the body as it came.
  ///   - limit: how long it might have been.
  /// - Throws: `FeedError.decoding` for too many values; what a decoder throws for bytes that are
  ///   no Unicode.
  /// - Complexity: O(bytes).
  static func check(_ body: Data, limit: Int) throws {
    let bytes = [UInt8](body)
    let most = max(100_000, limit / bytesPerValue)
    if bytes.count > most, values(in: bytes) > most {
      throw FeedError.decoding(
        path: "",
        expected: "at most \(most) values (ask for fewer rows at a time)",
        found: "more", url: nil)
    }
    // Other encodings are for the decoder to read.
    guard !BodyComplaint.isWide(body) else { return }
    if SurrogateEscapes.haveHalfPair(bytes[...]) || String(validating: bytes, as: UTF8.self) == nil
    {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "The body is no Unicode."))
    }
  }

  /// How many values and names of members there are: each but the first follows one of four bytes.
  private static func values(in bytes: [UInt8]) -> Int {
    var (count, index) = (1, 0)
    var isText = false
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"):
        if !isText { count += 1 }
      default: break
      }
      index += 1
    }
    return count
  }
}
