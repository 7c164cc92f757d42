/// A persistent sequence of rows: copied in constant time, edited in logarithmic time.
///
/// Snapshots, timelines and sorted lists share this structure. It is a `CountedTree` of references
/// to rows. An item becomes a row once, when it is inserted. Lists that share rows still share
/// them after edits of either list.
///
/// ```swift
/// let rows = RowTree(posts)  // copied in O(1)
/// print(rows.count, rows[3].title, rows.map(\.id))
/// ```
///
/// - Complexity: O(1) to copy; O(log *n*) to access, insert, remove or replace a row, to split and
///   to join; O(*m*) to build from *m* rows; amortised O(1) for each row to iterate.
public struct RowTree<Row: ListItem>: Sendable {
  /// The references to the rows.
  @usableFromInline package var refs: CountedTree<RowRef>

  /// Creates a tree from existing rows.
  ///
  /// - Precondition: the rows are of this item type.
  @inlinable
  package init(refs: CountedTree<RowRef>) { self.refs = refs }

  /// Creates a tree without rows.
  @inlinable
  public init() { refs = CountedTree() }

  /// Creates a tree of these rows, in their order.
  ///
  /// - Complexity: O(1) for a `RowTree`, else O(*m*).
  @inlinable
  public init(_ rows: some Sequence<Row>) {
    if let tree = rows as? RowTree<Row> {
      self = tree
    } else {
      refs = Self.refs(of: rows)
    }
  }

  /// Creates a tree of these rows, keeping only the first row with each id.
  ///
  /// - Complexity: O(*n*).
  public init(uniquing rows: some Sequence<Row>) {
    var seen: Set<Row.ID> = []
    self.init(rows.filter { seen.insert($0.id).inserted })
  }

  @inlinable
  static func refs(of rows: some Sequence<Row>) -> CountedTree<RowRef> {
    var builder = CountedTreeBuilder<RowRef>(capacity: rows.underestimatedCount)
    for row in rows { builder.append(Row._row(of: row)) }
    return builder.finish()
  }

  /// The number of rows in the tree.
  @inlinable public var count: Int { refs.count }

  /// Returns whether both trees share their storage.
  ///
  /// If they do, they are equal, and no row has to be compared.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: RowTree) -> Bool { refs.isIdentical(to: other.refs) }
}

extension RowTree: ExpressibleByArrayLiteral {
  /// Creates a tree of these rows.
  @inlinable
  public init(arrayLiteral rows: Row...) { self.init(rows) }
}

extension RowTree: Equatable {
  /// Returns whether both trees hold equal rows in the same order.
  ///
  /// - Complexity: O(1) for trees that share storage, else O(*n*).
  @inlinable
  public static func == (first: RowTree, second: RowTree) -> Bool {
    first.refs.isIdentical(to: second.refs)
      || first.count == second.count
        && first.refs.elementsEqual(second.refs) { $0.equals($1) }
  }
}

extension RowTree: CustomStringConvertible {
  /// The rows, described like an array.
  public var description: String { Array(self).description }
}

extension RowTree: RandomAccessCollection {
  /// The index of the first row: zero.
  @inlinable public var startIndex: Int { 0 }
  /// The index after the last row: the number of rows.
  @inlinable public var endIndex: Int { refs.count }

  /// The row at an index.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(index: Int) -> Row { Row._item(of: refs[index]) }

  /// Returns the index of the first row that satisfies a predicate.
  ///
  /// All rows after that one must satisfy the predicate too.
  ///
  /// - Returns: `count` if no row satisfies the predicate.
  /// - Complexity: O(log *n*) calls of the predicate.
  @inlinable
  public func partitioningIndex(where belongsBehind: (Row) throws -> Bool) rethrows -> Int {
    try refs.partitioningIndex { try belongsBehind(Row._item(of: $0)) }
  }

  /// Returns an iterator over the rows, which reads leaf by leaf.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(refs.makeIterator()) }

  /// An iterator over the rows of a tree.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var refs: CountedTree<RowRef>.Iterator

    @inlinable
    init(_ refs: CountedTree<RowRef>.Iterator) { self.refs = refs }

    /// Returns the next row, or `nil` after the last one.
    @inlinable
    public mutating func next() -> Row? { refs.next().map { Row._item(of: $0) } }
  }
}

extension RowTree {
  /// Inserts a row so that it is at `index`.
  ///
  /// - Precondition: `index` is in `0...count`.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func insert(_ row: Row, at index: Int) {
    refs.insert(Row._row(of: row), at: index)
  }

  /// Removes the row at `index` and returns it.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @discardableResult @inlinable
  public mutating func remove(at index: Int) -> Row { Row._item(of: refs.remove(at: index)) }

  /// Adds a row at the end.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func append(_ row: Row) { insert(row, at: count) }

  /// Adds rows at the end.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* rows.
  @inlinable
  public mutating func append(contentsOf rows: some Sequence<Row>) {
    refs = .join(refs, RowTree(rows).refs)
  }

  /// Replaces the rows in `range` by `rows`.
  ///
  /// - Precondition: `range` lies in `0..<count`.
  /// - Complexity: O(log *n* + *m*) for *m* new rows.
  @inlinable
  public mutating func replaceSubrange(_ range: Range<Int>, with rows: some Sequence<Row>) {
    refs.replaceSubrange(range, with: RowTree(rows).refs)
  }

  /// Removes the rows in `range`.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func removeSubrange(_ range: Range<Int>) { refs.removeSubrange(range) }

  /// Replaces the row at `index`.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func update(_ row: Row, at index: Int) {
    refs.update(Row._row(of: row), at: index)
  }

  /// Returns the rows in `range`, sharing storage with this tree.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public func slice(_ range: Range<Int>) -> RowTree { RowTree(refs: refs.slice(range)) }

  /// Returns the rows before `index`, and the rows from `index` on.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public func split(at index: Int) -> (RowTree, RowTree) {
    let (head, tail) = refs.split(at: index)
    return (RowTree(refs: head), RowTree(refs: tail))
  }

  /// Returns the rows from `index` on.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func rows(from index: Int) -> RowTree { RowTree(refs: refs.rows(from: index)) }

  /// Returns one tree with the rows of two.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public static func join(_ head: RowTree, _ tail: RowTree) -> RowTree {
    RowTree(refs: .join(head.refs, tail.refs))
  }

  /// Performs edits; `row` returns the row at an index after the edits.
  ///
  /// - Complexity: O(*k* log *n*), and O(*k* + log *n*) for adjacent rows.
  @inlinable
  package mutating func perform(_ edits: RowEdits, row: (Int) -> Row) {
    refs.perform(edits) { Row._row(of: row($0)) }
  }
}
