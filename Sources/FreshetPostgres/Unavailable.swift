#if !Postgres
  /// Live results from PostgreSQL: enable the trait `Postgres` of the package.
  @available(
    *, unavailable,
    message: "Enable the trait: .package(url: …, branch: …, traits: [\"Postgres\"])"
  )
  public struct PostgresStore<Item> {
    /// Reports the missing trait.
    public init(
      _ connection: String, table: String, of type: Item.Type = Item.self, key: String = "id"
    ) {}
  }

  /// Pages of a table of PostgreSQL: enable the trait `Postgres` of the package.
  @available(
    *, unavailable,
    message: "Enable the trait: .package(url: …, branch: …, traits: [\"Postgres\"])"
  )
  public struct PostgresFeedSource<Item> {
    /// Reports the missing trait.
    public init(_ store: Any, sortedBy columns: [Any], where request: Any? = nil) {}
  }
#endif
