import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// The failure of the command or of a round: an exit code, and a line with advice.
struct WatchFailure: Error, Equatable, CustomStringConvertible {
  let description: String
  let code: ExitCode
  /// A text that is equal for similar failures, even if their numbers and addresses differ.
  let summary: String
  /// How long the server asked to wait before the next request.
  var retryAfter: Duration?

  init(_ description: String, code: ExitCode) {
    self.description = description
    self.code = code
    summary = description
  }

  init(_ error: FeedError, isPartial: Bool) {
    description = ([error.description] + [Self.advice(error)].compactMap(\.self))
      .joined(separator: " ")
    code = isPartial ? Self.incomplete : Self.code(for: error)
    retryAfter = error.retryAfter
    switch error.httpError {
    case .status(let status, let url, _, _):
      summary = "status \(status) of \(url.host ?? "")"
    case .heldBack(let url, _, _):
      summary = "\(url.host ?? "") asked to be left alone"
    case .unreachable(let url, let code, _):
      summary = "\(url.host ?? "") unreachable: \(code.rawValue)"
    default: summary = description
    }
  }

  /// Creates the failure of a list that is not complete.
  init(incomplete description: String) {
    self.init(description, code: Self.incomplete)
  }

  /// `EX_TEMPFAIL`: only some rows are loaded.
  static let incomplete = ExitCode(75)
  /// `EX_IOERR`: the output cannot be written.
  static let output = ExitCode(74)

  private static func code(for error: FeedError) -> ExitCode {
    switch error.httpError {
    case .invalidURL, .invalidHeader: ExitCode(64)
    case nil: ExitCode(65)
    default: ExitCode(69)
    }
  }

  /// Returns the option that helps, if there is one.
  private static func advice(_ error: FeedError) -> String? {
    switch error {
    case .source(let error as HTTPError): advice(error)
    case .decoding(_, "JSON", let found, _) where found.contains("cut off"):
      "The option is --limit."
    case .decoding(_, "JSON", let found, _)
    where found.contains("UTF-") || found.contains("surrogate"):
      nil
    case .decoding(_, let expected, _, _) where expected.hasPrefix("at most"):
      "The option is --limit."
    case .decoding(_, "JSON", _, _):
      "It takes the address of a JSON API: look at what the address answers, and at --header and --accept."
    case .decoding: "The options are --items and --id."
    case .pagingLoop: "A server that ignores the parameter of --paging answers so: try another one."
    default: nil
    }
  }

  private static func advice(_ error: HTTPError) -> String? {
    switch error {
    case .status(401, _, _, _), .status(403, _, nil, _): "Give credentials with --user or --header."
    case .foreignLink(let url) where url.user == nil && url.scheme?.hasPrefix("http") == true:
      "The option is --allow-foreign-links."
    default: nil
    }
  }

  static func == (first: WatchFailure, second: WatchFailure) -> Bool {
    first.description == second.description && first.code.rawValue == second.code.rawValue
  }
}

extension WatchEnd {
  /// The failure that an end means; `nil` if the rows are those that the user asked for.
  var failure: WatchFailure? {
    switch self {
    case .end, .pages, .rows(_, isAsked: true): nil
    case .rows(let rows, isAsked: false):
      WatchFailure(
        incomplete:
          "The list goes on behind \(rows) rows, as many as are kept. Raise --max-rows for more.")
    case .gaps(let gaps):
      WatchFailure(
        incomplete:
          "Rows are missing at \(gaps) \(gaps == 1 ? "place" : "places"): the list moved on faster than it could be read. Run it again to go on."
      )
    case .failed(let error, let isPartial): WatchFailure(error, isPartial: isPartial)
    }
  }
}
