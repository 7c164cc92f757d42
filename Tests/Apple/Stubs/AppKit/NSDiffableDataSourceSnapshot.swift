// developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable, ItemIdentifierType: Hashable
> {
  private var snapshot = StubSnapshot<SectionIdentifierType, ItemIdentifierType>()
  public init() {}

  public var sectionIdentifiers: [SectionIdentifierType] { snapshot.sections.map(\.id) }
  public var itemIdentifiers: [ItemIdentifierType] { snapshot.sections.flatMap(\.items) }
  public var reloadedItemIdentifiers: [ItemIdentifierType] { snapshot.changed }
  public func itemIdentifiers(
    inSection identifier: SectionIdentifierType
  ) -> [ItemIdentifierType] { snapshot.sections.first { $0.id == identifier }?.items ?? [] }
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    snapshot.append(identifiers)
  }
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) { snapshot.append(identifiers, to: sectionIdentifier) }
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    snapshot.change(identifiers)
  }
}

extension NSDiffableDataSourceSnapshot: Sendable
where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}
