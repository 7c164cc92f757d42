internal import FreshetLists
internal import struct Foundation.Date

/// A load under way: its demand, its position, and the rows it has read.
struct Load: Sendable {
  var ticket: LoadTicket
  /// The edge to be loaded.
  let edge: FeedEdge
  /// The callers that want it, and how far it reads for them.
  var demand = Demand()
  /// The callers that want another load after this one.
  ///
  /// The source reported a change after this load had made its request.
  var followUp = Demand()
  /// The side from which the edge is loaded, if both sides are possible.
  var side = Gap.Side.above
  /// The row on disk around which a gap's rows are read, instead of at a side.
  var middle: Int?
  /// Whether a jump put rows at the end of the list, which it loads, after its request.
  ///
  /// Its answer follows other rows than the last ones.
  var isPassed = false
  /// The target of its first request.
  var target = Target.first
  /// The place at which its answers start.
  ///
  /// It is the edge, or the head if no known row leads to the edge.
  var place: RunPlace
  /// The request under way.
  var request = Request()
  var walk = Walk()
  var attempts = Attempts()
  /// Rows that were received more than once, and rows that shared an id within one answer.
  var duplicates = 0
  var collisions = 0

  init(ticket: LoadTicket, edge: FeedEdge) {
    self.ticket = ticket
    self.edge = edge
    place = edge.place
  }

  /// An answer, and the time at which it arrived.
  typealias Answer = (result: PageAnswer, at: Date)

  /// The target of a load.
  enum Target: Sendable {
    /// The first page.
    case first
    /// The page that the feed begins with, in the middle of the list.
    case start
    /// The page that continues a row.
    ///
    /// `isAimed` is `true` if the row was found above the edge, and `false` if it was read on the
    /// way. The row is `nil` if only rows prove which row a page continues.
    case below(RowID?, isAimed: Bool)
    /// The page that leads up to a row.
    case above(RowID)
    /// Rows on disk, instead of the source.
    case disk(DiskPart)
    /// A page that begins some rows away from that of the key.
    case far(PageSkip)
    /// All loaded windows, of a source that reads them again.
    case windows([PageWindow<PageKey>])
  }

  /// A request under way, and its answer until that is processed.
  struct Request: Sendable {
    var key: PageKey?
    /// The number of the request, counted over the whole feed.
    var number = 0
    /// The page whose validator was sent with the request; `Page.unchanged` refers to it.
    var sent: Page<AnyItem, PageKey>?
    var answer: Answer?
    /// The first item of the answer, with the number of rows above it, if the answer says so.
    var position: (item: RowID, rowsAbove: RowTotal)?
    var answeredAt: Date?
    /// The pages of the windows that it requested and that are not merged yet.
    var windows: [PageWindow<PageKey>: [Page<AnyItem, PageKey>]] = [:]
  }

  /// The pages that a load has read.
  struct Walk: Sendable {
    /// The rows it has read so far, before it met a known row.
    var run: Run?
    /// The request whose answer had the first row of `run`.
    var since: Int?
    /// The page before the first one of `run`.
    var previous: PageKey?
    /// The ids in `run`.
    var readIDs: Set<RowID> = []
    /// The keys of the pages that a refresh has read.
    var readKeys: Set<PageKey> = []
    var pages = 0
    /// The number of rows in the whole list, as the first page reported it, and in the first page.
    var total: Int?
    var firstRows = 0
    /// The number of rows at its edge that are above the page of a jump, once that is read.
    ///
    /// It is negative if the page begins above the edge.
    var skipped: RowTotal?
    /// The largest number of pages it read before it had to restart.
    var furthest = 0
    /// Consecutive pages that added nothing to `run`.
    var repeatedPages = 0
    /// Whether it read rows that are above all known ones.
    var sawRowsAbove = false
    /// Consecutive pages without a row that was new to the feed.
    var fruitlessPages = 0
    /// The lowest known row it has reached, and the number of pages read since then.
    var reached = -1
    var pagesSinceReached = 0
    /// Pages that were read backwards for a row that moved.
    var stepsBack = 0
    /// The number of restarts because a row moved from one page to another, or a page elsewhere.
    var restarts = 0
    /// The number of restarts because another answer was merged after its request for windows.
    var timesOvertaken = 0
    /// Whether the first page was the head of the list, so that the list is not replaced.
    var keepsList = false

    /// Forgets the rows that were read.
    ///
    /// The counters that bound the walk stay, so that it ends however often it restarts (rule T7).
    mutating func forget() {
      (run, readIDs, readKeys, keepsList) = (nil, [], [], false)
    }
  }

  /// The attempts of a load, and whether it waits for the next one.
  struct Attempts: Sendable {
    /// The number of retries of the request under way.
    var retries = 0
    /// The time taken by failed attempts since the last answer.
    var spent = Duration.zero
    /// The number of keys that turned out to have expired.
    var staleKeys = 0
    var isPausing = false
    /// The reason for an automatic retry; `nil` after a caller requested it, or an answer arrived.
    var failure: FeedError?
  }
}

extension Load {
  /// The row that the first key continues.
  var after: RowID? { if case .below(let id, _) = target { id } else { nil } }
  /// The row that the key leads up to.
  var before: RowID? { if case .above(let id) = target { id } else { nil } }
  /// The rows on disk that it requests instead of the source.
  var disk: DiskPart? { if case .disk(let part) = target { part } else { nil } }
  /// The rows far from its edge that it requests.
  var jump: Jump? { edge.jump }
  /// The edge that it is shown at: for the callers of a refresh, rows that are read again are a
  /// part of it.
  var shownEdge: FeedEdge {
    edge.isReread && !demand.waiters.isEmpty ? .refresh : edge.shown
  }
  /// Whether it requests a page by its position.
  var isFar: Bool { if case .far = target { true } else { false } }
  /// Whether its pages are read upwards.
  var readsUpward: Bool { before != nil || jump?.side == .below }
  /// Whether it requests the page that the feed begins with.
  var isStart: Bool { if case .start = target { true } else { false } }
  var isPausing: Bool { attempts.isPausing }
  /// Whether it reads windows again although no caller waits for that.
  ///
  /// A list that follows a database does so at each commit, so it is not shown as loading.
  var isQuiet: Bool {
    readsWindows && demand.waiters.isEmpty && followUp.waiters.isEmpty
  }
  /// Whether it reads windows again.
  var readsWindows: Bool { if case .windows = target { true } else { false } }
  var scope: RefreshScope { demand.scope }

  /// The oldest request with rows that were read and not handed on yet.
  var oldestRequest: Int { walk.run == nil ? request.number : walk.since ?? request.number }

  /// Whether at least a part of its rows was requested up to a request.
  func hasAsked(by request: Int) -> Bool {
    (!isPausing || walk.run != nil) && oldestRequest <= request
  }

  /// Whether it is a refresh that may lack a change at the source after a request.
  func isOutdated(after request: Int?) -> Bool {
    edge == .refresh && request.map(hasAsked(by:)) == true
  }

  /// Requests the next page by its key, after a page that was found by its position.
  mutating func followPages() { if isFar { target = .below(nil, isAimed: false) } }

  /// The load as it was before it read anything.
  ///
  /// The callers of its follow-up join it, because its next request is new to them too.
  var withoutProgress: Self {
    var load = Self(ticket: ticket, edge: edge)
    load.side = side
    load.demand = demand
    load.demand.join(followUp)
    (load.attempts.retries, load.attempts.spent) = (attempts.retries, attempts.spent)
    load.walk.furthest = walk.furthest
    return load
  }
}
