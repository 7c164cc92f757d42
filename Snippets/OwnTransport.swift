// A transport of one's own: here one that signs what is asked and says how long it took.

import Foundation
import Freshet
import FreshetHTTP

struct Post: ListItem, Codable {
  let id: Int
}

func signature(of url: URL) -> String { "…" }

// snippet.show
struct SigningTransport: HTTPTransport {
  var base: any HTTPTransport = .standard

  func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
    var request = request
    request.headers["X-Signature"] = signature(of: request.url)
    let start = ContinuousClock.now
    defer { print(request.url.path, ContinuousClock.now - start) }
    return try await base.response(to: request, bodyLimit: bodyLimit)
  }
}

let source = HTTPFeedSource<Post>(
  "https://api.example.com/posts", configuration: HTTPConfiguration(transport: SigningTransport()))
// snippet.hide

_ = source
let patient = HTTPConfiguration(transport: .standard(timeouts: HTTPTimeouts(idle: .seconds(60))))
_ = patient
