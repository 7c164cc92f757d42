/// The state of the last fetch of live results.
///
/// Failures are compared as `FeedError` compares the failures of a source: by `==` if they are
/// `Equatable`, and otherwise by their type and their text.
public enum FetchState: Equatable, Sendable {
  /// Nothing was fetched yet.
  case initial
  /// The initial results are loading; rows of earlier fetches may be shown.
  case loading
  /// The initial results are loaded. A long-running query continues.
  case loaded
  /// The query failed. The results that it found before are still shown.
  case failed(any Error)

  /// The reason why the query failed, if it did.
  public var failure: (any Error)? { if case .failed(let error) = self { error } else { nil } }

  /// Whether the initial results are loading.
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

/// The status of the last fetch of live results, and the reports of its store.
public struct FetchStatus: Sendable {
  /// The state of the fetch.
  public internal(set) var state = FetchState.initial
  /// The progress of the fetch, while it is loading and if the store reports it.
  public internal(set) var progress: FetchProgress?
  /// The reason why the store cannot report changes at the moment.
  ///
  /// The store is trying again, and the changes that it missed will be shown.
  public internal(set) var interruption: (any Error)?
  /// The number of rows left out because they do not decode or share an id with another row.
  ///
  /// They are shown once that is resolved.
  public internal(set) var invalidItems = 0
  /// The error of the first of them.
  public internal(set) var invalidItem: (any Error)?

  /// Returns the parts of a value that differ because of this status.
  ///
  /// Interruptions cannot be compared: while there is one, every status counts as different.
  func parts(differingFrom other: FetchStatus) -> ChangedProperties {
    if state != other.state || interruption != nil || other.interruption != nil {
      return [.state, .fetch]
    }
    return progress != other.progress || invalidItems != other.invalidItems ? .fetch : []
  }
}

extension ListState {
  /// Creates the load states of live results, which have no pages.
  init(_ fetch: FetchState) {
    self.init(next: .end)
    switch fetch {
    case .initial, .loaded: refresh = .idle
    case .loading: refresh = .loading
    case .failed(let error): refresh = .failed(error as? FeedError ?? .source(error))
    }
  }
}
