internal import Foundation
internal import Freshet

/// The secrets that requests carry, recognised wherever a server repeats their values.
///
/// A server may repeat a value under another name, in a path, escaped, in Base64 or in hexadecimal
/// (rules N1, N5).
struct SentSecrets: Sendable {
  /// The place of a secret in a text.
  struct Place {
    let range: Range<Int>
    let secret: SentSecret
    /// The code for the same form, or for one with the same meaning in a URL.
    let code: String
  }

  private(set) var all: [SentSecret] = []

  init(_ secrets: [SentSecret] = []) { add(secrets) }

  /// Adds the secrets whose values are not known yet.
  mutating func add(_ secrets: [SentSecret]) {
    for secret in secrets where !all.contains(where: { $0.value == secret.value }) {
      all.append(secret)
    }
  }

  /// The number of escape layers that are undone: those of a URL in a URL, in JSON.
  private static var depth: Int { 3 }

  /// Returns the places of secrets, from left to right and without overlaps.
  ///
  /// Of places that overlap, the first and longest is kept.
  ///
  /// - Parameter withBeginnings: whether to include a beginning of a secret if an ellipsis
  ///   follows.
  func places(in text: String, withBeginnings: Bool = false) -> [Place] {
    guard !all.isEmpty else { return [] }
    var places: [Place] = []
    var layer = EscapeLayer(text)
    for depth in 0...Self.depth {
      if depth > 0 {
        guard let next = layer.unescaped() else { break }
        layer = next
      }
      for secret in all {
        for form in secret.forms {
          for range in form.pattern.places(in: layer.bytes, withBeginnings: withBeginnings) {
            let origin = layer.origin(of: range)
            // If the original has the length of the form, it is written in that form without more
            // escapes.
            let isForm = origin.count == form.text.utf8.count
            let code = secret.code(of: form, escapedTimes: isForm ? 0 : depth)
            places.append(Place(range: origin, secret: secret, code: code))
          }
        }
      }
    }
    return Self.apart(places)
  }

  private static func apart(_ places: [Place]) -> [Place] {
    let sorted = places.enumerated().sorted {
      let (first, second) = ($0.element.range, $1.element.range)
      return (first.lowerBound, -first.count, $0.offset)
        < (second.lowerBound, -second.count, $1.offset)
    }
    var (result, end) = ([Place](), 0)
    for (_, place) in sorted where place.range.lowerBound >= end && !place.range.isEmpty {
      result.append(place)
      end = place.range.upperBound
    }
    return result
  }

  /// Returns whether a text holds a secret.
  func appear(in text: String) -> Bool { !places(in: text).isEmpty }

  /// Returns the text with a mark in place of every secret.
  func hidden(in text: String) -> String {
    replacing(places(in: text, withBeginnings: true), in: text) { _ in Secrets.mark }
  }

  /// Returns the text with the secrets replaced.
  func replacing(
    _ places: [Place], in text: String, with replacement: (Place) -> String
  ) -> String {
    guard !places.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var (result, end) = ([UInt8](), 0)
    for place in places {
      result += bytes[end..<place.range.lowerBound]
      result += replacement(place).utf8
      end = place.range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  /// Returns the error without secrets.
  func hidden(in error: FeedError) -> FeedError {
    if case .source(let inner as HTTPError) = error { return .source(hidden(in: inner)) }
    return all.isEmpty ? error : error.mapTexts(hidden, urls: hidden)
  }

  /// Returns the error without secrets.
  func hidden(in error: HTTPError) -> HTTPError {
    all.isEmpty ? error : error.mapTexts(hidden, urls: hidden)
  }

  private func hidden(in url: URL) -> URL {
    let text = hidden(in: url.absoluteString)
    return text == url.absoluteString ? url : URL(string: text) ?? url.origin
  }
}

extension URL {
  /// The part of a URL that can be shown if the URL as a whole cannot.
  fileprivate var origin: URL {
    Origin(self).flatMap { URL(string: "\($0.scheme)://\(Secrets.mark)") }
      ?? URL(fileURLWithPath: "/")
  }
}
