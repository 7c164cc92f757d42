/// Which header fields and query parameters are taken to say who asks.
///
/// What their values unlock is not cached unless the user names the cache, and they are no part of a name.
enum SecretNames {
  private static let words: Set<String> = [
    "auth", "authorization", "authentication", "token", "accesstoken", "secret", "password",
    "passwd", "passphrase", "pwd", "pass", "apikey", "authkey", "signature", "sig", "session",
    "sessionid", "sid", "cookie", "jwt", "credential", "credentials", "bearer",
  ]
  /// What makes a word such as `key` one for a door.
  private static let doors: Set<String> = [
    "api", "access", "auth", "private", "secret", "subscription", "client", "app", "service",
  ]

  /// Whether a name speaks of a secret: `Authorization`, `Cookie`, `X-Api-Key`, `access_token`.
  static func contains(_ name: String) -> Bool {
    let parts = self.parts(of: name)
    if parts.contains(where: words.contains) { return true }
    guard let key = parts.firstIndex(of: "key") else { return false }
    return parts.count == 1 || key > 0 && doors.contains(parts[key - 1])
  }

  /// The words of a name, in lower case: `X-Api-Key`, `api_key`, `apiKey`.
  private static func parts(of name: String) -> [String] {
    var parts: [String] = [""]
    var previous: Character = "-"
    for character in name {
      guard character.isLetter || character.isNumber else {
        parts.append("")
        previous = character
        continue
      }
      if character.isUppercase, previous.isLowercase { parts.append("") }
      parts[parts.count - 1] += character.lowercased()
      previous = character
    }
    return parts.filter { !$0.isEmpty }
  }
}
