package import Foundation

/// Finds what must neither be shown nor stored: user information in URLs, and the values of query
/// parameters whose names say that they are secret (rule N5).
package enum Secrets {
  /// What stands for a secret.
  package static let mark = "***"

  /// Whether a query parameter of this name holds a secret.
  ///
  /// `token`, `api_key`, `X-Amz-Signature`, `accessToken`, `key2`: the last word decides, in any
  /// case and without a number. What names a page, as `page_token` and `startkey` do, is none.
  package static func isSecret(_ name: some StringProtocol) -> Bool {
    let words = words(of: name).map(withoutNumber).filter { !$0.isEmpty }
    guard let last = words.last else { return false }
    let joined = words.joined()
    if places.contains(joined) { return false }
    return names.contains(last) || names.contains(joined)
      || suffixes.contains { joined.hasSuffix($0) }
  }

  /// The text with a mark in place of every secret that a URL in it holds, or that stands behind a
  /// telling name and an equals sign, or behind `Bearer` or `Basic`.
  package static func masked(_ text: String) -> String { masked(text, depth: 2) }

  private static let names: Set<String> = [
    "token", "key", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "pass", "auth",
    "authorization", "sig", "signature", "session", "sessionid", "sid", "jwt", "credential",
    "credentials", "apikey", "otp", "hmac", "code", "authcode", "accesskeyid", "bearer",
  ]
  private static let suffixes = [
    "token", "secret", "password", "signature", "apikey", "accesskey", "accesskeyid", "secretkey",
    "sessionid", "authcode", "accesscode",
  ]
  /// What looks like a secret and names a place in a list or in the world.
  private static let places: Set<String> = [
    "pagetoken", "nexttoken", "nextpagetoken", "prevtoken", "previoustoken", "previouspagetoken",
    "continuationtoken", "skiptoken", "synctoken", "cursortoken", "starttoken", "deltatoken",
    "resumetoken", "resumptiontoken", "pagingtoken", "nextpagekey", "nextrowkey",
    "nextpartitionkey", "exclusivestartkey", "lastevaluatedkey", "startkey", "endkey", "sortkey",
    "lastkey", "nextkey", "pagekey", "partitionkey",
    "primarykey", "foreignkey", "orderkey", "countrycode", "languagecode", "zipcode", "postcode",
    "postalcode", "areacode", "statuscode", "currencycode", "regioncode", "statecode",
  ]

  /// The words of a name, in lower case: split where it is no letter or digit, and before capitals.
  private static func words(of name: some StringProtocol) -> [String] {
    var words: [String] = []
    var (isInside, wasLower) = (false, false)
    for character in name {
      guard character.isLetter || character.isNumber else {
        isInside = false
        continue
      }
      if !isInside || character.isUppercase && wasLower { words.append("") }
      words[words.count - 1] += character.lowercased()
      (isInside, wasLower) = (true, character.isLowercase || character.isNumber)
    }
    return words
  }

  private static func withoutNumber(_ word: String) -> String {
    guard let last = word.lastIndex(where: { !$0.isNumber }) else { return "" }
    return String(word[...last])
  }
}

extension URL {
  /// Longer ones than this many bytes are not shown as they are.
  private static var longestShown: Int { 16_384 }

  /// The URL with a mark in place of user information and of secrets in its query and fragment.
  ///
  /// Of one that nobody would ask for, being too long, the origin is left.
  package var masked: URL {
    let text = absoluteString
    let isShown = text.utf8.count <= Self.longestShown
    let masked = isShown ? Secrets.masked(text) : originText
    if masked == text { return self }
    return URL(string: masked) ?? Self.nothing ?? self
  }

  private static let nothing = URL(string: "about:blank#\(Secrets.mark)")

  private var originText: String {
    let (scheme, host) = (self.scheme ?? "", self.host ?? "")
    guard scheme.utf8.count + host.utf8.count < 1024 else { return "" }
    return "\(scheme)://\(host)/#\(Secrets.mark)"
  }
}

extension LogText {
  /// Whether a text holds a secret that a `LogText` of it masks.
  ///
  /// Such a text belongs into no name and no file (rule N5).
  ///
  /// ```swift
  /// let isMasked = LogText.masksSecret(in: "https://api.example.com/list?api_key=12345")  // true
  /// ```
  public static func masksSecret(in text: String) -> Bool { Secrets.masked(text) != text }
}
