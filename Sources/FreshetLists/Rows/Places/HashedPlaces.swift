/// Where rows stand, by the hashes of their ids: copied in constant time, edited in logarithmic
/// time.
///
/// It is a trie: four bits of a hash say at each level which of 16 children to go to. As hashes are
/// spread evenly, nothing is compared on the way, and an edit of a copy copies short nodes only. In
/// a sorted tree, where each comparison waits for a leaf of its own, a page of rows took four times
/// as long.
///
/// - Complexity: O(1) to copy, O(log *n*) to find, insert and remove; O(*k*) for *k* rows of one
///   hash.
struct HashedPlaces: Sendable {
  struct Place: Equatable, Sendable {
    let hash: Int
    /// The number of the row's section, which stays while sections come and go around it.
    let section: Int
    let order: RowOrder
  }

  private enum Node: Sendable {
    case leaf(ContiguousArray<Place>)
    case inner(ContiguousArray<Node>)
  }

  private static var leafCapacity: Int { 64 }
  /// How many bits of a hash tell the children of a node apart.
  private static var bits: Int { 4 }
  private static var fan: Int { 1 << bits }

  private var root = Node.leaf([])

  init() {}

  /// - Complexity: O(*n* log *n*).
  init(_ places: [Place]) { root = Self.node(of: ContiguousArray(places), level: 0) }

  /// All places, in no order.
  var all: [Place] {
    var (all, nodes) = ([Place](), [root])
    while let node = nodes.popLast() {
      switch node {
      case .leaf(let places): all += places
      case .inner(let children): nodes += children
      }
    }
    return all
  }

  /// How many nodes there are.
  var nodes: Int {
    var (count, nodes) = (0, [root])
    while let node = nodes.popLast() {
      count += 1
      if case .inner(let children) = node { nodes += children }
    }
    return count
  }

  /// A few places, with all of this hash among them.
  func near(_ hash: Int) -> ContiguousArray<Place> {
    var (node, level) = (root, 0)
    while true {
      switch node {
      case .leaf(let places): return places
      case .inner(let children): node = children[Self.child(of: hash, level)]
      }
      level += 1
    }
  }

  mutating func insert(_ place: Place) { Self.insert(place, into: &root, level: 0) }

  /// Removes a place; one that is not there is passed over.
  mutating func remove(_ place: Place) { Self.remove(place, from: &root, level: 0) }

  // MARK: - Nodes

  private static func child(of hash: Int, _ level: Int) -> Int {
    (hash >> (level * bits)) & (fan - 1)
  }

  private static func node(of places: ContiguousArray<Place>, level: Int) -> Node {
    // Those of one hash stay together.
    guard places.count > leafCapacity, level * bits < Int.bitWidth else { return .leaf(places) }
    var counts = [Int](repeating: 0, count: fan)
    for place in places { counts[child(of: place.hash, level)] += 1 }
    var parts = counts.map { count in
      var part = ContiguousArray<Place>()
      part.reserveCapacity(count)
      return part
    }
    for place in places { parts[child(of: place.hash, level)].append(place) }
    return .inner(ContiguousArray(parts.map { node(of: $0, level: level + 1) }))
  }

  // Each edit takes the array out of the node before it changes it: the node must not hold a second
  // reference, or every edit would copy.
  private static func insert(_ place: Place, into node: inout Node, level: Int) {
    switch node {
    case .leaf(var places):
      node = .leaf([])
      places.append(place)
      node = self.node(of: places, level: level)
    case .inner(var children):
      node = .leaf([])
      insert(place, into: &children[child(of: place.hash, level)], level: level + 1)
      node = .inner(children)
    }
  }

  private static func remove(_ place: Place, from node: inout Node, level: Int) {
    switch node {
    case .leaf(var places):
      node = .leaf([])
      if let index = places.firstIndex(of: place) {
        places.swapAt(index, places.count - 1)
        places.removeLast()
      }
      node = .leaf(places)
    case .inner(var children):
      node = .leaf([])
      let child = child(of: place.hash, level)
      remove(place, from: &children[child], level: level + 1)
      if case .leaf(let rest) = children[child], rest.isEmpty, let all = few(children) {
        node = .leaf(all)
      } else {
        node = .inner(children)
      }
    }
  }

  /// The places below these nodes, where one leaf has room for twice as many.
  private static func few(_ children: ContiguousArray<Node>) -> ContiguousArray<Place>? {
    var all = ContiguousArray<Place>()
    for child in children {
      guard case .leaf(let places) = child, all.count + places.count <= leafCapacity / 2 else {
        return nil
      }
      all += places
    }
    return all
  }
}
