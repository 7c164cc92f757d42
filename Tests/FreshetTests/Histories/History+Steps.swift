import Foundation
import FreshetTesting

@testable import Freshet

// What may happen next.
extension History {
  mutating func step() {
    time += 1
    if jumps, random.oneIn(6) { return jump() }
    if let cache, !isWild, random.oneIn(30) { return relaunch(from: cache) }
    if isEdited, random.oneIn(4) { return random.oneIn(2) ? beginEdit() : endEdit() }
    switch Int.random(in: 0..<(isWild ? 18 : 15), using: &random) {
    case 17: perform("invalidate", machine.follow(.invalidate, token: 0, at: now))
    case 15: perform("hold", machine.holdNew())
    case 16: perform("show", machine.showNew())
    case 12 where isWild: edit()
    case 13:
      lastWaiter += 1
      waiting.insert(lastWaiter)
      perform(
        "wait \(lastWaiter)", machine.load(random.oneIn(2) ? .next : .refresh, waiter: lastWaiter))
    case 14 where lastWaiter > 0:
      let waiter = Int.random(in: 1...lastWaiter, using: &random)
      perform("cancel \(waiter)", machine.cancel(waiter: waiter, at: now))
    case 0...2: changeServer()
    case 3 where random.oneIn(8): server.expireCursors()
    case 3: perform("refresh", machine.load(.refresh))
    case 4...5: perform("loadNext", machine.load(.next))
    case 6:
      if let gap = machine.timeline.gaps.keys.sorted().randomElement(using: &random) {
        let side: Gap.Side = random.oneIn(2) ? .above : .below
        perform("load gap \(gap) from \(side)", machine.load(.gap(gap), from: side))
      }
    case 7 where random.oneIn(2): perform("loadPrevious", machine.load(.previous))
    case 7: perform("retry", machine.retry())
    case 9 where random.oneIn(12): perform("pause", machine.pause())
    case 9 where random.oneIn(4): perform("resume", machine.resume())
    case 8 where !random.oneIn(4), 10:
      if let id = machine.value.items.randomElement(using: &random)?.id {
        perform("display \(id)", machine.willDisplay(id, at: now))
      }
    case 8: serve()
    case 9 where random.oneIn(2): read()
    case 9: random.oneIn(2) ? serve() : proceed()
    default: deliver()
    }
  }

  /// The user drags the scroll bar.
  mutating func jump() {
    let row = Int.random(in: 0...(server.items.count + 2), using: &random)
    lastWaiter += 1
    waiting.insert(lastWaiter)
    perform("jump to \(row)", machine.load(rowAt: row, waiter: lastWaiter))
  }

  mutating func changeServer() {
    var items = server.items
    let kind = changes == .headOnly ? 0 : Int.random(in: 0...6, using: &random)
    let at = items.isEmpty ? 0 : Int.random(in: 0..<items.count, using: &random)
    switch kind {
    case 0, 1:
      let post = Post(id: freshID)
      freshID += 1
      server.insert(post, at: kind == 0 ? 0 : at)
    case 2 where !items.isEmpty, 3 where !items.isEmpty:
      server.delete(items[at].id)
      absent.append(items[at].id)
    case 6 where !absent.isEmpty && changes == .all && !isEdited:
      server.insert(Post(id: absent.removeFirst(), version: 1), at: at)
    case 4 where !items.isEmpty:
      items[at].version += 1
      server.update(items[at])
    case 5 where !items.isEmpty && changes == .all:
      server.move(items[at].id, to: Int.random(in: 0..<items.count, using: &random))
    default: return
    }
    versions.append(server.items)
    if isLogged { log.append("server: \(server.items)") }
  }

  /// The user edits by hand.
  mutating func edit() {
    let ids = machine.value.items.map(\.id)
    let id = ids.randomElement(using: &random) ?? 0
    let other = random.oneIn(4) ? nil : ids.randomElement(using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      freshID += 1
      let post = Post(id: random.oneIn(3) ? id : freshID, version: 1)
      perform("insert \(post) after \(other ?? -1)", machine.insert(post, after: other, at: now))
    case 1: perform("remove \(id)", machine.remove(id, at: now))
    case 2 where random.oneIn(3): perform("read \(id)", machine.setAnchor(id))
    default: perform("move \(id) after \(other ?? -1)", machine.move(id, after: other, at: now))
    }
  }

  /// The app starts again and reads what is on disk, while the user goes on.
  mutating func relaunch(from cache: any BlockingCache<Post>) {
    self.cache = cache
    pending = []
    waiting = []
    reads = []
    pausing = []
    (edits, lateAnswers) = ([], [])
    told = [:]
    checker = BatchUpdateChecker()
    machine = Machine(
      ofPosts: machine.configuration, continuity: machine.planner.continuity, finds: finds,
      isCached: true,
      start: start, order: order, sectionedBy: section)
    machine.beginRestoring()
    // What was deleted may be on disk, among the rows that were not in memory.
    if let model = cache as? ModelCache { gone.subtract(model.ids) }
    if isWild, random.oneIn(3) { edit() }
    if random.oneIn(3) { perform("load", machine.load(.next)) }
    let first = cache.loadFirst() ?? CachedRows()
    perform("restore \(first.rows.count)", machine.restore(first, at: now))
    if isWild, random.oneIn(3) { edit() }
    if random.oneIn(3) { deliver() }
    guard machine.isRestoring else { return }
    let rest = cache.loadRest()
    perform("restore \(rest.rows.count)", machine.restore(rest, at: now))
  }
}
