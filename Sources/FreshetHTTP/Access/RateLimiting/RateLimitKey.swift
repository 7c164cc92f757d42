/// The client that a server's rate limit counts: servers count each account separately.
enum RateLimitKey: Hashable, Sendable {
  /// A request without credentials.
  case anybody
  /// The account that the app named.
  case account(String)
  /// The owner of some secrets, as a digest that is valid in this process only.
  case holder(of: [UInt8])

  /// Creates the key of a request with these credentials.
  ///
  /// - Parameters:
  ///   - fields: the header fields of credentials; `nil` for a request to a foreign origin.
  ///   - account: the app's name for the account.
  ///   - own: the secrets in the list's own URL and in the fields that are sent to every origin.
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
