import CMalloc
import Foundation
import Freshet

/// Writes into a store in memory, while results show it.
func writes() async throws -> [Figure] {
  print("\n## Writes into a store in memory, with a live query\n")
  print(
    "One item a write, as fast as they go; another query begins and ends every now and then. What a write"
  )
  print(
    "computes itself does not depend on who else keeps the machine busy; who waits for a lock is put to sleep.\n"
  )
  print(
    "| rows | writes a second | one computes | one in a thousand takes longer than | the longest "
      + "| the most one computes | writes in a million put to sleep |")
  print("|---:|---:|---:|---:|---:|---:|---:|")
  var figures: [Figure] = []
  for count in [1_000, 100_000] {
    let store = MemoryStore((0..<count).map { Row($0) })
    let results = LiveResults(store: store, arrangement: .sorted(by: \.title))
    await results.fetch(.all)
    let visits = Task {
      while !Task.isCancelled {
        let visitor = LiveResults(store: store, arrangement: .sorted(by: \.title))
        await visitor.fetch(.init { $0.title.count % 2 == 0 })
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
    let batches = (0..<200_000).map { number in
      var row = Row(number &* 7_919 % count)
      row.author = "author \(number)"
      var changes = ChangeBatch<Row>()
      changes.add(row, as: .update)
      return changes
    }
    var times: [Duration] = []
    times.reserveCapacity(batches.count)
    let clock = ContinuousClock()
    var (most, computed, sleeps) = (Duration.zero, Duration.zero, 0)
    for batch in batches {
      let (start, before) = (clock.now, ThreadUse.now)
      try await store.write(batch)
      let after = ThreadUse.now
      times.append(start.duration(to: clock.now))
      most = max(most, after.computed - before.computed)
      computed += after.computed - before.computed
      sleeps += after.sleeps == before.sleeps ? 0 : 1
    }
    visits.cancel()
    let perSecond = Double(times.count) / (times.reduce(.zero, +) / .seconds(1))
    times.sort()
    figures += [
      Figure("Writes", "a write", rows: count, [("Freshet", .seconds(1 / perSecond))]),
      Figure("Writes", "the longest", rows: count, [("Freshet", times[times.count - 1])]),
    ]
    print(
      "| \(count) | \(Int(perSecond)) | \(milliseconds(computed / times.count)) ms "
        + "| \(milliseconds(times[times.count * 999 / 1000])) ms "
        + "| \(milliseconds(times[times.count - 1])) ms | \(milliseconds(most)) ms "
        + "| \(sleeps * 1_000_000 / times.count) |")
  }
  return figures
}

/// What this thread has computed so far, and how often it was put to sleep.
private struct ThreadUse {
  let computed: Duration
  let sleeps: Int

  static var now: ThreadUse {
    var use = rusage()
    used_by_thread(&use)
    let time = { (value: timeval) in
      Duration.seconds(value.tv_sec) + .microseconds(value.tv_usec)
    }
    return ThreadUse(computed: time(use.ru_utime) + time(use.ru_stime), sleeps: use.ru_nvcsw)
  }
}
