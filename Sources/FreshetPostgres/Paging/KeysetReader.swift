#if Postgres
  internal import Foundation
  internal import Freshet
  internal import FreshetLists

  /// A reader of a request's rows in a total order, for a table as it is now.
  struct KeysetReader<Item: ListItem & Decodable> {
    let request: PostgresRequest
    let table: KeysetTable
    let connection: PostgresConnection
    private var columnCount: Int { table.order.columns.count }

    private func run(_ query: KeysetQuery) async throws -> PostgresConnection.Rows {
      try await connection.run(query.text, query.arguments)
    }

    // MARK: - Pages

    /// Reads a page, with keys from the rows at its ends.
    func page(_ key: KeysetKey?, limit: Int) async throws -> Page<Item, KeysetKey> {
      var rows = try await rows(for: key, limit: limit + 1)
      let isBehind = rows.isEmpty ? false : rows.removeFirst().last == "true"
      let hasMore = rows.count > limit
      if hasMore { rows.removeLast() }
      let ends = rows.first.flatMap { first in
        rows.last.map { (values(of: first), values(of: $0)) }
      }
      let (next, previous) = table.order.neighbours(
        of: key, ends: ends, hasMore: hasMore, hasRowsBehind: isBehind)
      var page = Page<Item, KeysetKey>([], next: next, previous: previous)
      let decoder = ItemCoding.decoder
      for row in key?.isUpward == true ? rows.reversed() : rows {
        do { page.items.append(try item(of: row, decoder)) } catch {
          page.invalidItems += 1
          if page.invalidItem == nil { page.invalidItem = .source(error) }
        }
      }
      return page
    }

    /// Reads whether there are rows on the other side of a key, and then the rows of its page.
    private func rows(
      for key: KeysetKey?, limit: Int
    ) async throws -> PostgresConnection.Rows {
      let behind = try key.map { try table.order.ranges(for: $0.opposite) { $0 } } ?? []
      let query = KeysetQuery.page(
        try table.order.ranges(for: key) { $0 }, limit: limit, behind: behind, request, of: table)
      return try await rows(of: query, hasKeys: key != nil)
    }

    /// Runs a query that may have the values of keys.
    ///
    /// - Throws: `FeedError.staleKey` if a column cannot hold them.
    private func rows(
      of query: KeysetQuery, hasKeys: Bool
    ) async throws -> PostgresConnection.Rows {
      do {
        return try await run(query)
      } catch let error as PostgresError where error.isAboutValues && hasKeys {
        // If the head can be read, a value of a key is the reason.
        _ = try await rows(for: nil, limit: 1)
        throw FeedError.staleKey("a value that its column cannot hold")
      }
    }

    private func item(of row: [String?], _ decoder: JSONDecoder) throws -> Item {
      let key = row[..<columnCount].suffix(table.keyCount).map { $0 ?? "" }
      return try ItemCoding.item(
        row[columnCount] ?? "", of: table.identity.name, key: key.joined(separator: ", "), decoder)
    }

    // MARK: - Windows

    /// Reads the rows of windows of one state of the table, in pages that follow each other.
    ///
    /// The validator of a window is a digest of its rows.
    ///
    /// - Parameters:
    ///   - size: the number of rows of a page, if a window is divided.
    ///   - limit: the number of rows after which an answer is cut off: a multiple of `size`.
    func pages(
      in windows: [PageWindow<KeysetKey>], ofSize size: Int, limit: Int
    ) async throws -> [[Page<Item, KeysetKey>]] {
      let rows = try await rows(
        of: .windows(windows, limit: limit + 1, request, of: table),
        hasKeys: windows.contains { $0.start != nil || $0.end != nil })
      var answers = [[[String?]]](repeating: [], count: windows.count)
      for row in rows {
        if let number = row[columnCount + 2].flatMap({ Int($0) }) { answers[number].append(row) }
      }
      let decoder = ItemCoding.decoder
      return zip(windows, answers).map { window, rows in
        let digest = rows.first?[columnCount + 1]
        if digest == window.validator { return [.unchanged] }
        // A window without rows has one for its digest.
        let rows = rows.filter { $0[columnCount] != nil }
        return pages(of: rows, in: window, ofSize: size, limit: limit, digest, decoder)
      }
    }

    /// Returns the digests of the rows of windows of one state of the table.
    func digests(of windows: [PageWindow<KeysetKey>], limit: Int) async throws -> [String?] {
      if windows.isEmpty { return [] }
      let rows = try await rows(
        of: .digests(of: windows, limit: limit + 1, request, of: table), hasKeys: true)
      var digests = [String?](repeating: nil, count: windows.count)
      for row in rows {
        if let number = row[0].flatMap({ Int($0) }) { digests[number] = row[1] }
      }
      return digests
    }

    private func pages(
      of rows: [[String?]], in window: PageWindow<KeysetKey>, ofSize size: Int, limit: Int,
      _ digest: String?, _ decoder: JSONDecoder
    ) -> [Page<Item, KeysetKey>] {
      var pages = WindowPages<Item>(window, size: size)
      for row in rows.prefix(limit) {
        pages.add {
          try item(of: row, decoder)
        } key: {
          table.order.key(values(of: row), isUpward: false)
        }
      }
      if rows.count > limit { pages.cutOff() }
      var answer = pages.finished().map(\.page)
      // The parts of a window have other digests.
      if answer.count == 1, rows.count <= limit { answer[0].validator = digest }
      return answer
    }

    // MARK: - Numbers of rows

    /// Counts all rows.
    func count() async throws -> Int {
      let rows = try await run(.all("pg_catalog.count(*)", request, of: table))
      return rows.first?.first?.flatMap { Int($0) } ?? 0
    }

    /// Reduces the rows of each section to a value, without those that are `NULL`.
    ///
    /// - Parameter section: the name of a row's section, as an expression; `nil` for one section
    ///   of all rows.
    func values<Value: Decodable>(
      of reduction: PostgresRequest, by section: PostgresRequest?
    ) async throws -> [(name: String, value: Value)] {
      let decoder = ItemCoding.decoder
      return try await run(.values(of: reduction, by: section, request, of: table))
        .compactMap { row in
          guard let name = row[0], let json = row[1] else { return nil }
          do { return (name, try decoder.decode(Value.self, from: Data(json.utf8))) } catch {
            throw PostgresError.value(type: "\(Value.self)", table: table.identity.name)
          }
        }
    }

    /// Counts all rows in the direction of a key.
    func count(inPage key: KeysetKey) async throws -> Int {
      let query = KeysetQuery.count(try table.order.ranges(for: key) { $0 }, request, of: table)
      return try await rows(of: query, hasKeys: true).first?.first?.flatMap { Int($0) } ?? 0
    }

    /// Returns the number of rows that the server's planner expects.
    func estimatedCount() async throws -> Int {
      let rows = try await run(KeysetQuery.all("1", request, of: table).explained)
      let json = rows.compactMap { $0.first ?? nil }.joined(separator: "\n")
      return try JSONDecoder().decode([Explanation].self, from: Data(json.utf8)).first?.plan.rows
        ?? 0
    }

    /// The part of a plan that is read.
    private struct Explanation: Decodable {
      struct Plan: Decodable {
        let rows: Int
        enum CodingKeys: String, CodingKey { case rows = "Plan Rows" }
      }
      let plan: Plan
      enum CodingKeys: String, CodingKey { case plan = "Plan" }
    }

    // MARK: - Jumps

    /// Returns the key of the page that begins with the row at an index.
    func key(ofRowAt index: Int) async throws -> KeysetKey? {
      var key = try await key(index, rowsFrom: nil, before: nil)
      key?.rowsAbove = index
      return key
    }

    /// Returns the key of the page that begins some rows further than another page.
    ///
    /// - Parameter end: the key of a page that has the row; `nil` if any row will do.
    func key(
      _ count: Int, rowsFrom key: KeysetKey?, before end: KeysetKey?
    ) async throws -> KeysetKey? {
      let query = KeysetQuery.key(
        try table.order.ranges(for: key) { $0 }, skipping: min(max(0, count), 1 << 40),
        inside: try end.map { try table.order.ranges(for: $0) { $0 } }, request, of: table)
      guard let row = try await rows(of: query, hasKeys: key != nil || end != nil).first,
        row.last == "true"
      else { return nil }
      return table.order.key(values(of: row), isUpward: key?.isUpward ?? false, isInclusive: true)
    }

    /// Returns the key of the page that begins with the first row at some values or after them.
    func key(at values: [String?]) async throws -> KeysetKey? {
      try await firstKey(.firstKey(table.order.ranges(from: values), request, of: table))
    }

    /// Returns the key of the page that begins with the row of an item.
    func key(of id: String, in column: String) async throws -> KeysetKey? {
      try await firstKey(.key(of: id, in: column, request, of: table))
    }

    private func firstKey(_ query: KeysetQuery) async throws -> KeysetKey? {
      try await run(query).first.map {
        table.order.key(values(of: $0), isUpward: false, isInclusive: true)
      }
    }

    private func values(of row: [String?]) -> [String?] { Array(row[..<columnCount]) }
  }
#endif
