package import Foundation

/// A detector of secrets, which must neither be shown nor stored (rule N5).
///
/// Secrets are user information in URLs, and the values of query parameters with secret names.
package enum Secrets {
  /// The text that replaces a secret.
  package static let mark = "***"

  /// Returns whether a query parameter of this name holds a secret.
  ///
  /// `token`, `api_key`, `X-Amz-Signature`, `accessToken`, `key2`: the last word decides, in any
  /// case and without a number. Names of pages, such as `page_token` and `startkey`, are not
  /// secret.
  package static func isSecret(_ name: some StringProtocol) -> Bool {
    let words = words(of: name).map(withoutNumber).filter { !$0.isEmpty }
    guard let last = words.last else { return false }
    let joined = words.joined()
    if places.contains(joined) { return false }
    return names.contains(last) || names.contains(joined)
      || suffixes.contains { joined.hasSuffix($0) }
  }

  /// Returns the text with a mark in place of every secret.
  ///
  /// Secrets are found in URLs, after a secret name and an equals sign, and after `Bearer` or
  /// `Basic`.
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
  /// The names that look like secrets but name a place in a list or in the world.
  private static let places: Set<String> = [
    "pagetoken", "nexttoken", "nextpagetoken", "prevtoken", "previoustoken", "previouspagetoken",
    "continuationtoken", "skiptoken", "synctoken", "cursortoken", "starttoken", "deltatoken",
    "resumetoken", "resumptiontoken", "pagingtoken", "nextpagekey", "nextrowkey",
    "nextpartitionkey", "exclusivestartkey", "lastevaluatedkey", "startkey", "endkey", "sortkey",
    "lastkey", "nextkey", "pagekey", "partitionkey",
    "primarykey", "foreignkey", "orderkey", "countrycode", "languagecode", "zipcode", "postcode",
    "postalcode", "areacode", "statuscode", "currencycode", "regioncode", "statecode",
  ]

  /// Returns the words of a name in lower case.
  ///
  /// It is split at each character that is not a letter or digit, and before capitals.
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
  /// The number of bytes up to which a URL is shown in full.
  private static var longestShown: Int { 16_384 }

  /// The URL with a mark in place of user information and of secrets in its query and fragment.
  ///
  /// A URL that is too long for a request is reduced to its origin.
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
  /// Returns whether a text holds a secret that a `LogText` of it masks.
  ///
  /// Do not use such a text as a name, and do not write it to a file (rule N5).
  ///
  /// ```swift
  /// let isMasked = LogText.masksSecret(in: "https://api.example.com/list?api_key=12345")  // true
  /// ```
  public static func masksSecret(in text: String) -> Bool { Secrets.masked(text) != text }
}
