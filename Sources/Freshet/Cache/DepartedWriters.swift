/// The writers whose feeds were released and that still have steps to store.
///
/// Such a writer holds the lock of its cache until it is done. The next feed of the cache waits
/// for it before storing anything.
final class DepartedWriters: Sendable {
  static let shared = DepartedWriters()

  private struct State {
    var lastNumber = 0
    var tasks: [String: [Int: Task<Void, Never>]] = [:]
  }

  private let state = Locked(State())

  /// Returns a number for a new writer, larger than those of all earlier writers.
  func makeNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Registers a writer whose feed was released, until its task has ended.
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

  /// Waits until the earlier writers of a cache whose feeds were released have stored everything.
  ///
  /// A writer never waits for a later one, so two writers cannot wait for each other.
  func finish(before number: Int, of cache: String) async {
    let tasks = state.withLock { $0.tasks[cache]?.filter { $0.key < number }.values }
    for task in tasks.map(Array.init) ?? [] { await task.value }
  }
}
