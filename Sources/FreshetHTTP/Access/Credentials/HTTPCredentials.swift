internal import Foundation
internal import Freshet

/// Header fields that identify the user to the origin of a list, and to no other (rule N1).
///
/// They are sent only to the scheme, host and port of the list's own URL. They are not sent along
/// a link or redirection to another origin, and never from `https` to `http`.
///
/// ```swift
/// let commits = try HTTPFeedSource<Post>(
///   url,
///   credentials: HTTPCredentials { refreshing in
///     .bearer(try await account.token(renewed: refreshing))
///   })
/// ```
///
/// One value is one account. Use the same value for all lists of the account, so that an expired
/// token is refreshed once for all of them.
public struct HTTPCredentials: Sendable, ExpressibleByDictionaryLiteral {
  let keeper: CredentialKeeper
  /// Whether the user name and password are taken from the list's URL.
  private(set) var takesUserInformation = false
  /// The app's name for the account.
  fileprivate(set) var account: String?

  /// Sends no credentials with any request.
  public static let none = HTTPCredentials(fixed: [:])

  /// Basic credentials from the user name and password in the list's URL.
  ///
  /// Such a URL has the form `https://user:password@host/`. If the URL has no user name, no
  /// credentials are sent. The user name and password are removed from the URL: they appear in no
  /// request, page key or error.
  public static let userInformation = {
    var credentials = none
    credentials.takesUserInformation = true
    return credentials
  }()

  /// Returns credentials with a fixed token (RFC 6750).
  public static func bearer(_ token: String) -> HTTPCredentials {
    HTTPCredentials(fixed: .bearer(token))
  }

  /// Returns credentials with a user name and a password (RFC 7617), in UTF-8.
  ///
  /// A user name with a colon cannot be sent, so each load fails with `HTTPError.invalidHeader`.
  public static func basic(user: String, password: String) -> HTTPCredentials {
    do {
      return HTTPCredentials(fixed: try .basic(user: user, password: password))
    } catch {
      return HTTPCredentials { _ in throw error }
    }
  }

  /// Creates credentials from a closure that provides the header fields of each request.
  ///
  /// If the server answers with 401, the closure is called once more with `refreshing` set to
  /// `true`, and the request is repeated once.
  ///
  /// Loads that receive a 401 at the same time share one refresh. If a request is older than the
  /// last refresh, it does not start another one. It is repeated with the fields from that
  /// refresh.
  ///
  /// - Parameter fields: returns the header fields of a request. An error that it throws fails the
  ///   load as `FeedError.source`. Fields that cannot be sent fail it with
  ///   `HTTPError.invalidHeader`.
  public init(
    _ fields: @escaping @Sendable (_ refreshing: Bool) async throws -> HTTPHeaders
  ) {
    keeper = CredentialKeeper(fields)
  }

  /// Returns the same credentials for a named account, whatever fields are sent.
  ///
  /// A validator (`Page.validator`) is sent only with requests of the account that received it,
  /// because the server may show other rows to another account. Without a name, a validator is
  /// bound to the header fields themselves. After a token was refreshed, each list then needs one
  /// response with a body. With a password, that is so after each launch, because nothing is
  /// stored that the password could be guessed from.
  ///
  /// - Parameter name: the id of the account in your app. It is not a secret and is stored only as
  ///   a digest.
  public func account(_ name: String) -> HTTPCredentials {
    var credentials = self
    credentials.account = name
    return credentials
  }

  /// Creates credentials with fixed header fields.
  public init(dictionaryLiteral elements: (String, String)...) {
    var headers: HTTPHeaders = [:]
    for (name, value) in elements { headers.append(name, value) }
    self.init(fixed: headers)
  }

  /// Creates credentials with fixed header fields.
  public init(_ headers: HTTPHeaders) { self.init(fixed: headers) }

  private init(fixed headers: HTTPHeaders) { keeper = CredentialKeeper(fixed: headers) }
}

extension HTTPHeaders {
  /// Returns the `Authorization` field with a token (RFC 6750).
  public static func bearer(_ token: String) -> HTTPHeaders {
    ["Authorization": "Bearer \(token)"]
  }

  /// Returns the `Authorization` field with a user name and a password (RFC 7617), in UTF-8.
  ///
  /// - Throws: `HTTPError.invalidHeader` for a user name with a colon, which would end the name,
  ///   and for control characters in either.
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
  /// Returns the credentials, and the URL without user information if they are taken from it.
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
