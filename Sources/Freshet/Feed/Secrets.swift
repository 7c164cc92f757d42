package import Foundation

/// Finds what must neither be shown nor stored: user information in URLs, and the values of query
/// parameters whose names say that they are secret (rule N5).
package enum Secrets {
  /// What stands for a secret.
  package static let mark = "***"

  /// Whether a query parameter of this name holds a secret.
  ///
  /// `token`, `api_key`, `X-Amz-Signature`, `accessToken`: the last word decides, in any case. What
  /// names a page, as `page_token` and `startkey` do, is none.
  package static func isSecret(_ name: some StringProtocol) -> Bool {
    let words = words(of: name)
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
    "resumetoken", "startkey", "endkey", "sortkey", "lastkey", "nextkey", "pagekey", "partitionkey",
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

  private static func masked(_ text: String, depth: Int) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 == 0x3D || $0 == 0x40 || $0 == 0x20 }) else { return text }
    let ranges =
      (userInformation(in: bytes) + values(in: bytes, depth) + authorizations(in: bytes))
      .sorted { $0.lowerBound < $1.lowerBound }
    guard !ranges.isEmpty else { return text }
    var result: [UInt8] = []
    var end = 0
    for range in ranges where range.upperBound > end {
      if range.lowerBound >= end {
        result += bytes[end..<range.lowerBound]
        result += mark.utf8
      }
      end = range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  private static let quotes = Set("\"'`".utf8)
  private static let textEnds = Set(" \t\r\n\"'`<>".utf8)

  /// Between `//` and the last `@` of each authority.
  private static func userInformation(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    // A reference without a scheme begins with the slashes.
    var colon = bytes.starts(with: "//".utf8) ? -1 : bytes.firstIndex(of: 0x3A)
    while let found = colon {
      start = found + 1
      defer { colon = bytes[start...].firstIndex(of: 0x3A) }
      let rest = bytes[start...]
      let slashes = [Array("//".utf8), Array("\\/\\/".utf8)].first { rest.starts(with: $0) }
      guard let slashes else { continue }
      let authority = rest.dropFirst(slashes.count).prefix {
        !textEnds.contains($0) && !"/?#".utf8.contains($0)
      }
      if let at = authority.lastIndex(of: 0x40), at > authority.startIndex {
        ranges.append(authority.startIndex..<at)
      }
      start = authority.endIndex
    }
    return ranges
  }

  /// What stands behind a telling name and `=`, and what holds such a thing in percent encoding.
  private static func values(in bytes: [UInt8], _ depth: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var (nameStart, index) = (0, 0)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if textEnds.contains(byte) || "?&;#,(){}[]/".utf8.contains(byte) {
        // Brackets belong to a name, but its last word stands before or inside of them.
        if !"[]".utf8.contains(byte) { nameStart = index }
        continue
      }
      guard byte == 0x3D else { continue }
      let name = String(decoding: bytes[nameStart..<(index - 1)].suffix(128), as: UTF8.self)
      let quote = index < bytes.count && quotes.contains(bytes[index]) ? bytes[index] : nil
      let start = quote == nil ? index : index + 1
      let value = bytes[start...].prefix {
        byte in
        if let quote { return byte != quote }
        return !textEnds.contains(byte) && byte != 0x26 && byte != 0x23
      }
      if isSecret(decoded(name)) {
        if !value.isEmpty { ranges.append(start..<value.endIndex) }
        index = value.endIndex
      } else if depth > 1, value.contains(0x25) {
        let inner = decoded(String(decoding: value, as: UTF8.self))
        if masked(inner, depth: depth - 1) != inner { ranges.append(start..<value.endIndex) }
      }
      nameStart = index
    }
    return ranges
  }

  /// What stands behind `Bearer` and `Basic`.
  private static func authorizations(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in bytes.indices where bytes[index] == 0x20 {
      let word = bytes[..<index].suffix(6).map { $0 | 0x20 }
      guard word.suffix(6) == Array("bearer".utf8) || word.suffix(5) == Array("basic".utf8) else {
        continue
      }
      let value = bytes[(index + 1)...].prefix { !textEnds.contains($0) && $0 != 0x2C }
      // A word such as "token" or "authentication" is none.
      let isWord = value.allSatisfy { 0x61...0x7A ~= $0 || $0 == 0x2E }
      if value.count > 3, !isWord { ranges.append(value.startIndex..<value.endIndex) }
    }
    return ranges
  }

  private static func decoded(_ text: String) -> String { text.removingPercentEncoding ?? text }
}

extension URL {
  /// The URL with a mark in place of user information and of secrets in its query and fragment.
  package var masked: URL {
    let text = absoluteString
    let masked = Secrets.masked(text)
    if masked == text { return self }
    return URL(string: masked) ?? URL(string: "about:blank#\(Secrets.mark)") ?? self
  }
}
