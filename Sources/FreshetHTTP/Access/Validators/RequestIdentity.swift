internal import Foundation
internal import Freshet

/// What has to be the same in two requests for the answer to one to stand for the other's: the URL,
/// how bodies are read, the header fields, and who asks (rule N3).
///
/// All fields that are sent count, so that whatever the answer's `Vary` names is the same, too.
struct RequestIdentity: Sendable {
  /// The URL, with marks in place of secrets.
  let url: String
  let reading: String
  /// The fields that go to every origin.
  let headers: HTTPHeaders
  let asker: Asker

  /// Who asks.
  enum Asker: Sendable {
    /// Anybody: no credentials were sent.
    case anybody
    /// The account that the app named.
    case account(String)
    /// Whoever has these credentials; `isBeyondGuessing` where nobody finds them by trying.
    case holder(of: [String], isBeyondGuessing: Bool)
  }

  /// Drawn anew by each process, and never stored.
  static let processKey = (0..<32).map { _ in UInt8.random(in: 0...255) }

  /// A number for the request, that tells nobody what it was made of.
  ///
  /// Where the credentials could be found by trying them against the number, a password, say, the
  /// number is made with a key that is nowhere but in this process: in another one it is none of a
  /// request.
  ///
  /// - Parameters:
  ///   - salt: makes it another number, lest two of them tell that they are of the same request.
  ///   - key: the key of the process.
  func digest(salt: String, key: [UInt8] = processKey) -> String {
    var bytes: [UInt8] = []
    func add(_ part: some Sequence<UInt8>) {
      let part = Array(part)
      // How long each part is makes it clear where it ends.
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
  /// Who sends these credentials.
  ///
  /// - Parameters:
  ///   - fields: the header fields of credentials.
  ///   - account: what the app calls the account.
  ///   - own: the secrets in the list's own URL and in what goes to every origin.
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
