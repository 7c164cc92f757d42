#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  // The neighbours of changed rows: SQLite alone determines the position of a row.
  extension KeysetReader {
    typealias Placement = PlacedChanges<Item>.Placement

    /// Reads those of some rows that the request includes, each with its neighbours.
    ///
    /// A row that does not decode is left out.
    ///
    /// - Complexity: O(*k* log *n*) for *k* rows of *n*, if an index has the order.
    func placements(
      of rowIDs: Set<Int64>, rowID: String
    ) throws -> [(rowID: Int64, placement: Placement)] {
      let selected = annotatedRequest(rowID: rowID).filter(rowIDs.contains(Column(rowID)))
      return try Row.fetchAll(db, selected.unordered()).compactMap { row in
        guard let item = try? Item(row: row) else { return nil }
        let values = values(of: row)
        let position = order.keyset.key(values, isUpward: false)
        var placement = Placement(
          item, above: try neighbour(position.upward), below: try neighbour(position))
        placement.position = position
        return (row[Self.rowIDName], placement)
      }
    }

    /// Returns the item next to a position; rows that do not decode are passed over.
    private func neighbour(_ key: KeysetKey) throws -> Item.ID? {
      for range in try ranges(for: key) {
        let request = range.select(self.request)
        guard let row = try Row.fetchOne(db, request.limit(1)) else { continue }
        if let item = try? Item(row: row) { return item.id }
        let rows = try Row.fetchCursor(db, request)
        while let row = try rows.next() { if let item = try? Item(row: row) { return item.id } }
      }
      return nil
    }
  }

  extension Array {
    /// Placements from the top to the bottom of the list.
    ///
    /// Only the order of rows that are neighbours of each other matters.
    func fromTop<Item: ListItem>() -> Self where Element == PlacedChanges<Item>.Placement {
      let indices = Dictionary(zip(map(\.item.id), self.indices)) { first, _ in first }
      var below: [Int: Int] = [:]
      var starts: [Int] = []
      for (index, placement) in enumerated() {
        if let above = placement.above.flatMap({ indices[$0] }) {
          below[above] = index
        } else {
          starts.append(index)
        }
      }
      return starts.flatMap { start in
        sequence(first: start) { below[$0] }.map { self[$0] }
      }
    }
  }
#endif
