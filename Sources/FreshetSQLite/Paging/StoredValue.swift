#if SQLite
  internal import Foundation
  internal import GRDB

  /// A value of a column that is not `NULL`, exactly as SQLite stores it.
  ///
  /// Texts are kept as bytes: SQLite also stores texts that no `String` can hold, and distinguishes
  /// texts that are equal as `String`.
  enum StoredValue: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    /// A text, in the encoding of the database.
    case text(Data)
    case blob(Data)
  }

  // MARK: - SQL

  extension StoredValue {
    /// Returns two expressions from which `init(_:isText:)` makes the value of another expression.
    static func parts(of expression: SQL) -> (value: SQL, isText: SQL) {
      (
        "CASE typeof(\(expression)) WHEN 'text' THEN CAST(\(expression) AS BLOB) ELSE \(expression) END",
        "typeof(\(expression)) = 'text'"
      )
    }

    /// Creates the value that SQLite returned; `nil` for `NULL`.
    init?(_ value: DatabaseValue, isText: Bool) {
      switch value.storage {
      case .null: return nil
      case .int64(let number): self = .integer(number)
      case .double(let number): self = .real(number)
      case .string(let text): self = .text(Data(text.utf8))
      case .blob(let bytes): self = isText ? .text(bytes) : .blob(bytes)
      }
    }

    /// The value as an operand without an affinity of its own, like a column compares it.
    var sql: SQL {
      switch self {
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let bytes): "+CAST(\(sql: Self.literal(bytes)) AS TEXT)"
      // Empty data would be bound as NULL.
      case .blob(let bytes): bytes.isEmpty ? "x''" : "\(bytes)"
      }
    }

    /// The bytes as a literal, which SQLite takes to be in the encoding of the database.
    ///
    /// It takes bound bytes to be UTF-8, and bound text to end at a NUL.
    private static func literal(_ bytes: Data) -> String {
      let digits = bytes.flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }
      return "x'\(digits.joined())'"
    }
  }

  // MARK: - In keys

  extension StoredValue {
    /// Reads a value from its text in a key.
    init?(_ text: String) {
      let rest = String(text.dropFirst())
      let value: StoredValue? =
        switch text.first {
        case "i": Int64(rest).map { .integer($0) }
        case "r": Double(rest).map { .real($0) }
        case "t": Data(base64Encoded: rest).map { .text($0) }
        case "b": Data(base64Encoded: rest).map { .blob($0) }
        default: nil
        }
      guard let value else { return nil }
      self = value
    }

    /// The text of the value in a key: a letter for the type, followed by the value.
    var text: String {
      switch self {
      case .integer(let number): "i\(number)"
      case .real(let number): "r\(number)"
      case .text(let bytes): "t\(bytes.base64EncodedString())"
      case .blob(let bytes): "b\(bytes.base64EncodedString())"
      }
    }
  }
#endif
