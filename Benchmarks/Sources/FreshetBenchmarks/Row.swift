import Foundation
import FreshetLists

/// A row as an app decodes it: a text id and three texts.
struct Row: ListItem {
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

/// The same numbers at every run: SplitMix64.
struct Random: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
