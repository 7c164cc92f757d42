internal import Foundation
internal import Freshet

/// The parts of two requests that must be equal so that one response is valid for both (rule N3).
///
/// They are the URL, the way bodies are read, the header fields, and the sender. All fields that
/// are sent count, so the fields that `Vary` names in the response are equal, too.
struct RequestIdentity: Sendable {
  /// The URL, with marks in place of secrets.
  let url: String
  let reading: String
  /// The fields that are sent to every origin.
  let headers: HTTPHeaders
  let asker: Asker

  /// The sender of a request.
  enum Asker: Sendable {
    /// An anonymous sender: no credentials were sent.
    case anybody
    /// The account that the app named.
    case account(String)
    /// The owner of these credentials; `isBeyondGuessing` if they cannot be found by trial.
    case holder(of: [String], isBeyondGuessing: Bool)
  }

  /// The random key of this process; it is never stored.
  static let processKey = (0..<32).map { _ in UInt8.random(in: 0...255) }

  /// Returns a digest of the request that does not reveal what it was made from.
  ///
  /// Credentials such as a password could be found by trying candidates against the digest. In
  /// that case the digest includes a key that exists only in this process. In another process it
  /// then matches no request.
  ///
  /// - Parameters:
  ///   - salt: varies the digest, so that two digests do not reveal that they belong to one
  ///     request.
  ///   - key: the key of the process.
  func digest(salt: String, key: [UInt8] = processKey) -> String {
    var bytes: [UInt8] = []
    func add(_ part: some Sequence<UInt8>) {
      let part = Array(part)
      // The length marks the end of each part.
      bytes += "\(part.count):".utf8
      bytes += part
    }
    add(salt.utf8)
    add(url.utf8)
    add(reading.utf8)
    add("\(headers.fields.count)".utf8)
    for field in headers.fields {
      add(field.name.lowercased().utf8)
      add(field.value.utf8)
    }
    switch asker {
    case .anybody: add("anybody".utf8)
    case .account(let name):
      add("account".utf8)
      add(name.utf8)
    case .holder(let texts, let isBeyondGuessing):
      add("holder".utf8)
      add(isBeyondGuessing ? [] : key)
      for text in texts { add(text.utf8) }
    }
    return SHA256.hash(bytes).prefix(16).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }
}

extension RequestIdentity.Asker {
  /// Creates the sender that has these credentials.
  ///
  /// - Parameters:
  ///   - fields: the header fields of credentials.
  ///   - account: the app's name for the account.
  ///   - own: the secrets in the list's own URL and in the fields that are sent to every origin.
  init(_ fields: HTTPHeaders, account: String?, own: LinkSecrets) {
    let secrets = SentSecret.telling(in: fields) + own.sent.all
    if let account {
      self = .account(account)
    } else if fields.fields.isEmpty, secrets.isEmpty, own.queryValues.isEmpty {
      self = .anybody
    } else {
      let texts = fields.fields.flatMap { [$0.name.lowercased(), $0.value] }
      self = .holder(
        of: texts + own.queryValues,
        isBeyondGuessing: secrets.contains(where: \.isBeyondGuessing))
    }
  }
}
