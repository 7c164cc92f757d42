import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct CacheRegistryTests {
  let caches = CacheRegistry()

  @Test
  func `P9: a removal delays no other user of a cache, of that one or another`() {
    var marks: [CacheRegistry.Mark] = []
    let isRemoved = caches.unlessInUse("a") {
      marks = [caches.mark("a"), caches.mark("b")]
      #expect(caches.contains("a") && caches.contains("b"))
      // One removal of a cache at a time, and none of what is in use.
      #expect(!caches.unlessInUse("a") {} && !caches.unlessInUse("b") {})
    }
    #expect(isRemoved)
    #expect(!caches.unlessInUse("a") {})
    withExtendedLifetime(marks) {}
    marks = []
    #expect(!caches.contains("a") && caches.unlessInUse("a") {})
  }

  /// What a removal leaves behind.
  private final class Trace: Sendable {
    let isOver = Locked(false)
    let opening = Locked<Task<Bool, Never>?>(nil)

    func open(_ mark: CacheRegistry.Mark) {
      let task = Task { @concurrent in
        mark.waitForRemoval()
        return self.isOver.withLock { $0 }
      }
      opening.withLock { $0 = task }
    }
  }

  @Test
  func `who opens a cache that is being removed waits for its end, and for no other`() async {
    let trace = Trace()
    let isRemoved = caches.unlessInUse("a") {
      caches.mark("b").waitForRemoval()
      trace.open(caches.mark("a"))
      trace.isOver.withLock { $0 = true }
    }
    #expect(isRemoved)
    #expect(await trace.opening.withLock { $0 }?.value == true)
  }

  @Test
  func `who asked is told when a cache is used so no more, and not that it is still in use`() {
    let ended = Locked<[Bool]>([])
    do {
      _ = caches.mark("a") { [caches] in
        let isInUse = caches.contains("a")
        ended.withLock { $0.append(isInUse) }
      }
    }
    #expect(ended.withLock { $0 } == [false])
  }
}
