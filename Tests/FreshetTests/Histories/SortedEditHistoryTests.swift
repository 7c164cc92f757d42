import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rules A4 and T2 in lists whose order is known, with edits that put rows out of order.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct SortedEditHistoryTests {
  /// A history, and the rows that an edit put somewhere.
  private struct Sorted {
    var history: History
    var edited: Set<Int> = []
    var random: SeededGenerator

    init(seed: Int, paging: ScriptedPaging) {
      random = SeededGenerator(seed: seed)
      let ids = (0..<Int.random(in: 0...20, using: &random)).map { 10 * $0 }
      history = History(
        ids.reversed(), paging, sortedBy: { $0.id > $1.id }, isCached: random.oneIn(4),
        configuration: FeedConfiguration(
          pageSize: Int.random(in: 2...4, using: &random), prefetchDistance: 0))
    }

    /// Puts a new row where it belongs on the server.
    mutating func newRow() -> Post {
      var id = Int.random(in: 0..<200, using: &random)
      while history.server.items.contains(where: { $0.id == id }) { id += 1 }
      let index = history.server.items.firstIndex { $0.id < id } ?? history.server.items.count
      history.server.insert(Post(id: id), at: index)
      return Post(id: id)
    }

    /// An edit, news, a load, or another launch.
    mutating func step(_ token: Int) {
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        let post = newRow()
        let above = history.machine.value.items.map(\.id).randomElement(using: &random)
        edited.insert(post.id)
        history.begin { $0.insert(post, after: above, token: token, at: $1) }
        history.begin { $0.confirm(token, as: post, at: $1) }
      case 2...4:
        let post = newRow()
        history.begin { $0.follow(.insert(post), token: -token, at: $1) }
      case 5:
        guard let id = history.server.items.randomElement(using: &random)?.id else { return }
        history.server.delete(id)
        history.begin { $0.follow(.delete(id), token: -token, at: $1) }
      case 6: history.ask { $0.load(.next) }
      case 7:
        guard let cache = history.cache else { return }
        history.relaunch(from: cache)
        history.settle()
        // What put them there is not stored.
        let timeline = history.machine.timeline
        edited.formUnion(
          timeline.unprovenIndices.joined().compactMap { timeline.posts[$0].item?.id })
      default: history.ask { $0.load(.refresh) }
      }
    }

    /// The first pair of rows that stand together although they should not.
    var fault: String? {
      let shown = Set(history.machine.value.items.map(\.id))
      var above: Int?
      for row in history.machine.value.rows {
        guard let id = row.item?.id else {
          above = nil
          continue
        }
        guard !edited.contains(id) else { continue }
        if let above {
          if above < id { return "\(above) above \(id)" }
          let between = history.server.items.filter { (id + 1..<above).contains($0.id) }
          if let post = between.first(where: { !shown.contains($0.id) }) {
            return "no \(post.id) between \(above) and \(id)"
          }
        }
        above = id
      }
      return nil
    }
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `A4, T2: news stand where they belong, whatever edits put out of order`(
    paging: ScriptedPaging
  ) {
    for seed in SeededGenerator.seeds(100) {
      var sorted = Sorted(seed: seed, paging: paging)
      var log: [String] = []
      sorted.history.ask { $0.load(.refresh) }
      for token in 1...25 {
        sorted.step(token)
        log.append("\(sorted.history.server.items): \(sorted.history.machine.value.outline)")
        guard let fault = sorted.fault ?? sorted.history.violations.first else { continue }
        Issue.record("seed \(seed), \(paging): \(fault)\n\(log.joined(separator: "\n"))")
        return
      }
    }
  }
}
