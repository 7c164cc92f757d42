internal import FreshetLists
internal import struct Foundation.Date

extension FeedMachine {
  /// A load under way: what it wants, where it is, and what it has read.
  struct Load: Sendable {
    var ticket: Ticket
    /// The edge somebody wants loaded.
    let edge: FeedEdge
    /// Where the answers start: at the edge, or at the head where nothing known led there.
    var place: FeedEdge
    var key: PageKey?
    /// The row that the first key continues.
    var after: Item.ID?
    /// Whether that row is the one above the edge: it was not read on the way.
    var isAimed = false
    /// From which side the edge is loaded, where both are possible.
    var side = Gap.Side.above
    /// The row that the key leads up to.
    var before: Item.ID?
    /// The rows on disk that it asks for instead of the source.
    var disk: DiskPart?
    /// Where a gap's rows on disk are to be read, instead of at a side.
    var middle: Int?
    /// Whether it asks for the page that the feed begins with, in the middle of the list.
    var isStart = false
    /// Who waits, and for which edge: where nothing is known the end is loaded at the head.
    var waiters: [Int: FeedEdge] = [:]
    /// Whether somebody asked who does not wait: then cancelling waiters cancels nothing.
    var isUnattended = false
    /// The page whose validator went with the request under way: what `Page.unchanged` stands for.
    var sent: Page<Item, PageKey>?
    /// The number of the request under way, among all of the feed.
    var request = 0
    /// The request that the first row of `run` came in answer to.
    var since: Int?
    var answeredAt: Date?
    var answer: (result: Answer, at: Date)?
    /// What a refresh has read so far, before it met a known row.
    var run: Run<Item>?
    /// The page before the first one of `run`.
    var previous: PageKey?
    var pages = 0
    var scope = RefreshScope.head
    /// Whether the first page was the head of the list, so that nothing replaces the list.
    var keepsList = false
    /// The ids in `run`.
    var readIDs: Set<Item.ID> = []
    /// The keys of the pages that a refresh has read.
    var readKeys: Set<PageKey> = []
    /// Pages in a row that added nothing to `run`.
    var repeatedPages = 0
    /// Pages in a row that brought no row which the feed did not know.
    var fruitlessPages = 0
    /// How far down the known rows a walk or a refresh has come, and how many pages ago.
    var reached = -1
    var pagesSinceReached = 0
    var staleKeys = 0
    /// How often the request under way was made again.
    var retries = 0
    /// The most pages it got to before it had to begin anew.
    var furthest = 0
    /// Whether it waits before it is asked for again.
    var isPausing = false
    var stepsBack = 0
    var duplicates = 0

    /// The request behind the oldest of what it read and did not hand on yet.
    var oldestRequest: Int { run == nil ? request : since ?? request }
  }

}

extension FeedMachine.Load {
  /// The load as it was before it read anything.
  var begunAnew: Self {
    var load = Self(ticket: ticket, edge: edge, place: edge)
    load.side = side
    load.scope = scope
    load.waiters = waiters
    load.isUnattended = isUnattended
    load.retries = retries
    load.furthest = furthest
    return load
  }
}

extension FeedMachine {
  /// Some of the rows on disk that a gap stands for.
  struct DiskPart: Sendable {
    let gap: Gap.ID
    /// Which of them, counted from the first one that the gap stands for.
    let range: Range<Int>
    /// What the gap stood for when they were asked for.
    let unloaded: UnloadedRows<Item.ID>
  }
}
