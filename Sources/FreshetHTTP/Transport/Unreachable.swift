internal import Foundation
internal import Freshet

/// The reason that a request got no response, as a `URLError` code and in plain words.
struct Unreachable: Error, Hashable, Sendable {
  let code: URLError.Code
  let reason: String

  init(_ code: URLError.Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Creates the reason for an error of a session.
  ///
  /// The session's own description names codes if it has no words for the error.
  init(_ error: URLError) {
    self.init(error.code, Self.reasons[error.code] ?? error.localizedDescription)
  }

  /// Creates the reason for a head that is not a valid response.
  init(_ problem: ResponseHead.Problem) {
    switch problem {
    case .tooLong:
      self.init(
        .dataLengthExceedsMaximum,
        "the header of the answer is longer than \(ResponseHead.byteLimit) bytes or \(ResponseHead.fieldLimit) lines"
      )
    case .malformed: self.init(.badServerResponse)
    case .packedTwice: self.init(.cannotDecodeContentData, "the body is packed more than once")
    }
  }

  /// Creates the reason for a code, with its usual words.
  init(_ code: URLError.Code) {
    self.init(code, Self.reasons[code] ?? "the request failed")
  }

  func error(_ url: URL) -> HTTPError { .unreachable(url, code: code, reason: reason) }

  private static let reasons: [URLError.Code: String] = [
    .badServerResponse: "what answers there does not speak HTTP, or speaks it wrongly",
    .badURL: "the address cannot be read",
    .cannotConnectToHost: "the connection was refused",
    .cannotDecodeContentData: "the body of the answer cannot be unpacked",
    .cannotFindHost: "no host has this name",
    .clientCertificateRejected: "the server did not accept the client's certificate",
    .clientCertificateRequired: "the server asks for a certificate of the client",
    .dnsLookupFailed: "the name of the host could not be looked up",
    .networkConnectionLost: "the connection broke off before the answer was complete",
    .notConnectedToInternet: "there is no connection to the internet",
    .secureConnectionFailed: "no secure connection could be agreed on",
    .serverCertificateHasBadDate: "the certificate of the server has expired",
    .serverCertificateHasUnknownRoot:
      "the certificate of the server comes from an unknown authority",
    .serverCertificateNotYetValid: "the certificate of the server is not valid yet",
    .serverCertificateUntrusted:
      "the certificate of the server is for another name or cannot be trusted",
    .timedOut: "the answer took too long",
  ]
}

extension HTTPRequest {
  /// Returns the address for the request, built only from the parts that were checked.
  ///
  /// - Throws: `HTTPError.invalidURL`, or `HTTPError.unreachable` for a header field that would
  ///   end its line. Neither contains a value.
  func address() throws(HTTPError) -> String {
    guard let address = Origin.address(of: url) else { throw .invalidURL(url) }
    if let field = headers.fields.first(where: { !$0.isSendable }) {
      let name = field.hasName ? field.name : "whose name is no name"
      throw Unreachable(.badURL, "the header field \(name) cannot be sent as it is").error(url)
    }
    return address
  }
}
