import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Random histories of the mutations of an outbox, compared with what was done.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxQueueTests {
  private struct History {
    var random: SeededGenerator
    var queue = OutboxQueue()
    var records: [OutboxRecord] = []
    /// The keys of those that were neither answered nor discarded, in their order.
    var live: [String] = []
    var sent: [String] = []
    var lanes: [String: String] = [:]
    private var next = 0
    private let limit = 3

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    mutating func step() throws {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2: try perform()
      case 3, 4: send()
      case 5: answer()
      case 6: fail()
      case 7:
        if let key = live.randomElement(using: &random) {
          queue.retry(key)
          records.append(.retried(key))
        }
      case 8: if random.oneIn(2) { queue.resume() } else { queue.isPaused = random.oneIn(2) }
      default: discard()
      }
    }

    private mutating func perform() throws {
      next += 1
      let target = Int.random(in: -3..<6, using: &random)
      let key = "\(next)"
      let isNew = target < 0 && !queue.all.contains { $0.mutation.target.id == "\(target)" }
      let stored =
        isNew
        ? try OutboxMutation(Create(target: target), id: key, at: Date(), list: nil)
        : try OutboxMutation(Revise(target: target, version: next), id: key, at: Date(), list: nil)
      queue.add(stored)
      guard let numbered = queue[key]?.mutation else { return }
      // Others of the same moment may be stored first: the number decides.
      records.insert(
        .added(numbered), at: records.count - (records.isEmpty || random.oneIn(2) ? 0 : 1))
      queue.noteStored(key)
      live.append(key)
      lanes[key] = numbered.lane
    }

    private mutating func send() {
      for entry in queue.takeReady(atMost: limit) {
        sent.append(entry.mutation.id)
        records.append(.begun(entry.mutation.id))
      }
    }

    private var sending: String? {
      live.filter { queue[$0]?.progress == .sending }.first
    }

    private mutating func answer() {
      guard let key = sending, let mutation = queue[key]?.mutation else { return }
      live.removeAll { $0 == key }
      let target = mutation.isInsertion ? "\(100 + (Int(key) ?? 0))" : mutation.target.id
      queue.endOutage()
      let others = queue.answer(key, target: target)
      if target != mutation.target.id { records.append(.renamed(mutation.target, to: target)) }
      for other in others {
        guard queue[other.id]?.progress != .sending,
          let renamed = try? other.replaced(
            by: Revise(target: Int(target) ?? 0, version: 0), isSent: false)
        else { continue }
        queue.move(renamed)
        lanes[renamed.id] = renamed.lane
        records.append(.changed(renamed))
      }
      records.append(.removed(key))
    }

    private mutating func fail() {
      guard let key = sending else { return }
      let (isFinal, failure) = (random.oneIn(2), MutationFailure(ScriptedError()))
      queue.fail(key, failure, isFinal: isFinal, hasToWait: random.oneIn(3))
      if isFinal { records.append(.failed(key, failure)) }
    }

    private mutating func discard() {
      guard let key = live.randomElement(using: &random) else { return }
      let gone = queue.discard(key).map(\.mutation)
      live.removeAll { id in gone.contains { $0.id == id } }
      records += gone.flatMap(\.removal)
    }

    /// What is wrong.
    func problem() -> String? {
      let all = queue.all.map(\.mutation.id)
      if all != live { return "\(all) are in the queue instead of \(live)" }
      for (lane, keys) in Dictionary(grouping: live, by: { lanes[$0] ?? "" }) {
        let sending = keys.filter { queue[$0]?.progress == .sending }
        if sending.count > 1 { return "\(sending) of lane \(lane) are sent at once" }
        if let one = sending.first, one != keys.first { return "\(one) is sent before \(keys)" }
      }
      return nil
    }
  }

  @Test(arguments: SeededGenerator.seeds(300))
  func `O2, O7: nothing is lost, and each lane is sent in order, one at a time`(seed: Int) throws {
    var history = History(seed: seed)
    for step in 0..<120 {
      try history.step()
      let problem = history.problem()
      #expect(problem == nil, "seed \(seed), step \(step)")
      if problem != nil { return }
    }
    // Nothing that can be sent is forgotten.
    history.queue.resume()
    for entry in history.queue.all {
      if case .failed = entry.progress { history.queue.retry(entry.mutation.id) }
    }
    var rest = history.live.count
    while rest > 0 {
      for entry in history.queue.all where entry.progress == .sending {
        _ = history.queue.answer(entry.mutation.id, target: nil)
        rest -= 1
      }
      guard !history.queue.takeReady(atMost: 3).isEmpty || rest == 0 else {
        Issue.record("seed \(seed): \(rest) are never sent")
        return
      }
    }
  }

  @Test(arguments: SeededGenerator.seeds(300))
  func `P2: a queue that is read from its records goes on where it was`(seed: Int) throws {
    var history = History(seed: seed)
    for step in 0..<120 {
      try history.step()
      for records in [history.records, history.queue.records] {
        let read = OutboxQueue(records) { _ in true }
        #expect(read.all.map(\.mutation) == history.queue.all.map(\.mutation), "step \(step)")
        #expect(Set(read.discarded) == Set(history.queue.discarded), "step \(step)")
        for (new, old) in zip(read.all, history.queue.all) {
          if case .failed = old.progress {
            #expect(new.progress == old.progress)
          } else {
            #expect(new.progress == .waiting)
          }
        }
      }
    }
  }
}
