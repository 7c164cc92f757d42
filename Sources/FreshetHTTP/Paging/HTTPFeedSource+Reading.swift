internal import Foundation
internal import Freshet

extension HTTPFeedSource {
  /// Reads the page at a URL, of which `limit` rows were requested.
  func read(
    _ url: URL, by conditional: ConditionalRead, limit: Int
  ) async throws -> PageAnswer<Item> {
    let (response, answered) = try await client.answer(to: url, by: conditional)
    var page = PageAnswer<Item>(response, url: url, answered: answered)
    // A response without content is an empty page (RFC 9110, section 15.3.5).
    if response.status == 204 { return page }
    var reading = reading
    reading.rowLimit = max(BodyBounds.rows, limit, CountingLink.size(url) ?? 0)
    do {
      try BodyCheck.check(response.body, limit: client.configuration.bodyLimit)
      let envelope = try Envelope<Item>.read(response.body, reading, with: decoder())
      page.take(envelope)
      page.invalidItem = envelope.firstInvalid.map {
        DecodingDiagnostics.error($0, in: response, from: answered)
      }
    } catch let error as DecodingError {
      throw DecodingDiagnostics.error(error, in: response, from: answered)
    } catch FeedError.decoding(let path, let expected, let found, nil) {
      throw FeedError.decoding(path: path, expected: expected, found: found, url: answered)
    }
    return page
  }
}
