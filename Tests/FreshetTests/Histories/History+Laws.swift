import Foundation
import FreshetTesting

@testable import Freshet

// What holds at every moment, and at the end.
extension History {
  /// R6: what the user does is seen, and what went does not come back.
  mutating func checkEdits() {
    let shown = Dictionary(uniqueKeysWithValues: machine.value.items.map { ($0.id, $0) })
    for edit in edits.map(\.edit) + lateAnswers.map(\.edit) {
      switch edit {
      case .update(let id):
        if let post = shown[id], post.version < 1000 {
          violations.append("R6: \(id) lost its edit")
        }
      case .delete(let id):
        if shown[id] != nil { violations.append("R6: \(id) came back") }
      case .insert(let temporary):
        if shown[temporary] == nil { violations.append("R6: \(temporary) went") }
      }
    }
    for (id, version) in told where shown[id].map({ $0.version < version }) ?? false {
      violations.append("R2: \(id) is older than the news")
    }
    let back = gone.intersection(shown.keys)
    if !back.isEmpty { violations.append("R6: \(back) came back from the dead") }
  }

  /// N3, R2: a validator is sent only where the list is what its page says.
  mutating func checkValidator(_ request: PageRequest<PageKey>) {
    guard let validator = request.validator else { return }
    let page = named[validator] ?? []
    let rows = machine.timeline.posts.map(\.item)
    let start = request.key == nil ? 0 : rows.firstIndex { $0 == page.first } ?? 0
    if Array(rows.dropFirst(start).prefix(page.count)) != page {
      violations.append("N3: \(page) is not shown, and its validator was sent")
    }
  }

  /// What is kept of gaps and places is what looking at all rows gives.
  private mutating func checkPlaces() {
    let value = machine.value
    let gaps = value.rows.enumerated().compactMap { index, row in row.gap.map { (index, $0) } }
    if value.items.gaps != gaps.map(\.0) { violations.append("gaps are not where they are") }
    let states = gaps.map {
      ($0.1.id, machine.planner.state(of: .gap($0.1.id), in: machine.timeline))
    }
    if value.state.gaps != Dictionary(uniqueKeysWithValues: states) {
      violations.append("gaps do not stand as they are said to")
    }
    for edge in [FeedEdge.refresh, .previous, .next] {
      let state = machine.planner.state(of: edge, in: machine.timeline)
      if value.state[edge] != state {
        violations.append("R5: \(edge) is said to be \(value.state[edge]), and is \(state)")
      }
    }
    for (_, gap) in gaps where gap.isStored != (machine.timeline.evicted.runs[gap.id] != nil) {
      violations.append("a gap does not know whether it stands for rows on disk")
    }
    for (section, content) in value.list.sections.enumerated() {
      for (row, content) in content.rows.enumerated() {
        guard let id = content.item?.id else { continue }
        if machine.value.path(of: id) != RowPath(section: section, row: row) {
          violations.append("an item is not found where it is shown")
        }
      }
    }
  }

  mutating func checkShape() {
    let rows = Array(machine.timeline.posts)
    let seen = machine.presentation.overlay.rows.map(\.ofPosts)
    if seen != machine.presentation.overlay.rowsFromScratch(machine.timeline).map(\.ofPosts) {
      violations.append("X1: the rows are not the answers with the edits over them")
    }
    if Array(machine.value.rows) != seen.suffix(machine.value.rows.count) {
      violations.append("what is shown is not below what waits")
    }
    if machine.value.items.count + machine.value.state.newItems
      != seen.count(where: { $0.item != nil })
    {
      violations.append("new items are not counted")
    }
    checkPlaces()
    if let anchor = machine.value.anchor, !seen.contains(where: { $0.item?.id == anchor }) {
      violations.append("the reader is at \(anchor), which is not there")
    }
    if Set(seen.map(\.id)).count != seen.count || Set(rows.map(\.id)).count != rows.count {
      violations.append("L1: an id twice")
    }
    if let gap = rows.last?.gap, !gap.isStored { violations.append("a gap at the end") }
    if let cache = cache as? ModelCache {
      violations += cache.violations
      if !machine.isRestoring, machine.timeline.stored.count != cache.rows.count {
        violations.append("P4: \(cache.rows.count) rows are stored")
      }
    }
    for gap in rows.compactMap(\.gap)
    where gap.isStored != (machine.timeline.evicted.runs[gap.id] != nil) {
      violations.append("gap \(gap) does not say whether it is on disk")
    }
    if let maximum = machine.configuration.maximumRows, !machine.isRestoring {
      // These stay with the rows around them.
      let kept =
        3 * (machine.presentation.overlay.edits.ids.count + machine.timeline.evicted.outdated.count)
      let waiting = machine.value.state.newItems + kept
      if rows.count > maximum + 6 * machine.configuration.pageSize + waiting {
        violations.append("\(rows.count) rows are in memory")
      }
    }
    for (above, below) in zip(rows, rows.dropFirst()) where above.gap != nil && below.gap != nil {
      violations.append("two gaps side by side")
    }
    if checker.shown != machine.value.list { violations.append("R5: the value is not the updates") }
    if Set(rows.compactMap(\.gap?.id)) != Set(machine.timeline.gaps.keys) {
      violations.append("gaps out of step")
    }
    for (index, row) in rows.enumerated() {
      let found =
        switch row {
        case .item(let item): machine.timeline.index(of: item.id)
        case .gap(let gap): machine.timeline.index(ofGap: gap.id)
        }
      if found != index { violations.append("row \(row) is not at \(index)") }
    }
  }

