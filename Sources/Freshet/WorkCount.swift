/// Counts the objects that events look at, for tests.
///
/// A test thus proves by counting, not by timing, that an event costs no more when more is
/// pending.
///
/// It counts only in debug builds, and costs nothing in others.
enum WorkCount {
  /// Counts the work of one task.
  final class Counter: Sendable {
    private let looks = Locked(0)

    var count: Int { looks.withLock { $0 } }

    func add(_ number: Int) { looks.withLock { $0 += number } }
  }

  #if DEBUG
    @TaskLocal static var counter: Counter?
  #endif

  /// Counts a number of objects that were looked at.
  static func note(_ number: Int = 1) {
    #if DEBUG
      counter?.add(number)
    #endif
  }
}
