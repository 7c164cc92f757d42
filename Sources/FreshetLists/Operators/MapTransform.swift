/// A transform that maps each row to another value.
///
/// The outputs need unique ids, like the rows of the input.
@usableFromInline
package struct MapTransform<Input: ListItem, Output: ListItem>: ListTransform {
  /// The outputs, one for each row of the input.
  @inlinable package var rows: RowTree<Output> { outputs }
  @usableFromInline var outputs = RowTree<Output>()
  @usableFromInline let transform: @Sendable (Input) -> Output

  /// Creates a transform that calls `transform` once for each row that is inserted or changes.
  @inlinable
  package init(_ transform: @escaping @Sendable (Input) -> Output) { self.transform = transform }

  /// Applies edits, and maps the inserted and changed rows.
  ///
  /// - Complexity: O(log *n*) and one call of the closure for each edit.
  @inlinable
  package mutating func apply(_ edits: RowEdits, to input: RowTree<Input>) -> RowEdits {
    var result = RowEdits(deleted: edits.deleted, inserted: edits.inserted)
    outputs.perform(result) { transform(input[$0]) }
    var renamed: [Int] = []
    for index in edits.updated {
      let (old, new) = (outputs[index], transform(input[index]))
      if old.id != new.id {
        renamed.append(index)
      } else if old != new {
        result.updated.append(index)
      } else {
        continue
      }
      outputs.update(new, at: index)
    }
    // An output with another id is another row.
    result.replace(renamed)
    return result
  }
}

extension RowEdits {
  /// Adds rows that were replaced by others, by their ascending indices after the edits.
  @usableFromInline
  mutating func replace(_ replaced: [Int]) {
    guard !replaced.isEmpty else { return }
    let places = replaced.map { placeBefore($0) }
    deleted = (deleted + places).sorted()
    inserted = (inserted + replaced).sorted()
  }
}
