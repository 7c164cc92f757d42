internal import FreshetLists
internal import struct Foundation.Date

// What a feed keeps beside its list, by what it is for.
extension FeedMachine {
  /// What the feed was created with, and what it found out since.
  struct Setup: Sendable {
    var configuration: FeedConfiguration
    /// How pages hang together, as far as is known: a source may find out from its answers that
    /// they shift.
    var continuity: PageContinuity
    var retryPolicy: RetryPolicy
    /// How the source orders its items, where that is known.
    let order: Timeline.Order?
    /// Whether rows are stored, so that those that are let go can be read back.
    let isCached: Bool
    /// The page to begin with; `nil` for the head.
    var start: PageKey?
    /// How a preview stands, whatever is asked for.
    var fixedState: ListState?
  }

  /// The requests so far.
  struct Traffic: Sendable {
    /// Whether loads wait until the user says that the source can be reached again.
    var isPaused = false
    /// Whether answers are being taken in: that may lead to the same place again.
    var isReading = false
    /// The keys of the pages taken since the head was last read anew.
    var usedKeys: Set<PageKey> = []
    /// The gaps that are said to be loading.
    var loadingGaps: Set<Gap.ID> = []
    /// Who wants one more refresh, now that the one before has ended.
    var followUp = Demand()
    var lastLoad = 0
    /// The number of the newest request.
    var lastRequest = 0
    /// The newest request that was made before something changed at the source, as far as that was
    /// told.
    var changedAfter: Int?
    /// The newest request whose answer was taken in.
    var lastMerged = 0
    /// Whether totals that differ from the list are a reason to read it again.
    var doubts = Doubts()
    /// Whether the head was asked for again because another page came through.
    var hasAskedHeadAgain = false
  }

  /// By how many rows the total that the source speaks of differs from the list (rule T8).
  struct Doubts: Sendable {
    /// The difference when all of the list was last read: the total counts something else.
    private var surplus = 0
    /// The difference for which the list is being read again.
    private var pending: Int?
    /// How often reading again left a difference.
    private var fruitless = 0
    /// After so many, totals are taken to count something else.
    private static var fruitlessLimit: Int { 2 }

    /// Notes the difference after all of the list was read; `nil` if the answer has no total.
    mutating func settle(_ difference: Int?) {
      surplus = difference ?? pending ?? 0
      if surplus == 0 {
        fruitless = 0
      } else if pending != nil {
        fruitless += 1
      }
      pending = nil
    }

    /// Whether a difference at the head is another one than when all of the list was last read.
    func isUnexplained(_ difference: Int) -> Bool {
      difference != surplus && fruitless < Self.fruitlessLimit
    }

    /// Notes that the list is being read again because of a difference.
    mutating func begin(for difference: Int) { pending = difference }
  }

  /// Why edges could not be loaded, and how they were to be.
  struct Failures: Sendable {
    private var errors: [FeedEdge: FeedError] = [:]
    /// The gaps whose failures came or went since somebody last asked.
    private var changed: Set<Gap.ID> = []
    /// From which side a gap was filled when that failed.
    var sides: [FeedEdge: Gap.Side] = [:]
    /// What the refresh that failed was asked for.
    var scope = RefreshScope.head

    subscript(edge: FeedEdge) -> FeedError? {
      get { errors[edge] }
      set {
        if case .gap(let id) = edge, newValue != nil || errors[edge] != nil { changed.insert(id) }
        errors[edge] = newValue
        if edge == .refresh, newValue == nil { scope = .head }
      }
    }

    /// The edges that could not be loaded: the ends, then gaps by their ids.
    var edges: [FeedEdge] {
      let gaps = errors.keys.compactMap { if case .gap(let id) = $0 { id } else { nil } }
      return [.refresh, .previous, .next].filter { errors[$0] != nil }
        + gaps.sorted().map(FeedEdge.gap)
    }

    /// The edges that could not be loaded for a reason that may pass by itself.
    var passing: [FeedEdge] { edges.filter { errors[$0]?.mayPass == true } }

    /// The gaps whose failures came or went since this was last asked for.
    mutating func takeChanged() -> Set<Gap.ID> {
      defer { changed = [] }
      return changed
    }

    /// Forgets all failures.
    mutating func removeAll() {
      for edge in edges { self[edge] = nil }
      (sides, scope) = ([:], .head)
    }
  }

  /// What waits while rows are being read from disk, and how far that is.
  struct Restoring: Sendable {
    /// How many rows came from disk so far.
    var rows = 0
    /// Whether a gap follows them.
    var isGapNext = false
    /// The page at the head, as far as its rows were read.
    var page: (page: CachedPage, items: [AnyItem])?
    /// Whether edits wait for the rest of what is on disk before they are stored.
    var holdsSave = false
    /// What the source said meanwhile.
    var news: [Event] = []
    /// Loads that were asked for while the page keys were still being read.
    var deferred: [(edge: FeedEdge, waiter: Int?, load: Event)] = []
    var waiters: [Int] = []

    typealias Event = @Sendable (inout FeedMachine, Date) -> [Effect]

    /// Whether the rows of the page at the head are still to be read, as far as that is known.
    var isHeadUnread: Bool { rows == 0 || page != nil }
  }

  /// What is to be stored with the next step.
  struct Storing: Sendable {
    /// Whether what is stored is not the list before the next step.
    var isWhole = false
    /// Whether the reader's place and the time of the last refresh are stored.
    var isPlaceSaved = true
    /// The rows for which another key is known.
    var keyed: [RowID] = []
    /// What is stored of the page at the head.
    var page: CachedPage?
  }

  /// Where the reader is, and what was asked for on the reader's behalf.
  struct Reader: Sendable {
    /// The item that came on screen last.
    var displayed: RowID?
    /// The item that the last load of an edge came to.
    var reached: RowID?
    /// When pages were asked for again because they were old, by their first item.
    var renewals: [RowID: Date] = [:]
  }
}
