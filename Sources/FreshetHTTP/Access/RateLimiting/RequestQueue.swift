/// The requests to one origin that run, and those that wait for a slot: first in, first out.
struct RequestQueue: Sendable {
  /// The number of running requests.
  private(set) var running = 0
  private var waiting: [(number: Int, limit: Int)] = []

  /// Whether no request runs or waits.
  var isIdle: Bool { running == 0 && waiting.isEmpty }
  /// The number of waiting requests.
  var waitingCount: Int { waiting.count }

  /// Adds a request; returns `true` if it may start at once, `false` if it waits.
  ///
  /// - Parameter limit: the largest number of running requests, including this one.
  mutating func enter(_ number: Int, limit: Int) -> Bool {
    guard waiting.isEmpty, running < max(1, limit) else {
      waiting.append((number, max(1, limit)))
      return false
    }
    running += 1
    return true
  }

  /// Removes a request that ended; returns those that may start now.
  mutating func leave() -> [Int] {
    running = max(0, running - 1)
    return next()
  }

  /// Removes a request that was cancelled while it waited; returns those that may start now.
  mutating func cancel(_ number: Int) -> [Int] {
    waiting.removeAll { $0.number == number }
    return next()
  }

  private mutating func next() -> [Int] {
    var ready: [Int] = []
    for entry in waiting {
      guard running < entry.limit else { break }
      running += 1
      ready.append(entry.number)
    }
    waiting.removeFirst(ready.count)
    return ready
  }
}
