import Foundation

/// A filter for rows that contain every word, in any case, with or without accents.
struct RowFilter: Equatable, Sendable {
  private let words: [[UInt8]]

  init(_ text: String) {
    words = text.split(separator: " ").map { Array(Self.folded(String($0)).utf8) }
  }

  /// Returns whether a row passes the filter.
  ///
  /// - Complexity: O(length), and much less of it for ASCII, as most rows are.
  func includes(_ item: WatchedItem) -> Bool {
    if words.isEmpty { return true }
    let isPlain = item.text.utf8.allSatisfy { $0 < 0x80 }
    var text = Array((isPlain ? item.text : Self.folded(item.text)).utf8)
    for index in text.indices where 65...90 ~= text[index] { text[index] |= 0x20 }
    return words.allSatisfy { Self.holds(text, $0) }
  }

  private static func holds(_ text: [UInt8], _ word: [UInt8]) -> Bool {
    guard let first = word.first, text.count >= word.count else { return word.isEmpty }
    for start in 0...(text.count - word.count) where text[start] == first {
      if text[start..<(start + word.count)].elementsEqual(word) { return true }
    }
    return false
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
