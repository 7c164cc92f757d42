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
#endif
