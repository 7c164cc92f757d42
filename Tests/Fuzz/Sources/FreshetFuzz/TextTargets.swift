import Foundation
import Freshet
@testable import FreshetHTTP

/// `Link` headers.
enum HeadersTarget {
  static func read(_ input: Data) {
    let links = LinkHeader(String(decoding: input, as: UTF8.self)).links
    expect(links.count <= input.count / 2, "more links than there are brackets")
    for link in links {
      expect(!link.target.contains { $0.isWhitespace || $0 == ">" }, "a target with space")
      for relation in link.relations {
        expect(relation == relation.lowercased() && !relation.isEmpty, "a relation \(relation)")
      }
    }
  }
}

/// JSON pointers, and what they find in a document.
///
/// The pointer is the first line, the document the rest.
enum PointerTarget {
  static func read(_ input: Data) {
    let parts = input.split(
      separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let pointer = JSONPointer(String(decoding: parts[0], as: UTF8.self)) else { return }
    expect(JSONPointer(pointer.description) == pointer, "\(pointer) does not read back")
    for token in pointer.tokens { _ = JSONPointer.index(token) }
    guard parts.count > 1 else { return }
    let body = Data(parts[1])
    wait {
      let answers = [HTTPResponse(status: 200, body: body)]
      let styles: [PagingStyle] = [.nextURL(pointer), .single]
      for (style, items) in zip(styles, [nil, pointer]) {
        await AnswerTarget.follow(
          AnswerTarget.source(style, Script(answers, foreignLinks: .refused), items: items))
      }
    }
  }
}

/// Page keys that a cache gave back.
enum KeyTarget {
  static func read(_ input: Data) {
    guard let style = input.first,
      let key = try? JSONDecoder().decode(HTTPPageKey.self, from: input.dropFirst())
    else { return }
    let page = Data(#"[{"id":1},{"id":2},{"id":3}]"#.utf8)
    wait {
      let answers = Array(repeating: HTTPResponse(status: 200, body: page), count: 8)
      let style = AnswerTarget.styles[Int(style) % AnswerTarget.styles.count]
      await AnswerTarget.follow(
        AnswerTarget.source(style, Script(answers, foreignLinks: .refused)), from: key)
    }
  }
}
