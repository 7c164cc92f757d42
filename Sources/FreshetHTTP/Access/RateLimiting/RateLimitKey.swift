/// Who asks a server, as far as its limits are concerned: a server that serves many accounts counts
/// each of them, and so do we.
enum RateLimitKey: Hashable, Sendable {
  /// Anybody: no credentials were sent.
  case anybody
  /// The account that the app named.
  case account(String)
  /// Whoever has some secrets, as a digest that is of use in this process alone.
  case holder(of: [UInt8])

  /// Who sends these credentials.
  ///
  /// - Parameters:
  ///   - fields: the header fields of credentials; `nil` for a request to a stranger.
  ///   - account: what the app calls the account.
  ///   - own: the secrets in the list's own URL and in what goes to every origin.
  init(_ fields: HTTPHeaders?, account: String?, own: LinkSecrets) {
    guard let fields else {
      self = .anybody
      return
    }
    let secrets = (SentSecret.telling(in: fields) + own.sent.all).map(\.value)
    if let account {
      self = .account(account)
    } else if secrets.isEmpty {
      self = .anybody
    } else {
      var bytes = RequestIdentity.processKey
      for secret in secrets.sorted() { bytes += "\(secret.utf8.count):\(secret)".utf8 }
      self = .holder(of: SHA256.hash(bytes))
    }
  }
}
