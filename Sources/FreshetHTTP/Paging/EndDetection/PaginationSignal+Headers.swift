internal import Foundation

// Signals in header fields.
extension PaginationSignal {
  /// Returns the signals in the header fields of a response.
  static func all(in headers: HTTPHeaders) -> [PaginationSignal] {
    let names = Set(headers.fields.map { SignalName($0.name).joined })
    return headers.fields.flatMap { field -> [PaginationSignal] in
      switch field.name.lowercased() {
      case "link":
        let next = LinkHeader(field.value).target("next")
        return next.map { [PaginationSignal(.linkHeader, header: "Link", .text($0))] } ?? []
      case "content-range": return contentRange(field)
      case "x-pagination", "pagination": return json(field)
      default:
        let name = SignalName(field.name)
        let isNothing = field.value.isEmpty || field.value.lowercased() == "null"
        let value = isNothing ? JSONMember.null : .text(field.value)
        if name.isCursorField(among: names), !isNothing {
          return [PaginationSignal(.next, header: field.name, value)]
        }
        guard let meaning = name.meaning.flatMap({ name.meaning(of: value, $0) }),
          [.hasMore, .isLast, .next, .total, .count, .pages].contains(meaning),
          // A remainder in a header belongs to a rate limit.
          !name.isRemainder
        else { return [] }
        return [PaginationSignal(meaning, header: field.name, value)]
      }
    }
  }

  /// Returns the signals of a range of rows: `items 0-49/2000` (RFC 9110, section 14.4).
  private static func contentRange(_ field: HTTPHeaders.Field) -> [PaginationSignal] {
    let parts = field.value.split(whereSeparator: { " -/".contains($0) })
    guard parts.first != "bytes", let total = parts.last.flatMap({ Int($0) }),
      let end = parts.dropLast().last.flatMap({ Int($0) })
    else { return [] }
    return [
      PaginationSignal(.hasMore, header: field.name, .flag(end < total - 1)),
      PaginationSignal(.total, header: field.name, .text("\(total)")),
    ]
  }

  /// Returns the signals of an object in `X-Pagination`, as ASP.NET's examples send it.
  private static func json(_ field: HTTPHeaders.Field) -> [PaginationSignal] {
    let signals = try? JSONDecoder().decode(BodySignals.self, from: Data(field.value.utf8)).signals
    return (signals ?? []).map { PaginationSignal($0.meaning, header: field.name, $0.value) }
  }

  /// Returns the number of rows above a range of rows, as in `items 50-99/2000`.
  static func rangeStart(of text: String) -> Int? {
    let parts = text.split(whereSeparator: { " -/".contains($0) })
    guard parts.first != "bytes", let end = parts.dropLast().last.flatMap({ Int($0) }),
      let start = parts.dropLast(2).last.flatMap({ Int($0) }), 0...end ~= start
    else { return nil }
    return start
  }

  private struct BodySignals: Decodable {
    let signals: [PaginationSignal]
    init(from decoder: any Decoder) throws {
      signals = try PaginationSignal.all(in: decoder, around: [])
    }
  }
}
