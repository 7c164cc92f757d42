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
  public struct PostgresRequest: Equatable, Sendable {
    /// The condition, with `$1`, `$2`, … for its values.
    public let condition: String
    /// The values of the condition, as text.
    public let arguments: [String?]

    /// A request for every row of the table.
    public static let all: PostgresRequest = "TRUE"
  }

  extension PostgresRequest: ExpressibleByStringInterpolation {
    /// Creates a request without values.
    public init(stringLiteral condition: String) {
      self.init(condition: condition, arguments: [])
    }

    /// Creates a request with values.
    public init(stringInterpolation: StringInterpolation) {
      self.init(
        condition: stringInterpolation.condition, arguments: stringInterpolation.arguments)
    }

    /// The text and the values of a condition, collected separately.
    public struct StringInterpolation: StringInterpolationProtocol {
      var condition = ""
      var arguments: [String?] = []

      /// Begins a condition without text or values.
      public init(literalCapacity: Int, interpolationCount: Int) {}

      /// Adds a part of the condition as it is written.
      public mutating func appendLiteral(_ literal: String) { condition += literal }
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
        condition += "$\(arguments.count)"
      }
    }
  }
#endif
