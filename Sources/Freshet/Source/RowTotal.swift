internal import Foundation

/// The number of rows in a whole list, as far as its source knows it.
///
/// ```swift
/// // 57 of about 2,300
/// func title(ofRowAt index: Int) -> String {
///   feed.state.total.map { $0.text(at: index + 1) } ?? "\(index + 1)"
/// }
/// ```
public enum RowTotal: Hashable, Codable, Sendable {
  /// The number of rows.
  case exact(Int)
  /// A number that the list reaches, and may exceed: the source stopped counting.
  case atLeast(Int)
  /// A number near that of the rows.
  case estimated(Int)

  /// The number, however exact it is.
  public var count: Int {
    switch self {
    case .exact(let count), .atLeast(let count), .estimated(let count): count
    }
  }

  /// The number, if it is exact.
  var exact: Int? { if case .exact(let count) = self { count } else { nil } }

  /// The total of a list that now has more rows, or fewer.
  func adding(_ rows: Int) -> RowTotal {
    let (sum, overflow) = count.addingReportingOverflow(rows)
    let count = overflow ? count : max(0, sum)
    return switch self {
    case .exact: .exact(count)
    case .atLeast: .atLeast(count)
    case .estimated: .estimated(count)
    }
  }
}

extension RowTotal {
  /// A text for the user, such as `2,300`, `about 2,300` or `2,300 or more`.
  public var text: String {
    let count = count.formatted()
    return switch self {
    case .exact: count
    case .atLeast: Self.filled("total.atLeast", "%1$@ or more", count)
    case .estimated: Self.filled("total.estimated", "about %1$@", count)
    }
  }

  /// Returns a text for the user, such as `57 of about 2,300`.
  ///
  /// - Parameter position: the position of a row; the first one has 1.
  public func text(at position: Int) -> String {
    Self.filled("total.position", "%1$@ of %2$@", position.formatted(), text)
  }

  private static func filled(_ key: String, _ english: String, _ values: String...) -> String {
    var text = AlertText.localized(key, english)
    for (index, value) in values.enumerated() {
      text = text.replacingOccurrences(of: "%\(index + 1)$@", with: value)
    }
    return text
  }
}
