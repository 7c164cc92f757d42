import Foundation

/// The age of something, as text for people.
enum Age {
  /// Returns the text for a number of seconds.
  static func text(_ seconds: TimeInterval) -> String {
    switch seconds {
    case ..<2: "now"
    case ..<120: "\(Int(seconds)) s ago"
    case ..<7200: "\(Int(seconds / 60)) min ago"
    case ..<172_800: "\(Int(seconds / 3600)) h ago"
    default: "\(Int(min(seconds / 86_400, 1e6))) days ago"
    }
  }
}
