import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// C4: what waits is looked at when what it waits for comes, and not with each event: by counting.
@Suite(.timeLimit(.minutes(5)))
struct PendingCostTests {
  /// So many deletions that the source took.
  func deletions(_ count: Int) -> PendingEdits {
    var edits = PendingEdits()
    for id in 0..<count {
      edits.begin(.init(token: id, change: .delete, since: 0, cause: .edit), of: RowID(post: id))
      edits.confirm(id, after: id / 10, until: nil)
    }
    return edits
  }

  @Test(arguments: [10, 10_000])
  func `edits of rows on disk are looked at once, and again when the rows are read`(count: Int) {
    var edits = deletions(count)
    var looks = 0
    func settled(_ edits: inout PendingEdits) -> [Int] {
      edits.settled(oldest: nil, at: .distantPast) { id in
        looks += 1
        return id != RowID(post: 3)
      }
    }
    #expect(settled(&edits) == [3])
    _ = edits.end(3)
    looks = 0
    for _ in 0..<10 { #expect(settled(&edits) == []) }
    #expect(looks == 0)
    edits.noteRead(RowID(post: 5))
    #expect(settled(&edits) == [])
    #expect(looks <= 2)
    #expect(edits.settled(oldest: nil, at: .distantPast, unless: nil).count == count - 1)
  }

  @Test(arguments: [10, 10_000])
  func `edits that answers may contradict are looked at when those came`(count: Int) {
    var edits = deletions(count)
    var looks = 0
    func settled(_ edits: inout PendingEdits, oldest: Int?) -> [Int] {
      edits.settled(oldest: oldest, at: .distantPast) { _ in
        looks += 1
        return false
      }
    }
    #expect(settled(&edits, oldest: 0) == [])
    looks = 0
    for _ in 0..<10 { #expect(settled(&edits, oldest: 0) == []) }
    #expect(looks == 0)
    #expect(settled(&edits, oldest: 1) == Array(0..<10))
    #expect(looks <= 20)
    #expect(settled(&edits, oldest: nil).count == count)
  }

  #if DEBUG
    @Test
    func `C4: an event looks at as few gaps where there are many as where there are few`() throws {
      func looks(_ count: Int, at number: Int) throws -> Int {
        var machine = FeedMachine(
          configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
        let change = machine.change(.page(nil), at: .distantPast) { machine in
          let rows = (0..<count).flatMap { id in
            [NewRow(row: .item(Post(id: id))), NewRow(row: .gap(machine.timeline.makeGap()))]
          }
          return machine.timeline.replace(
            0..<0, with: rows + [NewRow(row: .item(Post(id: count)))], head: .end, tail: .end)
        }
        machine.publish(change)
        #expect(machine.value.state.gaps.count == count)
        let counter = WorkCount.Counter()
        WorkCount.$counter.withValue(counter) {
          let post = Post(id: number, version: 1)
          machine.follow(.upsert(post), token: 1, at: .distantPast)
          machine.willDisplay(number, at: .distantPast)
          machine.follow(.delete(count), token: 2, at: .distantPast)
          let gap = machine.timeline.gaps(in: (2 * number)..<(2 * number + 2))[0].gap
          machine.load(.gap(gap.id))
        }
        // The last gap was at the end, and a gap loads.
        #expect(machine.value.state.gaps.count == count - 1)
        #expect(machine.value.state.gaps.values.count { $0 == .loading } == 1)
        return counter.count
      }
      let (few, many) = (try looks(10, at: 5), try looks(10_000, at: 5))
      #expect(many == few && few < 100, "\(few), \(many)")
    }

    @Test
    func `C4: an event looks at as few gaps where many stand for rows on disk as where few do`() {
      func looks(_ count: Int) -> Int {
        var machine = FeedMachine(
          configuration: FeedConfiguration(), continuity: .stable, isCached: true, sectionedBy: nil)
        _ = machine.change(.page(nil), at: .distantPast) { machine in
          let rows = (0..<(3 * count)).map { NewRow(row: .item(Post(id: $0))) }
          return machine.timeline.replace(0..<0, with: rows, head: .end, tail: .end)
        }
        for gap in 0..<(count - 1) {
          let change = machine.change(.cache, at: .distantPast) {
            $0.timeline.evict((2 * gap + 1)..<(2 * gap + 3), isStored: true)
          }
          machine.publish(change)
        }
        let counter = WorkCount.Counter()
        WorkCount.$counter.withValue(counter) {
          machine.follow(.upsert(Post(id: 0, version: 2)), token: 1, at: .distantPast)
          machine.follow(.delete(3 * count - 1), token: 2, at: .distantPast)
        }
        return counter.count
      }
      let (few, many) = (looks(3), looks(100))
      #expect(many == few && few < 100, "\(few), \(many)")
    }
  #endif
}
