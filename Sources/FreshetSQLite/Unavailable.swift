#if !SQLite
  /// Live results from SQLite: enable the trait `SQLite` of the package.
  @available(
    *, unavailable,
    message: "Enable the trait: .package(url: …, branch: …, traits: [\"SQLite\"])"
  )
  public struct SQLiteStore<Item> {}
#endif
