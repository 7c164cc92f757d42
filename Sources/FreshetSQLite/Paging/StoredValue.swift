#if SQLite
  internal import Foundation
  internal import GRDB

  /// A value of a column, exactly as SQLite stores it.
  ///
  /// Texts are kept as bytes: SQLite also stores texts that no `String` can hold, and distinguishes
  /// texts that are equal as `String`.
  enum StoredValue: Hashable, Sendable {
    case null
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

    init(_ value: DatabaseValue, isText: Bool) {
      self =
        switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .string(let text): .text(Data(text.utf8))
        case .blob(let bytes): isText ? .text(bytes) : .blob(bytes)
        }
    }

    /// The value as an operand without an affinity of its own, like a column compares it.
    var sql: SQL {
      switch self {
      case .null: "NULL"
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

  // MARK: - Codable

  extension StoredValue: Codable {
    /// Decodes a letter for the type, followed by the value.
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      let rest = String(text.dropFirst())
      let value: StoredValue? =
        switch text.first {
        case "n": .null
        case "i": Int64(rest).map { .integer($0) }
        case "r": Double(rest).map { .real($0) }
        case "t": Data(base64Encoded: rest).map { .text($0) }
        case "b": Data(base64Encoded: rest).map { .blob($0) }
        default: nil
        }
      guard let value else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "not a stored value"))
      }
      self = value
    }

    func encode(to encoder: any Encoder) throws {
      let text =
        switch self {
        case .null: "n"
        case .integer(let number): "i\(number)"
        case .real(let number): "r\(number)"
        case .text(let bytes): "t\(bytes.base64EncodedString())"
        case .blob(let bytes): "b\(bytes.base64EncodedString())"
        }
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }
#endif
