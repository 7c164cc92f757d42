#if Postgres
  public import FreshetLists
  public import struct Foundation.Date
  public import struct Foundation.UUID

  /// The rows of a table that a query requests: a condition as it is written after `WHERE`.
  ///
  /// Values in it are sent separately from the text, and never become part of it.
  ///
  /// ```swift
  /// results.performFetch("magnitude >= \(5) AND place ILIKE \(pattern)")
  /// ```
  ///
  /// The condition concerns a single row of the table. The arrangement determines order and limit.
  /// `PostgresFeedSource.sectionCounts(by:)` and other methods take expressions in the same form.
  public struct PostgresRequest: Equatable, Sendable {
    /// The text before, between and after the values.
    private let texts: [String]
    /// The values of the condition, as text.
    public let arguments: [String?]

    /// The condition, with `$1`, `$2`, … for its values.
    public var condition: String { condition(after: 0) }

    /// Returns the condition as a part of a statement.
    ///
    /// - Parameter count: the number of values that the statement has before those of the
    ///   condition.
    func condition(after count: Int) -> String {
      texts.indices.map { $0 == 0 ? texts[0] : "$\(count + $0)\(texts[$0])" }.joined()
    }

    /// A request for every row of the table.
    public static let all: PostgresRequest = "TRUE"
  }

  extension PostgresRequest: ExpressibleByStringInterpolation {
    /// Creates a request without values.
    public init(stringLiteral condition: String) {
      self.init(texts: [condition], arguments: [])
    }

    /// Creates a request with values.
    public init(stringInterpolation: StringInterpolation) {
      self.init(texts: stringInterpolation.texts, arguments: stringInterpolation.arguments)
    }

    /// The text and the values of a condition, collected separately.
    public struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var texts = [""]
      fileprivate var arguments: [String?] = []

      /// Begins a condition without text or values.
      public init(literalCapacity: Int, interpolationCount: Int) {}

      /// Adds a part of the condition as it is written.
      public mutating func appendLiteral(_ literal: String) {
        texts[texts.count - 1] += literal
      }
      /// Adds a text as a value.
      public mutating func appendInterpolation(_ value: String?) { append(value) }
      /// Adds a text as a value.
      public mutating func appendInterpolation(_ value: BinaryText) { append(value.text) }
      /// Adds a number as a value.
      public mutating func appendInterpolation(_ value: some BinaryInteger) { append("\(value)") }
      /// Adds a number as a value.
      public mutating func appendInterpolation(_ value: Double) { append("\(value)") }
      /// Adds a Boolean as a value.
      public mutating func appendInterpolation(_ value: Bool) { append("\(value)") }
      /// Adds a date as a value.
      public mutating func appendInterpolation(_ value: Date) { append(value.postgresText) }
      /// Adds a UUID as a value.
      public mutating func appendInterpolation(_ value: UUID) { append(value.uuidString) }

      private mutating func append(_ value: String?) {
        arguments.append(value)
        texts.append("")
      }
    }
  }
#endif
