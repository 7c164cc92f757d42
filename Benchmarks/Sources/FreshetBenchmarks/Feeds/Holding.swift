import Foundation
import Freshet

/// The longest that the main actor is held, while lists of 100,000 rows load, turn and change.
///
/// A loop on the main actor does what a view does: it reads rows, tells of those that come on
/// screen, sets the reader's place. What each call takes is measured, and what the main thread
/// computes between two looks, following the list included.
@MainActor
func holding() async throws -> [Figure] {
  print("\n## The main actor\n")
  print(
    "The longest of all calls in milliseconds, of an actor that reads rows, tells of displayed ones and"
  )
  print(
    "sets the anchor all the while, and the most the main thread computed between two of its turns.\n"
  )
  print("| while | calls | longest call | most between two turns |")
  print("|---|---:|---:|---:|")
  let count = 100_000
  return [try await refreshing(count), try await restoring(count), try await arranging(count)]
}

@MainActor
private func refreshing(_ count: Int) async throws -> Figure {
  let controller = FeedController<Row>(configuration: FeedConfiguration(pageSize: 1_000)) {
    (request: PageRequest<Int>) in
    let start = request.key ?? 0
    let end = min(start + request.limit, count)
    return Page(rows(start..<end), next: end < count ? end : nil)
  }
  await controller.refresh()
  while controller.state.next != .end { await controller.loadNext() }
  return await watch("`refresh(.all)` of \(count) rows", controller) {
    await controller.refresh(.all)
  }
}

@MainActor
private func restoring(_ count: Int) async throws -> Figure {
  let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
  defer { try? FileManager.default.removeItem(at: folder) }
  let choice = FeedCacheChoice<Row>.file("rows", in: CacheDirectory(folder))
  let feed = await loaded(count, cache: choice)
  await feed.flush()
  let controller = FeedController<Row>(cache: choice) { (_: PageRequest<Int>) in
    Page(rows(0..<25), next: 25)
  }
  controller.loadCacheSynchronously()
  let figure = await watch("\(count) rows are read from disk", controller) {
    await controller.loadCache()
  }
  precondition(controller.items.count == count)
  return figure
}

@MainActor
private func arranging(_ count: Int) async throws -> Figure {
  let results = ResultsController(
    store: MemoryStore(rows(0..<count)), arrangement: .sorted(by: \.title))
  await results.fetch(.all)
  return await watch("`arrange(_:)` sorts \(count) results anew") {
    _ = results.fetchedObjects[results.fetchedObjects.count / 2]
  } during: {
    results.arrange(.sorted(by: \.author))
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
  }
}

@MainActor
private func watch(
  _ name: String, _ controller: FeedController<Row>,
  during work: @escaping @MainActor () async -> Void
) async -> Figure {
  var turn = 0
  return await watch(name) {
    let items = controller.items
    guard !items.isEmpty else { return }
    turn += 1
    let item = items[turn &* 7_919 % items.count]
    controller.anchor = item.id
    controller.willDisplay(item)
    _ = controller.path(of: item.id)
  } during: {
    await work()
  }
}

@MainActor
private func watch(
  _ name: String, _ call: @MainActor () -> Void, during work: @escaping @MainActor () async -> Void
) async -> Figure {
  var isDone = false
  let task = Task {
    await work()
    isDone = true
  }
  var longest = Duration.zero
  var most = Duration.zero
  var calls = 0
  var turned = ThreadTime.now()
  while !isDone {
    longest = max(longest, ContinuousClock().measure(call))
    calls += 1
    try? await Task.sleep(for: .milliseconds(1))
    let now = ThreadTime.now()
    // On Linux any thread may take the turns of the main actor: two threads have two clocks.
    if now.thread == turned.thread { most = max(most, now.computed - turned.computed) }
    turned = now
  }
  await task.value
  print("| \(name) | \(calls) | \(milliseconds(longest)) | \(milliseconds(most)) |")
  // The time on the clock of a call has the turns of others on a busy machine in it.
  return Figure("The main actor", name, rows: 100_000, [("Freshet", most)])
}

/// What a thread has computed so far.
private struct ThreadTime {
  let thread: pthread_t
  let computed: Duration

  /// Never a part of its caller, of which no part but one may ask which thread it is on: that is
  /// taken for a constant.
  @inline(never)
  static func now() -> ThreadTime {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return ThreadTime(
      thread: pthread_self(), computed: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }
}
