internal import Foundation
internal import Freshet

/// The body of an answer as it comes, unpacked, within its bound (rules N2, N4).
struct BodyBuffer: Sendable {
  let limit: Int
  private(set) var bytes = Data()

  init(limit: Int) { self.limit = max(0, limit) }

  /// Adds what came; what would not fit is not kept.
  mutating func append(_ chunk: some Collection<UInt8>) throws(HTTPError) {
    guard chunk.count <= limit - bytes.count else { throw .tooLarge(limit: limit) }
    bytes.append(contentsOf: chunk)
  }

  /// Refuses an answer by the length it announces, before any of it comes.
  ///
  /// A 204 and a 304 have no body; a length among their fields is that of another answer (RFC 9110,
  /// section 8.6).
  func check(announced length: Int64, status: Int) throws(HTTPError) {
    guard length > Int64(limit), status != 204, status != 304 else { return }
    throw .tooLarge(limit: limit)
  }
}
