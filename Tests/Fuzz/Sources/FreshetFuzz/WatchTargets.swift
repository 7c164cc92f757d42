import Foundation
import Freshet
@testable import Watch

/// What `freshet watch` reads from its arguments.
///
/// Whoever calls it from a script may pass on text from anywhere.
enum ArgumentsTarget {
  static func read(_ input: Data) {
    let text = String(decoding: input, as: UTF8.self)
    if let paging = PagingArgument(argument: text) {
      expect(paging.description == text, "\(text) is said otherwise")
      _ = paging.style(true)
      _ = paging.style(false)
    }
    _ = Interval(argument: text)
    _ = PageCount(argument: text)
    _ = SectionPlace(argument: text)
  }
}

/// Rows of any JSON, as `freshet watch` shows and stores them.
enum RowsTarget {
  static func read(_ input: Data) {
    let decoder = JSONDecoder()
    decoder.userInfo[.watchedPlaces] = WatchedItem.Places(
      section: SectionPlace(argument: "/time:day"))
    guard let item = try? decoder.decode(WatchedItem.self, from: input) else { return }
    let coder = JSONCoder<WatchedItem>()
    guard let stored = try? coder.encode([item]) else { return }
    let back = try? coder.decode(stored).first ?? nil
    expect(back?.id == item.id, "P2: the id \(item.id) does not read back")
    expect(back == item, "P2: a row does not read back")
  }
}
