#if Postgres
  /// The table that was found by a name, and its owner.
  ///
  /// Once a table was found, it is looked for in its schema alone. A role that may create tables in
  /// an earlier schema of the `search_path` can therefore not substitute one of its own. If the
  /// table was dropped, another one of its name has to belong to the same owner, this user or a
  /// superuser (rule S4).
  struct TableIdentity: Sendable {
    /// The name as SQL takes it, with the schema.
    let name: String
    let oid: String
    private let owner: String

    /// Reads the values of `columns`; `nil` if the table must not replace the known one.
    init?(_ values: some Collection<String?>, replacing known: TableIdentity?) {
      let values = Array(values)
      guard let name = values[0], let oid = values[1], let owner = values[2] else { return nil }
      if let known, known.oid != oid, known.owner != owner, values[3] != "t" { return nil }
      (self.name, self.oid, self.owner) = (name, oid, owner)
    }

    /// The columns of a query for an identity.
    static let columns = """
      pg_catalog.quote_ident(n.nspname::pg_catalog.text) || '.'
        || pg_catalog.quote_ident(c.relname::pg_catalog.text), c.oid::pg_catalog.text,
      c.relowner::pg_catalog.text, u.rolsuper OR u.rolname = current_user
      """

    /// The tables of that query; `c` is the table.
    static let tables = """
      pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_roles AS u ON u.oid = c.relowner
      """
  }
#endif
