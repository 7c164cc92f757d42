import Foundation
import FreshetLists

/// A row as an app decodes it: a text id and three texts.
struct Row: ListItem, Codable {
  let id: String
  var title: String
  var author: String
  var body: String

  init(_ number: Int) {
    let digits = String(number &* 2_654_435_761 & 0xffff_ffff, radix: 16)
    id = "\(digits)-0000-4000-8000-\(number)"
    title = "title number \(number) of many"
    author = "author \(number % 97), some name"
    body = "a longer body text for row \(number)"
  }
}

/// A row that is nothing but its id.
struct Bare: ListItem {
  let id: UUID

  init(_ number: Int) {
    let high = UInt64(truncatingIfNeeded: number &* 0x9e37_79b9)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: high >> ($0 * 8)) }
    let low = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    id = UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        low[0], low[1], low[2], low[3], low[4], low[5], low[6], low[7]
      ))
  }
}

func rows(_ numbers: some Sequence<Int>) -> [Row] { numbers.map(Row.init) }

/// A row with a whole number as its id.
struct NumberedRow: ListItem {
  let id: Int
  let title: String

  init(_ number: Int) {
    id = number
    title = "title number \(number) of many"
  }
}

/// A row that is an object.
final class ObjectRow: ListItem {
  let id: UUID
  let title: String

  init(_ number: Int) {
    id = Bare(number).id
    title = "title number \(number) of many"
  }

  static func == (first: ObjectRow, second: ObjectRow) -> Bool {
    first.id == second.id && first.title == second.title
  }
}
