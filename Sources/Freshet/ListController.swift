public import FreshetLists
public import Observation

/// An observable list on the main actor, for views.
///
/// It shows any list: a feed, live results, a feed whose query changes, or a list derived from
/// others. It offers the operations of its list: see `FeedController`, `ResultsController` and
/// `QueryController`, which are names for controllers of such lists.
///
/// ```swift
/// let timeline = ListController(home.feed.merged(with: saved.list, sortedBy: \.date, .reverse))
/// let short = ListController(timeline.list.filter { $0.text.count < 280 })
/// ```
///
/// Rows and load states change together (rule R5): a view that reads both never sees new rows with
/// an old state. The main actor only swaps values and notifies observers. Pages are fetched, and
/// rows sorted, compared and stored, on other threads, and no call waits for that. An event that
/// is posted while the list is busy is applied next, and shown after that. The list is observed
/// for as long as the controller exists.
///
/// A view that reads the rows is updated when rows change. A view that reads the load states is
/// updated when these change, and a view that reads a single row (`row(_:)`) when that row
/// changes. Pausing, or setting the reader's anchor, updates no view of rows.
@MainActor
public final class ListController<List: LiveList>: Observable {
  /// The type of the list's items.
  public typealias Item = List.Item

  /// The list, for code that is not on the main actor, and to derive other lists from.
  public let list: List

  /// A delegate that is notified of changes and failures, in addition to the observers.
  public weak var delegate: (any ListControllerDelegate<Item>)?

  /// The value on display, and its observers.
  package let displayed: ObservableListState<Item>
  private let observer: ListObserver<Item>
  /// The last state whose failures were reported to the delegate.
  private var notifiedState: ListState
  private var isCatchingUp = false
  /// Whether there may be newer updates to show.
  private var hasMore = false

  /// Creates a controller of a list; a list may have several controllers.
  public init(_ list: List) {
    self.list = list
    observer = ListObserver(list.publisher)
    displayed = ObservableListState(observer.first)
    notifiedState = observer.first.state
    // A list that starts because of this observer has rows by now: they are no update.
    catchUp()
    observer.callWhenNew { [weak self] in self?.catchUp() }
  }

  // MARK: - Loading

  /// Asks the source for the head of the list, or for all of it.
  ///
  /// The scope of a feed is its head, the rows on display, or all loaded rows. Live results fetch
  /// again.
  ///
  /// Concurrent calls share one request.
  ///
  /// - Returns: the state of the head afterwards.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await settled { await $0.refresh(scope) }
  }

  /// Loads the rows after the last one.
  ///
  /// - Returns: the state of the end afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadNext() async -> LoadState { await settled { await $0.loadNext() } }

  /// Loads the rows above the first one, if the list started in the middle.
  ///
  /// - Returns: the state of the top afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadPrevious() async -> LoadState { await settled { await $0.loadPrevious() } }

  /// Loads the rows that may be missing at a gap, one page at a time.
  ///
  /// See `Feed.load(_:from:)`.
  ///
  /// - Returns: the state of the gap afterwards; `end` once it is closed.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    await settled { await $0.load(gap, from: side) }
  }

  /// Loads the rows around a row of the whole list, such as where the user dragged a scroll bar.
  ///
  /// See `LiveList.load(rowAt:)`.
  ///
  /// - Returns: the state of the gap or the edge that has the row, or had it; `idle` if the row is
  ///   loaded.
  @discardableResult
  public func load(rowAt index: Int) async -> LoadState {
    await settled { await $0.load(rowAt: index) }
  }

  /// Repeats every load that failed.
  ///
  /// - Returns: the state of the first of them afterwards.
  @discardableResult
  public func retry() async -> LoadState { await settled { await $0.retry() } }

  /// Starts to repeat every load that failed, and returns at once: for a button.
  public func retry() { Task { await self.retry() } }

  /// Pauses loads until `resume()`, for example while there is no network.
  ///
  /// `state.isPaused` is `true` meanwhile. Live results have nothing to hold back.
  public func pause() { now { $0.pause() } }

  /// Sends the loads that `pause()` held back.
  ///
  /// It also retries the loads that failed because the source was unreachable.
  public func resume() { now { $0.resume() } }

  /// Notes that an item appears on screen, so that more rows are loaded in time.
  public func willDisplay(_ item: Item) { list.willDisplay(item) }

  // MARK: - Following the list

  /// Posts an event to the list, and shows the result at once if possible.
  ///
  /// It is on display on return if the list is idle and the event is short. Otherwise it is shown
  /// like every other update.
  func now(_ action: (List) -> Void) {
    action(list)
    catchUp()
  }

  /// Waits for the list, and shows the result before returning.
  func settled<Outcome>(_ action: (List) async -> Outcome) async -> Outcome {
    let outcome = await action(list)
    catchUp()
    return outcome
  }

  /// Shows the updates of the list that are not shown yet.
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
    // Steps that undid each other before they were shown change only the state.
    guard let delegate, let update, !update.changes.isEmpty else {
      return displayed.show(value, by: update)
    }
    delegate.controllerWillChangeContent(self)
    displayed.show(value, by: update)
    delegate.notify(of: update, by: self)
  }
}

extension LiveList {
  /// Creates a controller of this list for views; each call creates another one.
  @MainActor public func controller() -> ListController<Self> { ListController(self) }
}
