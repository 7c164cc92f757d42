internal import Foundation
internal import Freshet

/// The evidence in a response that the list has more rows than the page (rule T8).
///
/// In order of strength, it is an error beside the rows, a flag, a named next page, or a total
/// beyond the rows delivered. A total that is not larger than the number of rows is no evidence:
/// `count` may be about this page.
struct MorePagesEvidence: Hashable, Sendable {
  /// The signals of more rows, strongest first.
  let evidence: [PaginationSignal]
  /// All signals, for advice.
  private let signals: [PaginationSignal]

  /// - Parameters:
  ///   - position: how many rows the list has up to the end of this page, if that is known.
  ///   - page: the number of the page, counted from one, if that is known.
  /// - Returns: `nil` if there is no such evidence.
  init?(in signals: [PaginationSignal], position: Int?, page: Int?) {
    let flags = signals.filter {
      $0.meaning == .hasMore && $0.flag == true || $0.meaning == .isLast && $0.flag == false
    }
    var evidence = signals.filter { $0.meaning == .trouble } + flags
    if !flags.isEmpty || !Self.reportsEnd(signals) {
      evidence += signals.filter(\.namesNext)
      evidence += signals.filter { signal in
        guard let number = signal.value.wholeNumber else { return false }
        return switch signal.meaning {
        case .total, .count: position.map { number > $0 } ?? false
        case .pages: page.map { number > $0 } ?? false
        default: false
        }
      }
    }
    guard !evidence.isEmpty else { return nil }
    self.evidence = evidence
    self.signals = signals
  }

  /// Returns whether a flag says that this is the last page.
  ///
  /// A flag for a complete response does not count.
  static func reportsEnd(_ signals: [PaginationSignal]) -> Bool {
    signals.contains { signal in
      switch (signal.meaning, signal.flag) {
      case (.isLast, true?), (.hasMore, false?): !SignalName(signal.name).isAboutAnswer
      default: false
      }
    }
  }

  /// Returns whether a total proves that the page is the last one.
  ///
  /// The total must be reached exactly: a number that was exceeded counts something else. A
  /// `count` equal to the rows on the page may be about the page.
  static func provesEnd(_ signals: [PaginationSignal], position: Int?, page: Int?, rows: Int)
    -> Bool
  {
    if reportsEnd(signals) {
      return MorePagesEvidence(in: signals, position: position, page: page) == nil
    }
    let totals = signals.compactMap { signal -> Bool? in
      guard let number = signal.value.wholeNumber, !signal.isLowerBound,
        !SignalName(signal.name).isEstimate
      else { return nil }
      return switch signal.meaning {
      case .total: position.map { $0 == number }
      case .count: number == rows ? nil : position.map { $0 == number }
      case .pages: page.map { $0 == number }
      default: nil
      }
    }
    return totals.contains(true) && !totals.contains(false)
      && MorePagesEvidence(in: signals, position: position, page: page) == nil
  }

  /// Whether a flag is part of the evidence.
  var isFlagged: Bool { evidence.contains { [.hasMore, .isLast].contains($0.meaning) } }

  /// The evidence as an error names it.
  var seen: String {
    evidence.prefix(3).map { signal in
      switch signal.value {
      case _ where signal.place == .status: signal.placeText
      case .flag(let flag): "\(signal.placeText) = \(flag)"
      case _ where signal.namesNext: signal.placeText
      default: "\(signal.placeText) = \(signal.value.token?.shownSafely ?? signal.value.kind)"
      }
    }.joined(separator: ", ")
  }

  /// The advice on what to try.
  var advice: String {
    if evidence.first?.meaning == .trouble {
      return
        "The server reports this beside its rows, so they may not be all: ask again, or for fewer rows at a time. Where that is no error, say so with .trusted, in a shell with \"!\" behind the style."
    }
    return PagingAdvice(evidence: evidence, signals: signals).text
  }
}

extension PaginationSignal {
  /// Whether it names the next page.
  var namesNext: Bool {
    switch meaning {
    case .nextLink, .linkHeader: true
    case .next:
      switch value {
      case .number: value.wholeNumber.map { $0 > 0 } ?? true
      case .object, .array: true
      default: value.token != nil
      }
    default: false
    }
  }

  /// The value of a flag; a number of remaining rows also counts as a flag.
  var flag: Bool? {
    if SignalName(name).isRemainder { return value.wholeNumber.map { $0 > 0 } }
    return value.answersYes
  }

  /// Whether it says that the page is not the first one.
  var isBehindFirst: Bool { meaning == .isFirst && flag == false }

  /// Whether it names the next page by its URL.
  var isURL: Bool {
    guard namesNext, case .text(let text) = value else { return false }
    return meaning != .next || text.looksLikeURL
  }
}

extension String {
  /// Whether it is a URL or a relative reference, and not a token.
  var looksLikeURL: Bool {
    contains("://") || hasPrefix("/") || hasPrefix("?") || hasPrefix("./") || hasPrefix("../")
      || contains("?") && contains("=")
  }
}
