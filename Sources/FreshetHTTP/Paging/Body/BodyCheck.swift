internal import Foundation
internal import Freshet

/// Checks a body before it is decoded.
///
/// A decoder holds all values at once, lets bytes pass that are not valid Unicode (rule N2), and
/// takes one of two values that contradict each other.
enum BodyCheck {
  /// How many bytes of the limit of a body each of its values takes: a decoder needs up to 80 for
  /// one, and in all at most 8 times the limit.
  private static var bytesPerValue: Int { 12 }

  /// Checks a body.
  ///
  /// - Parameters:
  ///   - body: the body as it came.
  ///   - limit: how long it might have been.
  /// - Throws: `FeedError.decoding` for too many values and for a repeated member; what a decoder
  ///   throws for bytes that are not UTF-8, as JSON must be (RFC 8259, section 8.1).
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

  /// How many values and names of members there are: each but the first follows one of four bytes.
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
