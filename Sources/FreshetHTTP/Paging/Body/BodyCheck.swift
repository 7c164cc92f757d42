internal import Foundation
internal import Freshet

/// The checks of a body before it is decoded.
///
/// A decoder holds all values at once and accepts bytes that are not valid Unicode (rule N2). It
/// also picks one of two members that contradict each other.
enum BodyCheck {
  /// The number of bytes of the body limit for each value.
  ///
  /// A decoder needs up to 80 bytes for a value, so in all it needs at most 8 times the limit.
  private static var bytesPerValue: Int { 12 }

  /// Checks a body.
  ///
  /// - Parameters:
  ///   - body: the body as it was received.
  ///   - limit: the longest body that is allowed.
  /// - Throws: `FeedError.decoding` for too many values and for a repeated member. For bytes that
  ///   are not UTF-8, as JSON must be (RFC 8259, section 8.1), it throws the error of a decoder.
  /// - Complexity: O(bytes).
  static func check(_ body: Data, limit: Int) throws {
    let bytes = [UInt8](body)
    let valueLimit = max(100_000, limit / bytesPerValue)
    if bytes.count > valueLimit {
      let count = valueCount(of: bytes)
      guard count <= valueLimit else {
        throw FeedError.decoding(
          path: "",
          expected: "at most \(valueLimit) values for a body of at most \(limit) bytes",
          found: "\(count)", url: nil)
      }
    }
    let isASCII = bytes.allSatisfy { 1..<0x80 ~= $0 }
    guard isASCII || !DecodingDiagnostics.isWide(body) && String(validUTF8: bytes) != nil,
      !SurrogateEscapes.haveLoneSurrogate(bytes[...])
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "The body is not valid Unicode."))
    }
    if let path = RepeatedMember(in: bytes).path {
      throw FeedError.decoding(
        path: JSONPointer(tokens: path).description, expected: "one member of this name",
        found: "two", url: nil)
    }
  }

  /// Returns the number of values and member names.
  ///
  /// Each of them but the first follows one of four bytes.
  private static func valueCount(of bytes: [UInt8]) -> Int {
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
