import Foundation

/// A request that waits until it may be sent again.
struct RequestWait: Equatable, Sendable {
  let reason: String
  let until: Date
}
