internal import Foundation
internal import Freshet

/// What tells a server who asks: header fields for the origin of a list and for nobody else (rule
/// N1).
///
/// They go to the scheme, host and port of the list's own URL: not to a link elsewhere, not along a
/// redirection away, and never from `https` down to `http`.
///
/// ```swift
/// let commits = try HTTPFeedSource<Post>(
///   url,
///   credentials: HTTPCredentials { refreshing in
///     .bearer(try await account.token(renewed: refreshing))
///   })
/// ```
///
/// A value is one account: hand the same one to all lists of the account, and a token that expired
/// is refreshed once for all of them.
public struct HTTPCredentials: Sendable, ExpressibleByDictionaryLiteral {
  let keeper: CredentialKeeper
  /// Whether user name and password are taken out of the URL of the list.
  private(set) var takesUserInformation = false
  /// What the app calls the account.
  fileprivate(set) var account: String?

  /// Nothing is sent beside the request.
  public static let none = HTTPCredentials(fixed: [:])

  /// The user name and the password in the URL of the list (`https://user:password@host/`), as
  /// Basic credentials; none where it has no user name.
  ///
  /// The list's URL goes without them from then on: into no request, no page key and no error.
  public static let userInformation = {
    var credentials = none
    credentials.takesUserInformation = true
    return credentials
  }()

  /// A token that stays the same (RFC 6750).
  public static func bearer(_ token: String) -> HTTPCredentials {
    HTTPCredentials(fixed: .bearer(token))
  }

  /// A user name and a password (RFC 7617), in UTF-8.
  ///
  /// A user name with a colon cannot be sent: each load then fails with `HTTPError.invalidHeader`.
  public static func basic(user: String, password: String) -> HTTPCredentials {
    do {
      return HTTPCredentials(fixed: try .basic(user: user, password: password))
    } catch {
      return HTTPCredentials { _ in throw error }
    }
  }

  /// Creates credentials that are asked for with each request, and once more with `refreshing`
  /// where the server answers 401: the request is then repeated once.
  ///
  /// Loads that meet a 401 at the same time share one refresh. One whose request was older than the
  /// last refresh does not ask for another, but repeats its request with what that one gave.
  ///
  /// - Parameter fields: gives the header fields of a request. What it throws is the error of the
  ///   load, as `FeedError.source`. Fields that cannot be sent are `HTTPError.invalidHeader`.
  public init(
    _ fields: @escaping @Sendable (_ refreshing: Bool) async throws -> HTTPHeaders
  ) {
    keeper = CredentialKeeper(fields)
  }

  /// The same credentials, of an account that has a name: it is the same one whatever fields are
  /// sent.
  ///
  /// What a server says to be unchanged, it says of what it showed to this account: validators
  /// (`Page.validator`) go with requests of the account they came to, and of no other. Without a
  /// name they are bound to the fields themselves: then a token that was refreshed costs each list
  /// one answer with a body, and so does a password with each launch, because nothing is stored
  /// that it could be guessed from.
  ///
  /// - Parameter name: the id that your app has for the account. It is no secret, and stored as a
  ///   digest only.
  public func account(_ name: String) -> HTTPCredentials {
    var credentials = self
    credentials.account = name
    return credentials
  }

  /// Creates credentials that stay the same.
  public init(dictionaryLiteral elements: (String, String)...) {
    var headers: HTTPHeaders = [:]
    for (name, value) in elements { headers.append(name, value) }
    self.init(fixed: headers)
  }

  /// Creates credentials that stay the same.
  public init(_ headers: HTTPHeaders) { self.init(fixed: headers) }

  private init(fixed headers: HTTPHeaders) { keeper = CredentialKeeper(fixed: headers) }
}

extension HTTPHeaders {
  /// The `Authorization` field with a token (RFC 6750).
  public static func bearer(_ token: String) -> HTTPHeaders {
    ["Authorization": "Bearer \(token)"]
  }

  /// The `Authorization` field with a user name and a password (RFC 7617), in UTF-8.
  ///
  /// - Throws: `HTTPError.invalidHeader` for a user name with a colon, which would end it, and for
  ///   control characters in either.
  public static func basic(user: String, password: String) throws(HTTPError) -> HTTPHeaders {
    guard !user.unicodeScalars.contains(":") else {
      throw .invalidHeader(name: "Authorization", reason: "a user name cannot hold a colon")
    }
    guard
      !"\(user)\(password)".unicodeScalars.contains(where: {
        $0.properties.generalCategory == .control
      })
    else {
      throw .invalidHeader(
        name: "Authorization",
        reason: "a user name and a password cannot hold control characters")
    }
    let text = Data("\(user):\(password)".utf8).base64EncodedString()
    return ["Authorization": "Basic \(text)"]
  }
}

extension HTTPCredentials {
  /// The credentials and the URL without user information, where they are to be taken from it.
  func taking(from url: URL) -> (credentials: HTTPCredentials, url: URL) {
    guard takesUserInformation, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return (self, url) }
    let (user, password) = (parts.user, parts.password)
    (parts.user, parts.password) = (nil, nil)
    guard let bare = parts.url else { return (self, url) }
    guard let user, !user.isEmpty || password != nil else { return (.none, bare) }
    var basic = HTTPCredentials.basic(user: user, password: password ?? "")
    basic.account = account
    return (basic, bare)
  }
}
