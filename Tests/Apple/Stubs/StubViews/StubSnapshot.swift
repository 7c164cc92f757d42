/// What the snapshots of diffable data sources share: the rules that they raise exceptions about.
public struct StubSnapshot<Section: Hashable, Item: Hashable> {
  public private(set) var sections: [(id: Section, items: [Item])] = []
  public private(set) var changed: [Item] = []
  private var known: Set<Item> = []

  public init() {}

  public mutating func append(_ ids: [Section]) {
    for id in ids {
      precondition(!sections.contains { $0.id == id }, "Section \(id) is in the snapshot already")
      sections.append((id, []))
    }
  }

  public mutating func append(_ items: [Item], to section: Section?) {
    for item in items { precondition(known.insert(item).inserted, "\(item) is there already") }
    guard
      let index = section.map({ id in sections.firstIndex { $0.id == id } })
        ?? sections.indices.last
    else { preconditionFailure("There is no section to append to") }
    sections[index].items += items
  }

  public mutating func change(_ items: [Item]) {
    for item in items { precondition(known.contains(item), "\(item) is not in the snapshot") }
    changed += items
  }
}

extension StubSnapshot: Sendable where Section: Sendable, Item: Sendable {}
