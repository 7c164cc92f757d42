public import FreshetLists

/// A list made of others as views see it: on the main actor, observable, one value at a time.
///
/// ```swift
/// let timeline = ListController(home.feed.merged(with: saved.results, sortedBy: \.date, .reverse))
/// let short = ListController(timeline.list.filter { $0.text.count < 280 })
/// ```
///
/// Rows and load states change together (rule R5). The closures that the list is made with are
/// called elsewhere where there is more to do than the main actor can spare. The list is followed
/// as long as the controller is there.
@MainActor
public final class ListController<Item: ListItem>: DisplayedList {
  /// The list, for code that is not on the main actor, and to make other lists of.
  public let list: any LiveList<Item>

  /// What is shown, and who read what of it.
  public let displayed: Displayed<FeedUpdate<Item>>

  private let publisher: ListPublisher<FeedUpdate<Item>>
  private let observer: ListObserver<FeedUpdate<Item>>

  /// Creates the main-actor face of a list that may have others.
  public convenience init(_ list: DerivedList<Item>) { self.init(list, list.publisher) }

  /// Creates the main-actor face of a list that may have others.
  public convenience init(_ list: FilteredList<Item>) { self.init(list, list.publisher) }

  private init(_ list: any LiveList<Item>, _ publisher: ListPublisher<FeedUpdate<Item>>) {
    self.list = list
    self.publisher = publisher
    observer = ListObserver(publisher)
    displayed = Displayed(observer.first)
    // What a list shows that began just now is no news.
    catchUp()
    observer.callWhenNew { [weak self] in self?.catchUp() }
  }

  // MARK: - What it shows

  /// The steps of the list from now on, to every observer its own.
  ///
  /// Where there are rows already, the first update inserts them.
  public var updates: FeedUpdates<Item> {
    UpdateStream(publisher)
  }

  // MARK: - Loading

  /// Asks the lists it is made of for what is new.
  ///
  /// - Returns: how their heads stand afterwards.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await settled { await $0.refresh(scope) }
  }

  /// Asks for rows behind the last one; see `DerivedList.loadNext()`.
  ///
  /// - Returns: how the end stands afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadNext() async -> LoadState { await settled { await $0.loadNext() } }

  /// Asks for rows above the first one.
  ///
  /// - Returns: how the top stands afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadPrevious() async -> LoadState { await settled { await $0.loadPrevious() } }

  /// Asks for the rows that may be missing at a gap, one page at a time.
  ///
  /// - Returns: how the gap stands afterwards; `end` once it is closed.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    await settled { await $0.load(gap, from: side) }
  }

  /// Asks again for everything that failed, in all lists it is made of.
  ///
  /// - Returns: how it stands afterwards.
  @discardableResult
  public func retry() async -> LoadState { await settled { await $0.retry() } }

  /// Lets loads wait, in all lists it is made of; `state.isPaused` tells.
  public func pause() {
    list.pause()
    catchUp()
  }

  /// Sends the loads that `pause()` held back, and retries those that failed because the source was
  /// unreachable.
  public func resume() {
    list.resume()
    catchUp()
  }

  /// Says which item came on screen, so that more is asked for before the end is reached; see
  /// `DerivedList.willDisplay(_:)`.
  public func willDisplay(_ item: Item) { list.willDisplay(item) }

  // MARK: - Following the list

  private func settled(_ action: (any LiveList<Item>) async -> LoadState) async -> LoadState {
    let outcome = await action(list)
    catchUp()
    return outcome
  }

  private func catchUp() {
    observer.catchUp(from: { displayed.current }) { displayed.show($0, by: $1) }
  }
}

extension DerivedList {
  /// The list as views see it: a main-actor face of its own for each call.
  @MainActor public func controller() -> ListController<Item> { ListController(self) }
}

extension FilteredList {
  /// The list as views see it: a main-actor face of its own for each call.
  @MainActor public func controller() -> ListController<Item> { ListController(self) }
}
