internal import Foundation
internal import Freshet

/// The decompressed body of a response as it is received, within its limit (rules N2, N4).
struct BodyBuffer: Sendable {
  let limit: Int
  private(set) var bytes = Data()

  init(limit: Int) { self.limit = max(0, limit) }

  /// Appends received bytes, or throws and appends none if they exceed the limit.
  mutating func append(_ chunk: some Collection<UInt8>) throws(HTTPError) {
    guard chunk.count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
    bytes.append(contentsOf: chunk)
  }

  /// Throws if the announced length exceeds the limit, before any of the body is received.
  ///
  /// Responses with 204 or 304 have no body. A length in their header is that of another response
  /// (RFC 9110, section 8.6).
  func check(announced length: Int64, status: Int) throws(HTTPError) {
    guard length > Int64(limit), status != 204, status != 304 else { return }
    throw .tooLarge(limit: limit)
  }
}
