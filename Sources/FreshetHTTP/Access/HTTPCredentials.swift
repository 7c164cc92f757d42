/// What tells a server who asks: header fields for the origin of a list and for nobody else (rule N1).
public struct HTTPCredentials: Sendable, ExpressibleByDictionaryLiteral {
  /// Gives the fields for a request; `refreshing` after the server said that the last ones do not do.
  let fields: @Sendable (_ refreshing: Bool) async throws -> HTTPHeaders

  /// No credentials.
  public static let none: HTTPCredentials = [:]

  /// Creates credentials that are asked for with each request, and once more with `refreshing` after a
  /// 401.
  public init(
    _ fields: @escaping @Sendable (_ refreshing: Bool) async throws -> HTTPHeaders
  ) {
    self.fields = fields
  }

  /// Creates credentials that stay the same.
  public init(dictionaryLiteral elements: (String, String)...) {
    let headers = HTTPHeaders(Dictionary(elements) { $1 })
    self.init { _ in headers }
  }
}
