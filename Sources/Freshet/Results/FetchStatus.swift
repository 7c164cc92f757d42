/// The state of the last fetch of live results.
///
/// Failures are compared as `FeedError` compares those of a source: as they compare themselves if
/// they are `Equatable`, and otherwise by their type and their text.
public enum FetchState: Equatable, Sendable {
  /// Nothing was fetched yet.
  case initial
  /// The initial results are on their way; rows of earlier fetches may be shown.
  case loading
  /// The initial results are there. A long-running query goes on.
  case loaded
  /// The query failed. What it found before is still shown.
  case failed(any Error)

  /// Why the query failed, if it did.
  public var failure: (any Error)? { if case .failed(let error) = self { error } else { nil } }

  /// Whether the initial results are on their way.
  public var isLoading: Bool { self == .loading }

  /// Whether both are the same state, with equal failures.
  public static func == (first: FetchState, second: FetchState) -> Bool {
    switch (first, second) {
    case (.initial, .initial), (.loading, .loading), (.loaded, .loaded): true
    case (.failed(let first), .failed(let second)): FeedError.areEqual(first, second)
    default: false
    }
  }
}

/// The status of the last fetch of live results, and what its store reports.
public struct FetchStatus: Sendable {
  /// The state of the fetch.
  public internal(set) var state = FetchState.initial
  /// The progress of the fetch, while it is on its way and if the store reports it.
  public internal(set) var progress: FetchProgress?
  /// Why the store cannot report changes at the moment; it is trying again, and what it missed will
  /// be shown.
  public internal(set) var interruption: (any Error)?
  /// How many rows the store left out because they do not decode, or because another row has the
  /// same id; they are shown once that is over.
  public internal(set) var invalidItems = 0
  /// What is wrong with the first of them.
  public internal(set) var invalidItem: (any Error)?

  /// The parts of a value that differ because of it.
  ///
  /// Interruptions do not compare: while there is one, every status counts.
  func parts(differingFrom other: FetchStatus) -> ChangedProperties {
    if state != other.state || interruption != nil || other.interruption != nil {
      return [.state, .fetch]
    }
    return progress != other.progress || invalidItems != other.invalidItems ? .fetch : []
  }
}

extension ListState {
  /// The load states of live results: they have no pages.
  init(_ fetch: FetchState) {
    self.init(next: .end)
    switch fetch {
    case .initial, .loaded: refresh = .idle
    case .loading: refresh = .loading
    case .failed(let error): refresh = .failed(error as? FeedError ?? .source(error))
    }
  }
}
