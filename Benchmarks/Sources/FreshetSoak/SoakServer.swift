import Foundation
import Freshet
import FreshetTesting
import Synchronization

/// A row of the list: the newest first.
struct Entry: ListItem, Codable {
  let id: Int
  var text: String
  var version = 0
}

/// The list as its server has it: rows come at the head, change and go.
final class SoakServer: Sendable {
  fileprivate struct State {
    /// All ids that ever were, ascending; those that went are looked up in `entries`.
    var ids: [Int] = []
    var entries: [Int: Entry] = [:]
    var lastID = 0
    var random: SeededGenerator
  }
  private let state: Mutex<State>

  init(rows: Int, seed: Int) {
    var state = State(random: SeededGenerator(seed: seed))
    for _ in 0..<rows { _ = state.insert() }
    self.state = Mutex(state)
  }

  var count: Int { state.withLock { $0.entries.count } }

  /// All rows, the newest first.
  var list: [Entry] {
    state.withLock { state in state.ids.reversed().compactMap { state.entries[$0] } }
  }

  /// The rows below a key.
  func page(_ request: PageRequest<Int>) -> Page<Entry, Int> {
    state.withLock { state in
      var index = request.key.map { key in state.ids.partition(below: key) } ?? state.ids.count
      var rows: [Entry] = []
      while index > 0, rows.count < request.limit {
        index -= 1
        if let entry = state.entries[state.ids[index]] { rows.append(entry) }
      }
      return Page(rows, next: index > 0 ? rows.last?.id : nil)
    }
  }

  /// Something happens, and is told.
  func event(around rows: Int) -> FeedEvent<Entry> {
    state.withLock { state in
      let choice = Int.random(in: 0..<10, using: &state.random)
      if choice < 6, let id = state.anyID() {
        state.entries[id]!.version += 1
        return .upsert(state.entries[id]!)
      }
      if state.entries.count > rows, let id = state.anyID() {
        state.entries[id] = nil
        state.forgetGone()
        return .delete(id)
      }
      return .insert(state.insert())
    }
  }

  /// Takes an edit, if the row is still there.
  func edit(_ id: Int, text: String) throws -> Entry {
    try state.withLock { state in
      guard state.entries[id] != nil else { throw Refusal() }
      state.entries[id]!.text = text
      state.entries[id]!.version += 1
      return state.entries[id]!
    }
  }
}

extension SoakServer.State {
  fileprivate mutating func insert() -> Entry {
    lastID += 1
    ids.append(lastID)
    entries[lastID] = Entry(id: lastID, text: "what row \(lastID) says, in a sentence")
    return entries[lastID]!
  }

  fileprivate mutating func anyID() -> Int? {
    for _ in 0..<64 {
      guard let id = ids.randomElement(using: &random) else { return nil }
      if entries[id] != nil { return id }
    }
    return nil
  }

  fileprivate mutating func forgetGone() {
    if ids.count > 2 * entries.count { ids.removeAll { entries[$0] == nil } }
  }
}

extension [Int] {
  /// The index of the first number that is not below `key`, in ascending numbers.
  fileprivate func partition(below key: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// An edit that the server does not take.
struct Refusal: Error {}
