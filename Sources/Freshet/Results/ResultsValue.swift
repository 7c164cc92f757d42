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
  let shared: Shared<ListContents>

  /// Creates the value of contents that others share.
  init(shared: Shared<ListContents>) { self.shared = shared }

  /// Creates the value of contents whose rows are of this type of items.
  init(_ contents: ListContents) { shared = Shared(contents) }

  /// Creates the value of results that were not asked for yet.
  init() { shared = ListContents.none }

  /// All of it, whatever the type of the items.
  var contents: ListContents { shared.value }

  /// The rows in their sections.
  public var list: ListSnapshot<Item> { ListSnapshot(refs: shared.value.list) }
  /// How the last fetch stands.
  public var state: ResultsState { shared.value.fetch.state }
  /// How far the fetch is, while it is on its way and where the store says so.
  public var progress: FetchProgress? { shared.value.fetch.progress }
  /// Why the store cannot say at the moment what changes; it is trying again, and what it missed
  /// will be shown.
  public var interruption: (any Error)? { shared.value.fetch.interruption }
  /// How many rows the store left out because they do not decode, or because another row has the
  /// same id; they come once that is over.
  public var invalidItems: Int { shared.value.fetch.invalidItems }
  /// What is wrong with the first of them.
  public var invalidItem: (any Error)? { shared.value.fetch.firstInvalidItem }
  /// Whether the arrangement's limit leaves items out.
  public var isCut: Bool { shared.value.isCut }
  /// How many updates led here.
  var step: Int { shared.value.step }

  /// Where an item is shown; `nil` where it is not.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? {
    shared.value.places.path(of: id, in: list)
  }
}

extension ResultsValue: CustomReflectable {
  /// The rows, and the status of the fetch.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "list": list, "state": state, "progress": progress as Any,
        "interruption": interruption as Any, "invalidItems": invalidItems, "isCut": isCut,
      ])
  }
}

/// One step of live results: the list before and after, the exact changes, and the state that came
/// with them.
public struct ResultsUpdate<Item: ListItem>: LiveUpdate {
  let step: StepContents

  init(step: StepContents) { self.step = step }

  init(list: ListUpdate<Item>, value: ResultsValue<Item>) {
    step = StepContents(list: list.step, contents: value.shared)
  }

  /// The step of the list, ready to be performed by a view.
  public var list: ListUpdate<Item> { ListUpdate(step: step.list) }
  /// All that is shown after the step.
  public var value: ResultsValue<Item> { ResultsValue(shared: step.contents) }

  /// The rows before the step.
  public var before: ListSnapshot<Item> { list.before }
  /// The rows after the step.
  public var after: ListSnapshot<Item> { list.after }
}

extension ResultsUpdate: CustomReflectable {
  /// The step of the list, and what is shown after it.
  public var customMirror: Mirror { Mirror(self, children: ["list": list, "value": value]) }
}

/// The steps of live results, as one observer sees them.
public typealias ResultsUpdates<Item: ListItem> = UpdateStream<ResultsUpdate<Item>>
