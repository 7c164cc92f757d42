import FreshetLists
import FreshetTesting

@testable import Freshet
@testable import FreshetUI

/// Rows in sections, as a seed changes them.
@MainActor
final class Shelf {
  var random: SeededGenerator
  private var sections: [(name: Int, rows: [(id: Int, version: Int)])]
  private var next = 100
  private var nextName = 10

  init(seed: Int) {
    random = SeededGenerator(seed: seed)
    sections = (0..<3).map { section in
      (section, (0..<12).map { (section * 12 + $0 + 1, 0) })
    }
  }

  var list: ListSnapshot<ListRow<Post>> {
    ScriptedDisplay.list(
      sections.filter { !$0.rows.isEmpty }.map { section in
        ("s\(section.name)", section.rows.map { .row($0.id, $0.version) })
      })
  }

  func change() {
    for _ in 0..<Int.random(in: 1...3, using: &random) { changeOnce() }
    sections.removeAll { $0.rows.isEmpty }
    if sections.isEmpty { sections = [(0, [(1, 0)])] }
  }

  private func changeOnce() {
    guard let section = sections.indices.randomElement(using: &random) else { return }
    let other = sections.indices.randomElement(using: &random) ?? section
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      let place = Int.random(in: 0...sections[section].rows.count, using: &random)
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        next += 1
        sections[section].rows.insert((random.oneIn(9) ? -next : next, 0), at: place)
      }
    case 2:
      sections[section].rows.removeAll { _ in random.oneIn(4) }
    case 3, 4:
      for _ in 0..<Int.random(in: 1...3, using: &random) where !sections[section].rows.isEmpty {
        let row = Int.random(in: 0..<sections[section].rows.count, using: &random)
        let taken = sections[section].rows.remove(at: row)
        let place = Int.random(in: 0...sections[other].rows.count, using: &random)
        sections[other].rows.insert(taken, at: place)
      }
    case 5:
      for row in sections[section].rows.indices where random.oneIn(3) {
        sections[section].rows[row].version += 1
      }
    case 6:
      // A part of it is a section of its own from now on.
      let place = Int.random(in: 0...sections[section].rows.count, using: &random)
      let tail = Array(sections[section].rows[place...])
      sections[section].rows.removeSubrange(place...)
      nextName += 1
      sections.insert((nextName, tail), at: Int.random(in: 0...sections.count, using: &random))
    case 7:
      nextName += 1
      sections[section].name = nextName
    case 8: sections.swapAt(section, other)
    default:
      guard section != other else { return }
      sections[other].rows += sections[section].rows
      sections[section].rows = []
    }
  }

  /// A number below another one.
  func random(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// Moves a row as a reader dragged it.
  func move(_ id: Int, after other: Int?) {
    for section in sections.indices {
      guard let row = sections[section].rows.firstIndex(where: { $0.id == id }) else { continue }
      let taken = sections[section].rows.remove(at: row)
      for section in sections.indices {
        let rows = sections[section].rows
        guard let place = rows.firstIndex(where: { $0.id == other }) else { continue }
        return sections[section].rows.insert(taken, at: place + 1)
      }
      return sections[0].rows.insert(taken, at: 0)
    }
  }

  func state() -> ListState {
    var state = ListState()
    if random.oneIn(5) { state.refresh = .failed(.source(ScriptedError())) }
    if random.oneIn(3) { state.next = .loading }
    if random.oneIn(2) { state.previous = .loading }
    return state
  }

  func options() -> ScreenOptions {
    ScreenOptions(
      batchLimit: [0, 2, 10, 300].randomElement(using: &random) ?? 0,
      keptPlace: [.always, .whenScrolled, .whenScrolled, .never].randomElement(using: &random)
        ?? .always,
      edges: random.oneIn(2) ? .activeAndEnd : .none, isAnimated: random.oneIn(2))
  }
}
