import FreshetTesting
import Testing

@testable import Freshet

/// When changes are passed on, decided without a clock.
struct ChangeCoalescerTests {
  @Test
  func `the first change is passed on at once, what follows it when its window ends`() {
    var gathered = ChangeCoalescer<Post>()
    let first = gathered.add { $0.add(Post(id: 1), as: .insert) }
    #expect(first?.changes.count == 1 && first?.opensWindow == true)
    for id in 2..<10 { #expect(gathered.add { $0.add(Post(id: id), as: .insert) } == nil) }
    let second = gathered.windowEnded()
    #expect(second?.changes.count == 8 && second?.opensWindow == true)
    #expect(gathered.add { $0.addDeletion(of: 1) } == nil)
    #expect(gathered.windowEnded()?.changes.deleted == [1])
    // Nothing came in this one: the next change is a first one.
    #expect(gathered.windowEnded() == nil)
    #expect(gathered.add { $0.addDeletion(of: 2) }?.opensWindow == true)
  }

  @Test
  func `how a query stands is passed on at once, with what gathered, and opens no window alone`() {
    var gathered = ChangeCoalescer<Post>()
    let status = gathered.change { $0.isComplete = true }
    #expect(status?.changes.isEmpty == true && status?.opensWindow == false)
    #expect(gathered.add { $0.addDeletion(of: 1) }?.opensWindow == true)
    #expect(gathered.add { $0.addDeletion(of: 2) } == nil)
    let both = gathered.change { $0.progress = FetchProgress(completed: 1) }
    #expect(both?.changes.deleted == [2] && both?.opensWindow == false)
    #expect(both?.status.isComplete == true)
    #expect(gathered.windowEnded() == nil && gathered.deliver() == nil)
  }

  @Test
  func `what another query said is said once`() {
    var (other, gathered) = (ChangeCoalescer<Post>(), ChangeCoalescer<Post>())
    guard let said = other.change({ $0.isComplete = true }) else { return #expect(Bool(false)) }
    #expect(gathered.follow(said.status)?.status.isComplete == true)
    #expect(gathered.follow(said.status) == nil)
  }

  @Test
  func `without a window, and where too much waits, nothing gathers`() {
    var gathered = ChangeCoalescer<Post>()
    gathered.isImmediate = true
    for id in 0..<3 {
      let delivery = gathered.add { $0.addDeletion(of: id) }
      #expect(delivery?.changes.deleted == [id] && delivery?.opensWindow == false)
    }
    gathered.isImmediate = false
    _ = gathered.add { $0.addDeletion(of: 0) }
    let waiting = (0..<10_000).compactMap { id in gathered.add { $0.addDeletion(of: id) } }
    #expect(waiting.map(\.changes.count) == [4096, 4096])
  }

  /// Every change arrives once, in order, and at most one delivery of changes opens each window.
  @Test(arguments: SeededGenerator.seeds(50))
  func `nothing is lost, and one window is open at a time`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var gathered = ChangeCoalescer<Post>()
    var isOpen = false
    var last = 0
    var model: [Int: Int?] = [:]
    var shown: [Int: Int?] = [:]
    func pass(_ delivery: ChangeCoalescer<Post>.Delivery?) {
      for change in delivery?.changes.all ?? [] { shown[change.id] = .some(change.item?.version) }
      if delivery?.opensWindow == true {
        #expect(!isOpen, "seed \(seed)")
        isOpen = true
      }
    }
    for _ in 0..<200 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where isOpen:
        isOpen = false
        pass(gathered.windowEnded())
      case 1: pass(gathered.change { $0.isComplete.toggle() })
      default:
        last += 1
        let id = Int.random(in: 0..<12, using: &random)
        if random.oneIn(3) {
          model[id] = .some(nil)
          pass(gathered.add { $0.addDeletion(of: id) })
        } else {
          model[id] = last
          pass(gathered.add { $0.add(Post(id: id, version: last), as: .update) })
        }
      }
      #expect(isOpen || shown == model, "seed \(seed)")
    }
    pass(gathered.deliver())
    #expect(shown == model, "seed \(seed)")
  }
}
