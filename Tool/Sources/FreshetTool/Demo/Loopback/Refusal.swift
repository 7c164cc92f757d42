import FlyingFox
import Foundation

/// The reason a request is refused: what is wrong with it, and what to try.
struct Refusal: Error, Equatable {
  let status: HTTPStatusCode
  let reason: String

  init(_ status: HTTPStatusCode, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// The response that explains the refusal to the caller.
  var response: HTTPResponse {
    let body = try? JSONEncoder().encode(["error": reason])
    return HTTPResponse(
      statusCode: status, headers: [.contentType: "application/json"], body: body ?? Data())
  }

  static func == (first: Refusal, second: Refusal) -> Bool {
    first.status.code == second.status.code && first.reason == second.reason
  }
}

extension HTTPRequest {
  /// Returns the number of a query parameter; `nil` if the parameter is absent.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Refusal(
        .badRequest,
        "\(name) needs a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\".")
    }
    return number
  }
}
