internal import Foundation
internal import Freshet

/// A secret text in requests that only their server may learn.
struct SentSecret: Hashable, Sendable {
  /// A form in which the secret may be written.
  struct Form: Hashable, Sendable {
    /// The code of the form in a page key.
    let code: String
    let text: String
    let pattern: BytePattern
  }

  /// The name of the secret in a page key, which does not depend on its value.
  let name: String
  let value: String
  /// The forms in which it may be written, without duplicates.
  let forms: [Form]
  /// The text for each code of a form.
  private let texts: [String: String]
  /// Whether people choose such secrets, so that they may be guessed.
  let isPassword: Bool

  /// The shortest secret that is recognised; shorter texts appear everywhere.
  static var shortest: Int { 3 }

  /// Creates a secret; `nil` for a value that cannot be distinguished from other texts.
  ///
  /// - Parameter written: the secret as the user wrote it.
  init?(_ name: String, _ value: String, written: String? = nil, isPassword: Bool = false) {
    guard value.utf8.count >= Self.shortest,
      !["true", "false", "null"].contains(value.lowercased())
    else { return nil }
    self.name = name
    self.value = value
    self.isPassword = isPassword
    let escaped = Self.escaped(value)
    var texts = [
      ("w", written ?? value), ("p", value), ("s", value.replacing(" ", with: "+")),
      ("e", escaped), ("d", Self.escaped(escaped)),
    ]
    texts += Self.hexadecimal(value, "x", "X") + Self.base64(value, "b", "u")
    if let written, written != value {
      texts += Self.hexadecimal(written, "y", "Y") + Self.base64(written, "c", "v")
    }
    self.texts = Dictionary(texts) { first, _ in first }
    var forms: [Form] = []
    let isWord = value.utf8.count < BytePattern.wordLimit
    for (code, text) in texts where !text.isEmpty && !forms.contains(where: { $0.text == text }) {
      forms.append(Form(code: code, text: text, pattern: BytePattern(text, isWord: isWord)))
    }
    self.forms = forms
  }

  /// Returns the secret in the form with a code.
  func text(_ code: String) -> String? { texts[code] }

  /// Returns the code to use for a form that was found after undoing `depth` layers of escapes.
  ///
  /// Text written by that code has the same meaning in its place.
  func code(of form: Form, escapedTimes depth: Int) -> String {
    guard depth > 0, form.text == value else { return form.code }
    return depth == 1 ? "e" : "d"
  }

  /// The codes of all forms.
  var codes: [String] { texts.keys.sorted() }

  /// Whether it is too long and random to be found by trial, however fast.
  var isBeyondGuessing: Bool { !isPassword && value.utf8.count >= 20 }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text
  }

  private static func hexadecimal(
    _ value: String, _ code: String, _ codeForCapitals: String
  ) -> [(code: String, text: String)] {
    let digits = value.utf8.flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }.joined()
    return [(code, digits), (codeForCapitals, digits.uppercased())]
  }

  /// Returns the Base64 digits that depend on the secret alone, for each of three offsets.
  ///
  /// The secret may begin at any of these offsets in a longer encoded text. For a short secret,
  /// the result is its whole Base64 text at the first offset.
  private static func base64(
    _ value: String, _ code: String, _ codeForURLs: String
  ) -> [(code: String, text: String)] {
    let count = value.utf8.count
    return (0..<(count < BytePattern.wordLimit ? 1 : 3)).flatMap { shift in
      let bytes = Data(repeating: 0, count: shift) + Data(value.utf8)
      let all = bytes.base64EncodedString()
      let start = (8 * shift + 5) / 6
      let end = count < BytePattern.wordLimit ? all.utf8.count : 8 * (shift + count) / 6
      let text = String(all.dropFirst(start).prefix(end - start)).replacing("=", with: "")
      let forURLs = text.replacing("+", with: "-").replacing("/", with: "_")
      return [("\(code)\(shift)", text), ("\(codeForURLs)\(shift)", forURLs)]
    }
  }
}

extension SentSecret {
  /// Returns the secrets in header fields.
  ///
  /// They are whole values, and the tokens, members, user names and passwords in them.
  static func all(in headers: HTTPHeaders) -> [SentSecret] {
    headers.fields.flatMap { field in
      let name = "h.\(field.name.lowercased())"
      let words = field.value.split { " \t,;".contains($0) }.map(String.init)
      let isBasic = words.count == 2 && words[0].lowercased() == "basic"
      var secrets = [SentSecret("\(name).0", field.value, isPassword: isBasic)]
      for (index, word) in words.enumerated() {
        // The first of several words is the scheme of the others.
        if index == 0, words.count > 1, !word.contains("=") { continue }
        secrets.append(SentSecret("\(name).\(index + 1)", word, isPassword: isBasic))
        if let part = member(word) { secrets.append(SentSecret("\(name).\(index + 1)v", part)) }
      }
      if isBasic { secrets += basic(words[1], name) }
      return secrets.compactMap(\.self)
    }
  }

  /// Returns the secrets in fields whose names indicate a secret.
  static func telling(in headers: HTTPHeaders) -> [SentSecret] {
    var telling: HTTPHeaders = [:]
    for field in headers.fields
    where Secrets.isSecret(field.name) || field.name.lowercased().hasSuffix("cookie") {
      telling.append(field.name, field.value)
    }
    return all(in: telling)
  }

  /// Returns the value of `name=value` without quotes; `nil` for a word that is not of this form.
  private static func member(_ word: String) -> String? {
    guard let equals = word.firstIndex(of: "=") else { return nil }
    let value = word[word.index(after: equals)...]
    guard value.contains(where: { $0 != "=" }) else { return nil }
    return value.trimmingCharacters(in: ["\""])
  }

  private static func basic(_ text: String, _ name: String) -> [SentSecret?] {
    guard let data = Data(base64Encoded: text), let pair = String(validUTF8: data),
      let colon = pair.firstIndex(of: ":")
    else { return [] }
    return [
      SentSecret("\(name).pair", pair, isPassword: true),
      SentSecret("\(name).password", String(pair[pair.index(after: colon)...]), isPassword: true),
      SentSecret("\(name).user", String(pair[..<colon]), isPassword: true),
    ]
  }
}
