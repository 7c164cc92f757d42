/// A text to find among bytes, in one pass even if it repeats itself (Knuth, Morris and Pratt).
struct BytePattern: Hashable, Sendable {
  private let bytes: [UInt8]
  /// The longest shorter match that each match ends with, by length.
  private let shorter: [Int]
  /// Whether the text counts only as a whole word, because a short text is part of many words.
  private let isWord: Bool

  /// The length from which a text is recognised inside a word.
  static var wordLimit: Int { 8 }
  /// The shortest beginning that is recognised before an ellipsis.
  private static var leastBeginning: Int { 3 }
  private static let ellipsis = Array("…".utf8)

  /// - Precondition: the text is not empty.
  init(_ text: String, isWord: Bool) {
    let bytes = Array(text.utf8)
    precondition(!bytes.isEmpty, "nothing to look for")
    var shorter = Array(repeating: 0, count: bytes.count + 1)
    var length = 0
    for index in bytes.indices.dropFirst() {
      while length > 0, bytes[length] != bytes[index] { length = shorter[length] }
      if bytes[length] == bytes[index] { length += 1 }
      shorter[index + 1] = length
    }
    (self.bytes, self.shorter, self.isWord) = (bytes, shorter, isWord)
  }

  /// Returns the places of the text in other bytes, from left to right.
  ///
  /// - Parameters:
  ///   - others: the bytes to search.
  ///   - withBeginnings: whether to include a beginning of the text if an ellipsis follows.
  /// - Complexity: O(*n*) for *n* bytes.
  func places(in others: [UInt8], withBeginnings: Bool) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var length = 0
    for (index, byte) in others.enumerated() {
      if withBeginnings, byte == Self.ellipsis[0], length >= Self.leastBeginning,
        length < bytes.count,
        others[index...].starts(with: Self.ellipsis), isFree(others, before: index - length)
      {
        places.append((index - length)..<index)
      }
      while length > 0, bytes[length] != byte { length = shorter[length] }
      if bytes[length] == byte { length += 1 }
      guard length == bytes.count else { continue }
      let start = index + 1 - length
      if isFree(others, before: start), isFree(others, behind: index + 1) {
        places.append(start..<(index + 1))
      }
      length = shorter[length]
    }
    return places
  }

  private func isFree(_ others: [UInt8], before index: Int) -> Bool {
    !isWord || index == 0 || !Self.isOfWord(others[index - 1])
  }

  private func isFree(_ others: [UInt8], behind index: Int) -> Bool {
    !isWord || index >= others.count || !Self.isOfWord(others[index])
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
