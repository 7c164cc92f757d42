import Foundation
import Freshet
import FreshetHTTP
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
    guard let value = try? JSONReader.value(of: input) else { return }
    let text = JSONText.text(value)
    let isPlain = text.unicodeScalars.allSatisfy {
      ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
        $0.properties.generalCategory)
    }
    expect(isPlain, "N5: a character that steers a terminal in \(text.debugDescription)")
    expect(text.visible.visible == text.visible, "N5: shown twice is shown otherwise")
    expect((try? JSONReader.value(of: text.utf8)) == value, "P2: a value does not read back")
    let places = WatchedPlaces(
      section: SectionPlace(argument: "/time:day"), ignored: ["/age", "/0"])
    guard let item = try? WatchedItem(value, places) else { return }
    let coder = WatchedCoder(places: places)
    let back = (try? coder.decode((try? coder.encode([item, item])) ?? Data())) ?? []
    expect(back == [item, item], "P2: a row does not read back")
    expect(back.first??.text == item.text, "P2: a row reads back otherwise")
    _ = item.id.shown
  }
}
