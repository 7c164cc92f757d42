import Testing

@testable import Freshet

/// One at a time, in the order in which they came.
@Suite(.timeLimit(.minutes(5)))
struct AsyncLockTests {
  /// How many are inside.
  private final class Inside: Sendable {
    private let count = Locked(0)
    func enter() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
    func leave() { count.withLock { $0 -= 1 } }
  }

  @Test
  func `who waits for a turn gets it, one after the other`() async {
    let (lock, inside) = (AsyncLock(), Inside())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await lock.withLock {
            #expect(inside.enter() == 1)
            await Task.yield()
            inside.leave()
          }
        }
      }
    }
    await lock.withLock {}
  }
}