  /// T2: between neighbours there was nothing at some moment, but for rows that went or moved
  /// since.
  mutating func checkNeighbours() {
    let rows = Array(machine.value.rows)
    let lists = versions.map { $0.map(\.id) }
    for (above, below) in zip(rows, rows.dropFirst()) {
      guard let a = above.item?.id, let b = below.item?.id else { continue }
      // A page may continue after a row that was deleted before the next one was inserted, or moved
      // there: they never met.
      var last: Int?
      let areProven = lists.indices.contains { version in
        let list = lists[version]
        guard let i = list.firstIndex(of: a), let j = list.firstIndex(of: b) else { return false }
        last = version
        return i < j && list[(i + 1)..<j].allSatisfy { movedOrWent($0, since: version, in: lists) }
      }
      guard !areProven, let last else { continue }
      let later = lists[last...].dropFirst()
      func movedOn(_ moved: Int, after deleted: Int) -> Bool {
        later.contains { !$0.contains(deleted) } && later.contains { $0.contains(moved) }
          && movedOrWent(moved, since: last, in: lists)
      }
      if !movedOn(b, after: a), !movedOn(a, after: b) {
        violations.append("T2: \(a) and \(b) were never neighbours")
      }
    }
  }

  /// Whether a row went since a version of the list, or stands otherwise to any other row.
  private func movedOrWent(_ id: Int, since version: Int, in lists: [[Int]]) -> Bool {
    func above(_ list: [Int]) -> Set<Int> { Set(list.prefix { $0 != id }) }
    let old = (all: Set(lists[version]), above: above(lists[version]))
    return lists[version...].contains { list in
      guard list.contains(id) else { return true }
      return above(list).intersection(old.all) != old.above.intersection(list)
    }
  }

  /// T5: once the end is reached without gaps, every row that was there all the time is there.
  mutating func checkNothingMissing() {
    guard machine.timeline.head == .end, machine.timeline.tail == .end,
      machine.timeline.gaps.isEmpty
    else { return }
    let always = versions.dropFirst().reduce(Set(versions[0].map(\.id))) {
      $0.intersection($1.map(\.id))
    }
    let missing = always.subtracting(machine.value.items.map(\.id))
    if !missing.isEmpty { violations.append("T5: \(missing.sorted()) are missing") }
  }

  /// T6 for a server that inserts at its head only.
  mutating func checkConverged() {
    if Array(machine.value.items) != server.items || !machine.timeline.gaps.isEmpty {
      violations.append("T6: \(machine.value.outline) is not \(server.items)")
    }
  }

  /// T6, T3: at rest, asking for anything again changes nothing.
  mutating func checkRest() {
    machine.configuration.staleAfter = .seconds(1)
    for id in machine.value.items.map(\.id) {
      rest("display \(id)") { $0.willDisplay(id, at: $1) }
    }
    for scope in [RefreshScope.head, .visible, .all] {
      rest("refresh \(scope)") { machine, _ in machine.load(.refresh, scope: scope) }
    }
    rest("load more") { machine, _ in machine.load(.next) }
    rest("load previous") { machine, _ in machine.load(.previous) }
  }

  private mutating func rest(_ what: String, _ event: (inout Machine, Date) -> Void) {
    guard violations.isEmpty else { return }
    time += 100
    perform("at rest, \(what)", event(&machine, now))
    settle()
    if violations.isEmpty, Array(machine.value.items) != server.items {
      violations.append("T6: at rest, \(what) gives \(machine.value.outline)")
    }
    if violations.isEmpty, let failure = machine.value.state.failure {
      violations.append("T7: at rest, \(what) fails: \(failure)")
    }
  }
}

extension Overlay {
  /// What the rows are by the timeline, what is hidden of it, and what stands between.
  func rowsFromScratch(_ timeline: Timeline) -> [Row] {
    var rows: [Row] = []
    var placed = Array(places.shown)[...]
    func place(below order: RowOrder?) {
      while let entry = placed.first, order.map({ entry.slot < $0 }) ?? true {
        placed.removeFirst()
        let answered = timeline.item(entry.id)
        if let item = edits.appearance(of: entry.id, over: answered).item {
          rows.append(.item(item))
        }
      }
    }
    for (order, row) in zip(timeline.content.orders, timeline.rows) {
      place(below: order)
      if isHidden(order) { continue }
      let seen = row.item.map { edits.appearance(of: $0.id, over: $0).item.map(Row.item) }
      rows.append((seen ?? row) ?? row)
    }
    place(below: nil)
    return rows
  }
}
