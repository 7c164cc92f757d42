public import FreshetLists

/// How the last fetch of results stands.
///
/// Failures are compared as `FeedError` compares those of a source: as they compare themselves
/// where they are `Equatable`, and else by their type and their text.
public enum ResultsState: Equatable, Sendable {
  /// Nothing was asked for yet.
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

  /// Whether both stand in the same way, with equal failures.
  public static func == (first: ResultsState, second: ResultsState) -> Bool {
    switch (first, second) {
    case (.initial, .initial), (.loading, .loading), (.loaded, .loaded): true
    case (.failed(let first), .failed(let second)): FeedError.areEqual(first, second)
    default: false
    }
  }
}

/// All that live results show at one moment: rows and state as one value (rule R5).
public struct ResultsValue<Item: ListItem>: Sendable {
  /// The rows in their sections.
  public internal(set) var list = ListSnapshot<Item>()
  /// Where the rows of the list stand, by their ids.
  var places = RowIndex()
  /// How the last fetch stands.
  public internal(set) var state = ResultsState.initial
  /// How far the fetch is, while it is on its way and where the store says so.
  public internal(set) var progress: FetchProgress?
  /// Why the store cannot say at the moment what changes; it is trying again, and what it missed
  /// will be shown.
  public internal(set) var interruption: (any Error)?
  /// How many rows the store left out because they do not decode, or because another row has the
  /// same id; they come once that is over.
  public internal(set) var invalidItems = 0
  /// What is wrong with the first of them.
  public internal(set) var invalidItem: (any Error)?
  /// Whether the arrangement's limit leaves items out.
  public internal(set) var isCut = false
  /// How many updates led here.
  var step = 0

  init() {}

  /// Where an item is shown; `nil` where it is not.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? { places.path(of: id, in: list) }
}

/// One step of live results: the list before and after, the exact changes, and the state that came
/// with them.
public struct ResultsUpdate<Item: ListItem>: LiveUpdate {
  /// The step of the list, ready to be performed by a view.
  public let list: ListUpdate<Item>
  /// All that is shown after the step.
  public let value: ResultsValue<Item>

  /// The rows before the step.
  public var before: ListSnapshot<Item> { list.before }
  /// The rows after the step.
  public var after: ListSnapshot<Item> { list.after }

  /// Two steps as one: without changes where they undo each other.
  public func followed(by next: ResultsUpdate) -> ResultsUpdate {
    let list = ListUpdate(from: list.before, to: next.list.after, origin: next.list.origin)
    return ResultsUpdate(list: list, value: next.value)
  }
}

/// The steps of live results, as one observer sees them.
public typealias ResultsUpdates<Item: ListItem> = UpdateStream<ResultsUpdate<Item>>
