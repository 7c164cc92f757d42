/// The writers whose feeds are gone and that still have something to store.
///
/// Such a writer holds the lock of its cache until it is done: the next feed of that cache waits
/// for it before it stores anything.
final class DepartedWriters: Sendable {
  static let shared = DepartedWriters()

  private struct State {
    var lastNumber = 0
    var tasks: [String: [Int: Task<Void, Never>]] = [:]
  }

  private let state = Locked(State())

  /// A number for a new writer: those of all earlier ones are smaller.
  func makeNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Notes that the feed of a writer is gone, until its task has ended.
  func add(_ number: Int, of cache: String, _ task: Task<Void, Never>) {
    state.withLock { $0.tasks[cache, default: [:]][number] = task }
    Task {
      await task.value
      state.withLock { state in
        state.tasks[cache]?[number] = nil
        if state.tasks[cache]?.isEmpty == true { state.tasks[cache] = nil }
      }
    }
  }

  /// Waits until the earlier writers of a cache whose feeds are gone have stored everything.
  ///
  /// No writer waits for a later one, so that no two wait for each other.
  func finish(before number: Int, of cache: String) async {
    let tasks = state.withLock { $0.tasks[cache]?.filter { $0.key < number }.values }
    for task in tasks.map(Array.init) ?? [] { await task.value }
  }
}
