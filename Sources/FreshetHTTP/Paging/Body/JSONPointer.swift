/// A place in a JSON document (RFC 6901): `/data/items`, `/a~1b/0`; empty for the whole document.
///
/// ```swift
/// let posts = HTTPFeedSource<Post>("https://api.example.com/posts", items: "/data/rows")
/// ```
public struct JSONPointer: Hashable, Sendable, LosslessStringConvertible {
  /// The names and indices on the path, unescaped.
  public let tokens: [String]

  /// Creates a pointer from its text; `nil` if the text is not a valid pointer.
  ///
  /// A valid pointer is empty or starts with a slash, and each `~` in it is followed by `0` or
  /// `1`.
  public init?(_ text: String) {
    guard text.isEmpty || text.hasPrefix("/") else { return nil }
    var tokens: [String] = []
    for token in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      var unescaped = ""
      var rest = token[...]
      while let character = rest.popFirst() {
        guard character == "~" else {
          unescaped.append(character)
          continue
        }
        switch rest.popFirst() {
        case "0": unescaped.append("~")
        case "1": unescaped.append("/")
        default: return nil
        }
      }
      tokens.append(unescaped)
    }
    self.tokens = tokens
  }

  /// Creates the pointer with these members, each inside the one before.
  public init(tokens: [String]) { self.tokens = tokens }

  /// Returns the index that a token may be: digits without a leading zero (RFC 6901, section 4).
  static func index(_ token: String) -> Int? {
    let isIndex =
      token == "0"
      || token.first != "0" && !token.isEmpty && token.utf8.allSatisfy { 48...57 ~= $0 }
    return isIndex ? Int(token) : nil
  }

  /// The pointer as RFC 6901 writes it.
  public var description: String {
    tokens.map { token in
      "/"
        + token.flatMap { character -> String in
          switch character {
          case "~": "~0"
          case "/": "~1"
          default: String(character)
          }
        }
    }.joined()
  }
}

extension JSONPointer: ExpressibleByStringLiteral {
  /// Creates the pointer that a literal spells.
  ///
  /// - Precondition: the literal is a valid pointer.
  public init(stringLiteral text: String) {
    guard let pointer = JSONPointer(text) else {
      preconditionFailure("\"\(text)\" is not a JSON pointer: it must be empty or start with /")
    }
    self = pointer
  }
}
