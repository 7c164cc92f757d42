#if Postgres
  internal import Foundation
  internal import FreshetLists

  /// Items as JSON, in the form that PostgreSQL reads and writes.
  enum ItemCoding {
    static var decoder: JSONDecoder {
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
      decoder.dateDecodingStrategy = .custom { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Date(postgresText: text) else {
          throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "no date of PostgreSQL")
        }
        return date
      }
      decoder.dataDecodingStrategy = .custom { decoder in
        let container = try decoder.singleValueContainer()
        guard let data = Data(postgresText: try container.decode(String.self)) else {
          throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "no bytes in hexadecimal digits")
        }
        return data
      }
      return decoder
    }

    static var encoder: JSONEncoder {
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
      encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(date.postgresText)
      }
      encoder.dataEncodingStrategy = .custom { data, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(data.postgresText)
      }
      return encoder
    }

    /// Decodes the item of a row.
    ///
    /// - Throws: `PostgresError.row`.
    static func item<Item: Decodable>(
      _ json: String, of table: String, key: String, _ decoder: JSONDecoder
    ) throws(PostgresError) -> Item {
      do {
        return try decoder.decode(Item.self, from: Data(json.utf8))
      } catch {
        throw .row(table: table, key: key, reason: reason(error))
      }
    }

    /// Returns the text of a value, as PostgreSQL casts it to the type of a column.
    ///
    /// It is `nil` for a value that is encoded as `null`.
    static func text(of value: some Encodable) throws -> String? {
      let array = try encoder.encode([value])
      if let texts = try? JSONDecoder().decode([BinaryText?].self, from: array) {
        return texts.first??.text
      }
      return String(decoding: array.dropFirst().dropLast(), as: UTF8.self)
    }

    /// Returns a description of why a row does not decode.
    private static func reason(_ error: any Error) -> String {
      func path(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? "it" : path
      }
      guard let error = error as? DecodingError else { return "it does not decode" }
      switch error {
      case .keyNotFound(let key, _):
        return "it has no \(key.stringValue): add the column, or make the property optional"
      // The error's own text may contain the value.
      case .typeMismatch(let type, let context): return "\(path(context)) is no \(type)"
      case .valueNotFound(let type, let context): return "\(path(context)) is null, and no \(type)"
      case .dataCorrupted(let context): return "\(path(context)) is not what its type expects"
      @unknown default: return "it does not decode"
      }
    }
  }

  extension Data {
    /// The bytes in hexadecimal digits, in the form of `bytea`.
    var postgresText: String {
      "\\x" + map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    init?(postgresText text: String) {
      let digits = Array(text.utf8.dropFirst(2))
      guard text.hasPrefix("\\x"), digits.count.isMultiple(of: 2) else { return nil }
      self.init()
      for index in stride(from: 0, to: digits.count, by: 2) {
        let pair = String(decoding: digits[index..<(index + 2)], as: UTF8.self)
        guard let byte = UInt8(pair, radix: 16) else { return nil }
        append(byte)
      }
    }
  }

  extension Date {
    /// The moment in ISO 8601, to the microsecond, as PostgreSQL stores it.
    var postgresText: String {
      let microseconds = (timeIntervalSince1970 * 1_000_000).rounded()
      let seconds = (microseconds / 1_000_000).rounded(.down)
      let fraction = String(Int(microseconds - seconds * 1_000_000) + 1_000_000).dropFirst()
      let text = Date(timeIntervalSince1970: seconds).formatted(
        .iso8601.year().month().day().timeSeparator(.colon).time(includingFractionalSeconds: false))
      return "\(text).\(fraction)Z"
    }

    /// Creates a moment from the text that PostgreSQL writes into JSON.
    ///
    /// The text is a `timestamptz`, a `timestamp` (taken as UTC) or a `date`.
    init?(postgresText text: String) {
      let parts = text.split(separator: "T")
      guard let day = parts.first, parts.count <= 2 else { return nil }
      var time = parts.count == 2 ? parts[1] : "00:00:00"
      var zone = "Z"[...]
      if let start = time.firstIndex(where: { "+-Z".contains($0) }) {
        zone = time[start...]
        time = time[..<start]
      }
      let fields = time.split(separator: ".")
      let fraction = fields.count == 2 ? Double("0.\(fields[1])") : 0
      guard let clock = fields.first, let fraction,
        let date = try? Date("\(day)T\(clock)\(zone)", strategy: .iso8601)
      else { return nil }
      self = date.addingTimeInterval(fraction)
    }
  }
#endif
