import Foundation

/// An event that a page in a browser receives on its stream.
enum ServerSentEvent {
  /// Returns an event with a value, as text.
  static func text(_ name: String, _ value: some Encodable) -> String {
    let data = (try? JSONEncoder().encode(value)) ?? Data("{}".utf8)
    return "event: \(name)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}
