/// The rows of a list, by the hashes of their ids.
///
/// It is a trie, copied in constant time and edited in logarithmic time. At each level, four bits
/// of a hash select one of 16 children. Hashes are spread evenly, so no comparison is needed on
/// the way. An edit of a copy copies only short nodes. In a sorted tree, each comparison waits for
/// a leaf of its own: there, a page of rows took four times as long.
///
/// - Complexity: O(1) to copy, O(log *n*) to find, insert and remove; O(*k*) for *k* rows of one
///   hash.
struct HashTrie: Sendable {
  struct Entry: Equatable, Sendable {
    let hash: UInt32
    /// The number of the row's section, which stays the same while other sections change.
    let section: Int32
    let order: RowOrder
  }

  private enum Node: Sendable {
    case leaf(ContiguousArray<Entry>)
    case inner(ContiguousArray<Node>)
  }

  private static var leafCapacity: Int { 64 }
  /// The number of hash bits that select a child of a node.
  private static var bits: Int { 4 }
  private static var fan: Int { 1 << bits }

  private var root = Node.leaf([])

  init() {}

  /// Creates a trie of these entries.
  ///
  /// - Complexity: O(*n* log *n*).
  init(_ entries: [Entry]) { root = Self.node(of: ContiguousArray(entries), level: 0) }

  /// All entries, in no particular order.
  var all: [Entry] {
    var (all, nodes) = ([Entry](), [root])
    while let node = nodes.popLast() {
      switch node {
      case .leaf(let entries): all += entries
      case .inner(let children): nodes += children
      }
    }
    return all
  }

  /// The number of nodes.
  var nodes: Int {
    var (count, nodes) = (0, [root])
    while let node = nodes.popLast() {
      count += 1
      if case .inner(let children) = node { nodes += children }
    }
    return count
  }

  /// Returns a few entries, including all entries with this hash.
  func near(_ hash: UInt32) -> ContiguousArray<Entry> {
    var (node, level) = (root, 0)
    while true {
      switch node {
      case .leaf(let entries): return entries
      case .inner(let children): node = children[Self.child(of: hash, level)]
      }
      level += 1
    }
  }

  mutating func insert(_ entry: Entry) { Self.insert(entry, into: &root, level: 0) }

  /// Removes an entry, if it is there.
  mutating func remove(_ entry: Entry) { Self.remove(entry, from: &root, level: 0) }

  // MARK: - Nodes

  private static func child(of hash: UInt32, _ level: Int) -> Int {
    Int(truncatingIfNeeded: hash >> UInt32(level * bits)) & (fan - 1)
  }

  private static func node(of entries: ContiguousArray<Entry>, level: Int) -> Node {
    // Entries with the same hash stay together.
    guard entries.count > leafCapacity, level * bits < UInt32.bitWidth else {
      return .leaf(entries)
    }
    var counts = [Int](repeating: 0, count: fan)
    for entry in entries { counts[child(of: entry.hash, level)] += 1 }
    var parts = counts.map { count in
      var part = ContiguousArray<Entry>()
      part.reserveCapacity(count)
      return part
    }
    for entry in entries { parts[child(of: entry.hash, level)].append(entry) }
    return .inner(ContiguousArray(parts.map { node(of: $0, level: level + 1) }))
  }

  // Each edit takes the array out of the node before it changes it. If the node kept a second
  // reference, every edit would copy.
  private static func insert(_ entry: Entry, into node: inout Node, level: Int) {
    switch node {
    case .leaf(var entries):
      node = .leaf([])
      entries.append(entry)
      node = self.node(of: entries, level: level)
    case .inner(var children):
      node = .leaf([])
      insert(entry, into: &children[child(of: entry.hash, level)], level: level + 1)
      node = .inner(children)
    }
  }

  private static func remove(_ entry: Entry, from node: inout Node, level: Int) {
    switch node {
    case .leaf(var entries):
      node = .leaf([])
      if let index = entries.firstIndex(of: entry) {
        entries.swapAt(index, entries.count - 1)
        entries.removeLast()
      }
      node = .leaf(entries)
    case .inner(var children):
      node = .leaf([])
      let child = child(of: entry.hash, level)
      remove(entry, from: &children[child], level: level + 1)
      if case .leaf(let rest) = children[child], rest.isEmpty, let all = few(children) {
        node = .leaf(all)
      } else {
        node = .inner(children)
      }
    }
  }

  /// Returns the entries of these nodes, if all are leaves and fill at most half of one.
  private static func few(_ children: ContiguousArray<Node>) -> ContiguousArray<Entry>? {
    var all = ContiguousArray<Entry>()
    for child in children {
      guard case .leaf(let entries) = child, all.count + entries.count <= leafCapacity / 2 else {
        return nil
      }
      all += entries
    }
    return all
  }
}
