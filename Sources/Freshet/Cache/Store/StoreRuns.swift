internal import Foundation
internal import FreshetLists

/// The runs of a feed in a store: the ids of their rows, as JSON, each run in a note of its own.
struct StoreRuns<Item: ListItem>: RunStorage where Item.ID: Codable {
  /// The ids of the rows in each run, and the number of runs that contain an id.
  ///
  /// An id is in several runs if its item was inserted again while its row was only in the store.
  private var ids: [UInt64: [Item.ID]] = [:]
  private var uses: [Item.ID: Int] = [:]
  /// The notes that changed, by name; `nil` for a note to remove.
  var notes: [String: Data?] = [:]

  /// The names of the notes of all runs, and the items in the runs.
  var names: [String] { ids.keys.map(Self.name) }
  var items: some Sequence<Item.ID> { uses.keys }

  init() {}

  /// Reads the runs that a manifest names.
  init(
    _ notes: [String: Data], of manifest: FeedManifest
  ) throws(FeedManifest.Unreadable) {
    for case .run(let part, _) in manifest.entries {
      guard part.isWhole, let data = notes[Self.name(part.sequence)],
        let ids = try? JSONDecoder().decode([Item.ID].self, from: data), ids.count == part.total
      else { throw .damaged }
      add(ids, as: part.sequence)
    }
  }

  /// Returns the ids of the items in the noted runs that can be read.
  static func ids(in notes: [String: Data]) -> [Item.ID] {
    notes.filter { $0.key.first == "p" }.flatMap { note in
      (try? JSONDecoder().decode([Item.ID].self, from: note.value)) ?? []
    }
  }

  private static func name(_ sequence: UInt64) -> String { "p\(sequence)" }

  /// It is `false`, because an item is deleted from the store with the last run that names it.
  var keepsParts: Bool { false }

  func content(of item: Item) -> Item.ID { item.id }

  mutating func write(
    _ run: inout FeedManifest.Run<Item.ID>, as sequence: UInt64
  ) throws -> Bool {
    notes[Self.name(sequence)] = try JSONEncoder().encode(run.contents)
    add(run.contents, as: sequence)
    return true
  }

  func read(_ sequence: UInt64, count: Int) -> [Item.ID?]? { ids[sequence] }

  func take(_ part: RunPart, of run: [Item.ID?]?) -> ArraySlice<Item.ID?>? { run?[part.rows] }

  /// Returns a stamp of the items' contents as JSON and of the shape of their type.
  ///
  /// Other code writes into the store, too, and its items differ from the source's answer.
  func stamp(of page: [Item]) -> UInt64? {
    guard let first = page.first else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let coded = page.compactMap { item in
      (item as? any Encodable).flatMap { try? encoder.encode($0) }
    }
    guard coded.count == page.count else { return nil }
    return max(
      1, XXHash64.hash(Data(coded.joined(separator: [0])), seed: ItemShape.number(of: first)))
  }

  /// Removes a run.
  ///
  /// - Returns: the ids that are in no run any more.
  mutating func remove(_ sequence: UInt64) -> [Item.ID] {
    notes[Self.name(sequence)] = .some(nil)
    return (ids.removeValue(forKey: sequence) ?? []).filter { id in
      let rest = uses[id, default: 1] - 1
      uses[id] = rest == 0 ? nil : rest
      return rest == 0
    }
  }

  private mutating func add(_ ids: [Item.ID], as sequence: UInt64) {
    self.ids[sequence] = ids
    for id in ids { uses[id, default: 0] += 1 }
  }
}
