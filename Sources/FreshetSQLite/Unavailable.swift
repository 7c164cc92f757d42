#if !SQLite
  /// Live results from SQLite: enable the trait `SQLite` of the package.
  @available(
    *, unavailable,
    message: "Enable the trait: .package(url: …, branch: …, traits: [\"SQLite\"])"
  )
  public struct SQLiteStore<Item> {
    /// Reports the missing trait.
    public init(_ database: Any, _: Item.Type = Item.self) {}
    /// Reports the missing trait.
    public init(at file: Any, like example: Item) throws {}
  }

  /// Pages of a table of SQLite: enable the trait `SQLite` of the package.
  @available(
    *, unavailable,
    message: "Enable the trait: .package(url: …, branch: …, traits: [\"SQLite\"])"
  )
  public struct SQLiteFeedSource<Item> {
    /// Reports the missing trait.
    public init(_ database: Any, _: Item.Type = Item.self, sortedBy columns: [Any]) {}
  }
#endif
