import FreshetTesting
import Testing

@testable import Freshet

/// What a list does when its query changes, without tasks.
@Suite(.timeLimit(.minutes(5)))
struct QuerySwitchTests {
  @Test
  func `another query cancels loads, is asked for at once, and is turned to when it is there`() {
    var queries = QuerySwitch(showing: "a")
    #expect(!queries.isShowingOldRows && queries.arrived() == [])
    #expect(queries.show("b") == [.cancelLoads, .open])
    #expect(queries.isShowingOldRows && queries.shown == "a" && queries.asked == "b")
    #expect(queries.arrived() == [.turn])
    #expect(!queries.isShowingOldRows && queries.shown == "b")
    #expect(queries.show("b") == [.open])
  }

  @Test
  func `a query that waits is asked for after the last wait only`() {
    var queries = QuerySwitch(showing: "")
    let wait = Duration.milliseconds(300)
    #expect(queries.show("m", after: wait) == [.cancelLoads, .wait(1, wait)])
    #expect(queries.show("ma", after: wait) == [.stopWaiting, .wait(2, wait)])
    #expect(queries.waited(1) == [])
    #expect(queries.waited(2) == [.open])
    #expect(queries.waited(2) == [] && queries.isShowingOldRows)
  }

  @Test
  func `who does not want to wait does not`() {
    var queries = QuerySwitch(showing: 0)
    _ = queries.show(1, after: .seconds(1))
    #expect(queries.show(1, after: .seconds(1)) == [])
    #expect(queries.show(1) == [.stopWaiting, .open])
    #expect(queries.hurry() == [] && queries.waited(1) == [])
  }

  @Test
  func `the query on display is back at once`() {
    var queries = QuerySwitch(showing: 0)
    _ = queries.show(1, after: .seconds(1))
    #expect(queries.show(0, after: .seconds(1)) == [.stopWaiting, .open])
    #expect(!queries.isShowingOldRows && queries.waited(1) == [])
    _ = queries.show(1)
    #expect(queries.show(0) == [.cancelLoads, .open])
    #expect(queries.arrived() == [])
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `whatever comes, old rows are those of another query, and one wait is under way`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var queries = QuerySwitch(showing: 0)
    var (asked, waits) = (0, [Int]())
    for _ in 0..<200 {
      let effects: [QuerySwitch<Int>.Effect]
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        asked = Int.random(in: 0..<3, using: &random)
        effects = queries.show(asked, after: random.oneIn(2) ? .seconds(1) : nil)
      case 1:
        effects = queries.waited(Int.random(in: 0..<5, using: &random) + (waits.last ?? 0) - 2)
      case 2: effects = queries.hurry()
      default: effects = queries.arrived()
      }
      for effect in effects {
        switch effect {
        case .wait(let wait, _): waits.append(wait)
        case .stopWaiting: waits.removeAll()
        case .open:
          if case .open? = effects.first { waits.removeAll() }
        case .cancelLoads, .turn: break
        }
      }
      let isRight =
        queries.asked == asked && queries.isShowingOldRows == (queries.shown != asked)
        && waits.count <= 1 && !(queries.isAsking && !waits.isEmpty)
      guard isRight else {
        Issue.record("seed \(seed): \(queries), \(effects), \(waits)")
        return
      }
    }
  }
}
