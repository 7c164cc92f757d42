import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rules T1–T6, R2 and R6 against a scripted server: random histories, thousands in all.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct TimelineHistoryTests {
  /// For each law and paging.
  static let seeds = SeededGenerator.seeds(100)

  @Test(arguments: ScriptedPaging.allCases)
  func `T6: where the server only inserts at its head, the list becomes the server's`(
    paging: ScriptedPaging
  ) async {
    await run(paging, .headOnly) { history in
      history.complete()
      if history.violations.isEmpty { history.checkConverged() }
      history.checkRest()
    }
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `R6: edits are seen until the source decides, and what went stays away`(
    paging: ScriptedPaging
  ) async {
    await run(paging, .all, isEdited: true) { history in
      history.complete(.all)
      if history.violations.isEmpty { history.checkConverged() }
      history.checkRest()
    }
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `T1-T5: no row is skipped or doubled while rows come and go`(paging: ScriptedPaging) async {
    await run(paging, .noMoves) { history in
      history.checkNeighbours()
      history.checkNothingMissing()
      history.complete()
      history.checkNeighbours()
      history.checkNothingMissing()
      history.complete(.all)
      history.checkRest()
    }
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `T6: once the server rests, a full refresh gives its list, whatever moved`(
    paging: ScriptedPaging
  ) async {
    await run(paging, .all) { history in
      history.checkNeighbours()
      history.complete(.all)
      if history.violations.isEmpty { history.checkConverged() }
      history.checkRest()
    }
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `T6: a full refresh gives the server's list, whatever the user did by hand`(
    paging: ScriptedPaging
  ) async {
    await run(paging, .all, isWild: true) { history in
      history.complete(.all)
      if history.violations.isEmpty { history.checkConverged() }
      history.checkRest()
    }
  }

  private func run(
    _ paging: ScriptedPaging, _ changes: History.Changes, isWild: Bool = false,
    isEdited: Bool = false,
    check: (inout History) -> Void
  ) async {
    var (unchangedAnswers, farAnswers) = (0, 0)
    func history(_ seed: Int, steps: Int, isLogged: Bool = false) -> History {
      var history = History(
        seed: seed, paging: paging, changes: changes, sectioned: seed % 3 == 0,
        isWild: isWild, isEdited: isEdited, isWindowed: seed % 4 == 0)
      history.isLogged = isLogged
      history.run(steps: steps)
      if history.violations.isEmpty { check(&history) }
      unchangedAnswers += history.server.unchangedAnswers
      farAnswers += history.farAnswers
      return history
    }
    for seed in Self.seeds {
      guard !history(seed, steps: 24).violations.isEmpty else { continue }
      // The shortest history that goes wrong says most.
      let steps = (0...24).first { !history(seed, steps: $0).violations.isEmpty } ?? 24
      let shortest = history(seed, steps: steps, isLogged: true)
      Issue.record(
        """
        seed \(seed), \(paging), \(changes): \(shortest.violations.prefix(3))
        \(shortest.log.joined(separator: "\n"))
        """)
      return
    }
    // The laws hold with validators and jumps too.
    #expect(unchangedAnswers >= Self.seeds.count / 10)
    if [.keyset, .offset, .page].contains(paging) { #expect(farAnswers >= Self.seeds.count / 20) }
  }
}
