public import FreshetLists
public import Observation

/// A list on the main actor, for views: observable, one value at a time.
///
/// It shows any list: a feed, live results, a feed whose query changes, or a list made of others.
/// What the list itself can do, the controller can do too: see `FeedController`,
/// `ResultsController` and `QueryController`, which are names for controllers of such lists.
///
/// ```swift
/// let timeline = ListController(home.feed.merged(with: saved.list, sortedBy: \.date, .reverse))
/// let short = ListController(timeline.list.filter { $0.text.count < 280 })
/// ```
///
/// Rows and load states change together (rule R5): a view that reads both never sees new rows with
/// an old state. The main actor swaps values and notifies observers; pages are fetched, rows
/// sorted, compared and stored elsewhere, and no call waits for that. An event that is posted while
/// the list is at work is applied next, and shown once it is. The list is observed for as long as
/// the controller exists.
///
/// A view that reads the rows is updated when rows change, one that reads the load states when they
/// do, and one that reads a single row (`row(_:)`) when that row changes. Pausing, or a new
/// reader's anchor, updates no view of rows.
@MainActor
public final class ListController<List: LiveList>: Observable {
  /// The type of the list's items.
  public typealias Item = List.Item

  /// The list, for code that is not on the main actor, and to make other lists of.
  public let list: List

  /// Is notified of changes and failures, besides those who observe.
  public weak var delegate: (any ListControllerDelegate<Item>)?

  /// The value on display, and its observers.
  package let displayed: ObservableListState<Item>
  private let observer: ListObserver<Item>
  /// The state whose failures the delegate was notified of.
  private var notifiedState: ListState
  private var isCatchingUp = false
  /// Whether there may be more to show by now.
  private var hasMore = false

  /// Creates a controller of a list, which may have others.
  public init(_ list: List) {
    self.list = list
    observer = ListObserver(list.publisher)
    displayed = ObservableListState(observer.first)
    notifiedState = observer.first.state
    // A list that begins to work for this observer has rows by now: they are no news.
    catchUp()
    observer.callWhenNew { [weak self] in self?.catchUp() }
  }

  // MARK: - Loading

  /// Asks for what is new: at the head of a feed, for everything on display, or for everything
  /// loaded; live results fetch again.
  ///
  /// Concurrent calls are one request.
  ///
  /// - Returns: the state of the head afterwards.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await settled { await $0.refresh(scope) }
  }

  /// Asks for the rows after the last one.
  ///
  /// - Returns: the state of the end afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadNext() async -> LoadState { await settled { await $0.loadNext() } }

  /// Asks for the rows above the first one, if the list began in the middle.
  ///
  /// - Returns: the state of the top afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadPrevious() async -> LoadState { await settled { await $0.loadPrevious() } }

  /// Asks for the rows that may be missing at a gap, one page at a time.
  ///
  /// See `Feed.load(_:from:)`.
  ///
  /// - Returns: the state of the gap afterwards; `end` once it is closed.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    await settled { await $0.load(gap, from: side) }
  }

  /// Asks again for everything that failed.
  ///
  /// - Returns: the state of the first of it afterwards.
  @discardableResult
  public func retry() async -> LoadState { await settled { await $0.retry() } }

  /// Begins to ask again for everything that failed, and returns at once: for a button.
  public func retry() { Task { await self.retry() } }

  /// Holds loads back until `resume()`, for example while there is no network.
  ///
  /// `state.isPaused` is `true` meanwhile. Live results have nothing to hold back.
  public func pause() { now { $0.pause() } }

  /// Sends the loads that `pause()` held back, and retries those that failed because the source was
  /// unreachable.
  public func resume() { now { $0.resume() } }

  /// Notes an item that came on screen, so that more is asked for before the end is reached.
  public func willDisplay(_ item: Item) { list.willDisplay(item) }

  // MARK: - Following the list

  /// Posts an event to the list, and shows its result before it returns if the list is idle and it
  /// is not too much; otherwise it is shown as every update is.
  func now(_ action: (List) -> Void) {
    action(list)
    catchUp()
  }

  /// Waits for the list, and shows the result before it returns.
  func settled<Outcome>(_ action: (List) async -> Outcome) async -> Outcome {
    let outcome = await action(list)
    catchUp()
    return outcome
  }

  /// Shows what is new.
  func catchUp() {
    hasMore = true
    // A delegate that posts an event is notified of this step first.
    guard !isCatchingUp else { return }
    isCatchingUp = true
    defer { isCatchingUp = false }
    while hasMore {
      hasMore = false
      observer.catchUp(from: { displayed.current }, show)
      notifyOfFailures()
    }
  }

  private func notifyOfFailures() {
    let (state, old) = (displayed.current.state, notifiedState)
    notifiedState = state
    guard let delegate else { return }
    for error in state.failures(since: old) { delegate.controller(self, didFail: error) }
  }

  private func show(_ value: ListValue<Item>, by update: ListUpdate<Item>?) {
    // Steps that undid each other before they were taken change the state alone.
    guard let delegate, let update, !update.changes.isEmpty else {
      return displayed.show(value, by: update)
    }
    delegate.controllerWillChangeContent(self)
    displayed.show(value, by: update)
    delegate.notify(of: update, by: self)
  }
}

extension LiveList {
  /// A controller of this list for views: another one for each call.
  @MainActor public func controller() -> ListController<Self> { ListController(self) }
}
