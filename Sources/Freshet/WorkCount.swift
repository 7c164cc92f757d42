/// Counts what events look at, for tests: that an event costs no more where more is pending is
/// shown by counting, not by time.
///
/// Nothing is counted, and nothing costs anything, but in debug builds.
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

  /// Notes that so many gaps were looked at.
  static func note(_ number: Int = 1) {
    #if DEBUG
      counter?.add(number)
    #endif
  }
}
