#if !SQLite
  /// Live results from SQLite: enable the trait `SQLite` of the package.
  @available(
    *, unavailable,
    message: "Enable the trait: .package(url: …, branch: …, traits: [\"SQLite\"])"
  )
  public struct SQLiteStore<Item> {
    /// Says which trait is missing.
    public init(_ database: Any, _: Item.Type = Item.self) {}
    /// Says which trait is missing.
    public init(at file: Any, like example: Item) throws {}
  }
#endif
