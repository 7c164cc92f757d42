/// Each row as another value.
///
/// Give outputs ids that are unique, as those of the input are.
public struct MapTransform<Input: ListItem, Output: ListItem>: ListTransform {
  /// The outputs, one for each row of the input.
  public private(set) var rows = RowTree<Output>()
  private let transform: @Sendable (Input) -> Output

  /// Creates a transform that calls `transform` once for each row that comes or changes.
  public init(_ transform: @escaping @Sendable (Input) -> Output) { self.transform = transform }

  /// Makes outputs of the rows that came or changed.
  public mutating func apply(_ edits: RowEdits, to input: RowTree<Input>) -> RowEdits {
    var result = RowEdits(deleted: edits.deleted, inserted: edits.inserted)
    rows.perform(result) { transform(input[$0]) }
    var renamed: [Int] = []
    for index in edits.updated {
      let (old, new) = (rows[index], transform(input[index]))
      if old.id != new.id {
        renamed.append(index)
      } else if old != new {
        result.updated.append(index)
      } else {
        continue
      }
      rows.update(new, at: index)
    }
    // An output with another id is another row.
    result.replace(renamed)
    return result
  }
}

extension RowEdits {
  /// Adds rows, by their ascending indices after the edits, that are others now.
  mutating func replace(_ replaced: [Int]) {
    guard !replaced.isEmpty else { return }
    let places = replaced.map { placeBefore($0) }
    deleted = (deleted + places).sorted()
    inserted = (inserted + replaced).sorted()
  }
}
