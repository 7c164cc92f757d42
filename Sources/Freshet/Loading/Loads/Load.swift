internal import FreshetLists
internal import struct Foundation.Date

/// A load under way: what it wants, where it is, and what it has read.
struct Load: Sendable {
  var ticket: LoadTicket
  /// The edge to be loaded.
  let edge: FeedEdge
  /// Who wants it, and how far.
  var demand = Demand()
  /// Who wants another one once this one has answered: the source said that something changed
  /// when it had been asked already.
  var followUp = Demand()
  /// From which side the edge is loaded, where both are possible.
  var side = Gap.Side.above
  /// Where a gap's rows on disk are to be read, instead of at a side.
  var middle: Int?
  /// Where its first request leads.
  var target = Target.first
  /// Where the answers start: at the edge, or at the head where nothing known led there.
  var place: RunPlace
  /// The request under way.
  var request = Request()
  var walk = Walk()
  var attempts = Attempts()
  /// Rows that came more than once, and those that shared an id with another one of their answer.
  var duplicates = 0
  var collisions = 0

  init(ticket: LoadTicket, edge: FeedEdge) {
    self.ticket = ticket
    self.edge = edge
    place = edge.place
  }

  /// An answer, and when it came.
  typealias Answer = (result: PageAnswer, at: Date)

  /// Where a load leads.
  enum Target: Sendable {
    /// To the first page.
    case first
    /// To the page that the feed begins with, in the middle of the list.
    case start
    /// To the page that continues a row; `isAimed` says that it is the one above the edge, and
    /// was not read on the way. No row is named where only rows tell what a page continues.
    case below(RowID?, isAimed: Bool)
    /// To the page that leads up to a row.
    case above(RowID)
    /// To rows on disk, instead of the source.
    case disk(DiskPart)
  }

  /// A request under way, and its answer while that waits to be taken in.
  struct Request: Sendable {
    var key: PageKey?
    /// The number of the request, among all of the feed.
    var number = 0
    /// The page whose validator went with it: what `Page.unchanged` refers to.
    var sent: Page<AnyItem, PageKey>?
    var answer: Answer?
    var answeredAt: Date?
  }

  /// What a load has read, page by page.
  struct Walk: Sendable {
    /// What it has read so far, before it met a known row.
    var run: Run?
    /// The request that the first row of `run` came in answer to.
    var since: Int?
    /// The page before the first one of `run`.
    var previous: PageKey?
    /// The ids in `run`.
    var readIDs: Set<RowID> = []
    /// The keys of the pages that a refresh has read.
    var readKeys: Set<PageKey> = []
    var pages = 0
    /// How many rows the whole list has, as the first page said, and how many that one had.
    var total: Int?
    var firstRows = 0
    /// The most pages it got to before it had to restart.
    var furthest = 0
    /// Pages in a row that added nothing to `run`.
    var repeatedPages = 0
    /// Whether it saw rows that stand above all known ones.
    var sawRowsAbove = false
    /// Pages in a row that brought no row which the feed did not know.
    var fruitlessPages = 0
    /// How far down the known rows it has come, and how many pages ago.
    var reached = -1
    var pagesSinceReached = 0
    /// Pages that were read backwards for a row that moved.
    var stepsBack = 0
    /// How often it began again because a row moved from one page to another.
    var restarts = 0
    /// Whether the first page was the head of the list, so that nothing replaces the list.
    var keepsList = false

    /// Forgets what was read.
    ///
    /// What bounds the walk stays: it ends, however often it restarts (rule T7).
    mutating func forget() {
      (run, readIDs, readKeys, keepsList) = (nil, [], [], false)
    }
  }

  /// How often it was asked for again, and whether it waits for that.
  struct Attempts: Sendable {
    /// How often the request under way was made again.
    var retries = 0
    /// How long the attempts took that failed since the last answer.
    var spent = Duration.zero
    /// How many keys turned out to have expired.
    var staleKeys = 0
    var isPausing = false
    /// Why it is made again by itself; `nil` after a caller asked, or an answer came.
    var failure: FeedError?
  }
}

extension Load {
  /// The row that the first key continues.
  var after: RowID? { if case .below(let id, _) = target { id } else { nil } }
  /// The row that the key leads up to.
  var before: RowID? { if case .above(let id) = target { id } else { nil } }
  /// The rows on disk that it asks for instead of the source.
  var disk: DiskPart? { if case .disk(let part) = target { part } else { nil } }
  /// Whether it asks for the page that the feed begins with.
  var isStart: Bool { if case .start = target { true } else { false } }
  var isPausing: Bool { attempts.isPausing }
  var scope: RefreshScope { demand.scope }

  /// The request behind the oldest of what it read and did not hand on yet.
  var oldestRequest: Int { walk.run == nil ? request.number : walk.since ?? request.number }

  /// Whether what it asked for was asked for up to a request, in part at least.
  func hasAsked(by request: Int) -> Bool {
    (!isPausing || walk.run != nil) && oldestRequest <= request
  }

  /// Whether it is a refresh that may not have what changed at the source after a request.
  func isOutdated(after request: Int?) -> Bool {
    edge == .refresh && request.map(hasAsked(by:)) == true
  }

  /// The load as it was before it read anything: what it asks for now is new to everybody.
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
