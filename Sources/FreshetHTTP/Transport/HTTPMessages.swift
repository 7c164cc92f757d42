public import struct Foundation.Data
public import struct Foundation.URL

/// The method of a request (RFC 9110, section 9).
@nonexhaustive
public enum HTTPMethod: String, Sendable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// A request as a transport sends it.
///
/// Pages are requested with `GET` and without a body. Changes have other methods: see
/// `HTTPFeedSource.send(_:_:_:for:returning:)`.
public struct HTTPRequest: Hashable, Sendable {
  /// The URL to request, with its query.
  public var url: URL
  /// The method of the request.
  public var method: HTTPMethod
  /// The header fields to send.
  public var headers: HTTPHeaders
  /// The body to send; `nil` for none.
  public var body: Data?

  /// Creates a request for a URL.
  public init(
    _ url: URL, method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: Data? = nil
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
  }
}

/// A response: its status, its header fields and its whole body, decompressed.
public struct HTTPResponse: Sendable {
  /// The status code, such as 200 or 304.
  public var status: Int
  /// The header fields of the response.
  public var headers: HTTPHeaders
  /// The body of the response, after decompression.
  public var body: Data

  /// Creates a response, for transports of your own and for tests.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The header fields of a message, found by name in any case (RFC 9110, section 5.1).
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The fields in their order; a name may occur several times.
  public private(set) var fields: [Field] = []

  /// A header field: a name and a value.
  public struct Field: Hashable, Sendable {
    /// The name as it was written.
    public let name: String
    /// The value without spaces around it.
    public let value: String
  }

  /// Creates fields from a literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Creates fields, in the order of their names.
  public init(_ fields: [String: String]) {
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { append(name, value) }
  }

  /// The value of a name; several values are joined by commas.
  ///
  /// Setting it replaces them all.
  public subscript(name: String) -> String? {
    get {
      let values = fields.lazy.filter { $0.name.isSameField(as: name) }.map(\.value)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      fields.removeAll { $0.name.isSameField(as: name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Adds a field after those that are there.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }
}

extension String {
  fileprivate func isSameField(as name: String) -> Bool { lowercased() == name.lowercased() }
}
