import CMalloc
import Foundation
import Freshet
import FreshetTesting
import Synchronization

/// A feed, its server and its reader, second by simulated second.
struct Soak {
  private static let eventsPerSecond = 1_000
  private let rows: Int
  private let server: SoakServer
  private let folder: URL
  private let clock = SimulatedClock()
  private var feed: Feed<Entry>
  private var random: SeededGenerator
  /// How long events took, on the clock and of the processor: a busy machine takes turns.
  private var latencies = Latencies()
  private var computing = Latencies()
  private var edits: [Task<Void, Never>] = []
  private var edited = 0
  /// The row at the top of the reader's screen.
  private var top = 0
  /// Bytes allocated at the end of each minute.
  private var memory: [Int] = []

  init(rows: Int, seed: Int) {
    self.rows = rows
    server = SoakServer(rows: rows, seed: seed)
    random = SeededGenerator(seed: seed &+ 1)
    folder = FileManager.default.temporaryDirectory.appending(path: "freshet-soak-\(UUID())")
    feed = Self.launch(server, folder, clock)
  }

  /// - Returns: what went wrong.
  static func run(rows: Int, minutes: Int, seed: Int) async -> [String] {
    var soak = Soak(rows: rows, seed: seed)
    return await soak.run(minutes: minutes)
  }

  private mutating func run(minutes: Int) async -> [String] {
    defer { try? FileManager.default.removeItem(at: folder) }
    await loadAll()
    say("\(feed.value.items.count) rows are loaded.")
    let start = ContinuousClock.now
    for minute in 1...max(1, minutes) {
      for second in 0..<60 { await pass(second) }
      for edit in edits { await edit.value }
      edits = []
      if let failure = await relaunch() { return ["minute \(minute): \(failure)"] }
      memory.append(Int(allocated_bytes()))
      report(minute, after: ContinuousClock.now - start)
    }
    return judgement
  }

  private static func launch(
    _ server: SoakServer, _ folder: URL, _ clock: SimulatedClock
  ) -> Feed<Entry> {
    var configuration = FeedConfiguration(pageSize: 1_000)
    configuration.now = { clock.now }
    return Feed(
      sortedBy: { $0.id > $1.id }, cache: .file("soak", in: CacheDirectory(folder)),
      sectionedBy: { "\($0.id / 10_000)" }, configuration: configuration
    ) { (request: PageRequest<Int>) in server.page(request) }
  }

  private func loadAll() async {
    await feed.refresh()
    while feed.value.state.next == .idle { await feed.loadNext() }
  }

  /// One second: its events, and what the reader does.
  private mutating func pass(_ second: Int) async {
    for _ in 0..<Self.eventsPerSecond {
      let event = server.event(around: rows)
      let (start, computed) = (ContinuousClock.now, computedTime())
      feed.receive(event)
      computing.add(computedTime() - computed)
      latencies.add(ContinuousClock.now - start)
    }
    clock.pass(.seconds(1))
    let items = feed.value.items
    // On through the list, back now and then, and from its head after a launch.
    top = min(max(0, top + .random(in: -500...1_000, using: &random)), max(0, items.count - 21))
    for index in top..<min(top + 20, items.count) { feed.willDisplay(items[index]) }
    feed.anchor = items[top].id
    if second % 5 == 0 { edit(items[top].id) }
    if second % 7 == 0 { await feed.refresh(.visible) }
  }

  /// A third of the edits is refused.
  private mutating func edit(_ id: Int) {
    edited += 1
    let (feed, server, number) = (feed, server, edited)
    edits.append(
      Task {
        _ = try? await feed.update(id, optimistically: { $0.text = "edit \(number)" }) {
          await Task.yield()
          if number % 3 == 0 { throw Refusal() }
          return try server.edit(id, text: "edit \(number)")
        }
      })
  }

  /// The app ends and starts: everything comes back from disk, and is what the server has.
  private mutating func relaunch() async -> String? {
    if let failure = difference("before the app ends") { return failure }
    await feed.flush()
    let place = feed.anchor
    top = 0
    feed = Self.launch(server, folder, clock)
    feed.loadCacheSynchronously()
    await feed.loadCache()
    if feed.anchor != place {
      return "the reader's place \(place ?? 0) is \(feed.anchor ?? 0) after a launch"
    }
    return difference("after a launch")
  }

  private func difference(_ when: String) -> String? {
    let (shown, list) = (feed.value.items, server.list)
    if shown.count != list.count {
      return "\(shown.count) rows \(when), \(list.count) on the server"
    }
    for (row, entry) in zip(shown, list) where row != entry {
      return "\(row) \(when), \(entry) on the server"
    }
    if feed.value.rows.count != shown.count { return "gaps \(when)" }
    return nil
  }

  private func report(_ minute: Int, after time: Duration) {
    guard minute < 5 || minute % 5 == 0 else { return }
    let figures = [0.5, 0.99, 0.999].map {
      "\(latencies.percentile($0)) (\(computing.percentile($0)))"
    }
    .joined(separator: ", ")
    let seconds = time / .seconds(1)
    say(
      "minute \(minute) after \(Int(seconds)) s: \(latencies.total) events, "
        + "\(Int(Double(latencies.total) / seconds)) a second, 50, 99 and 99.9 % within "
        + "\(figures) ms (of the processor), "
        + "\(memory.last! >> 20) MB, \(edited) edits, \(minute) launches")
  }

  private var judgement: [String] {
    var failures: [String] = []
    let slow = computing.percentile(0.999)
    if slow > 8 { failures.append("99.9 % of the events computed for up to \(slow) ms") }
    // The first minutes fill caches and buffers.
    let start = memory[min(memory.count - 1, 4)]
    if let end = memory.last, end > start + start / 10 {
      failures.append("memory grew from \(start >> 20) to \(end >> 20) MB")
    }
    return failures
  }
}

/// What this thread has computed so far.
private func computedTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// The time in the simulation.
final class SimulatedClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  var now: Date { time.withLock { $0 } }

  func pass(_ duration: Duration) {
    time.withLock { $0 = $0.addingTimeInterval(duration / .seconds(1)) }
  }
}
