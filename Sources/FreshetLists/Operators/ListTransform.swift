/// A list derived from another one: exact edits of the input become exact edits of the output.
///
/// The output is always the same as if the whole input had been transformed from scratch, whatever
/// the edits and batches were (rule X1). The work is proportional to the change (rules X3, C4).
/// Closures are called for changed rows and their neighbours, once per batch for each.
@usableFromInline
package protocol ListTransform<Input, Output>: Sendable {
  /// The type of the input rows.
  associatedtype Input: ListItem
  /// The type of the output rows.
  associatedtype Output: ListItem

  /// The output for the input of the last `apply(_:to:)`.
  var rows: RowTree<Output> { get }

  /// Applies the edits of the input, and returns the resulting edits of the output.
  ///
  /// - Parameters:
  ///   - edits: the edits of the input since the last call. Before the first call, the input is
  ///     empty.
  ///   - input: the input after the edits.
  /// - Complexity: O(log *n*) for each edit, unless the transform documents another cost.
  mutating func apply(_ edits: RowEdits, to input: RowTree<Input>) -> RowEdits
}

/// Two transforms as one: the output of the first is the input of the second.
@usableFromInline
package struct ChainedTransform<First: ListTransform, Second: ListTransform>: ListTransform
where First.Output == Second.Input {
  @usableFromInline var first: First
  @usableFromInline var second: Second

  /// Creates a chain of two transforms that have received no edits yet.
  @inlinable
  package init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// The output of the second transform.
  @inlinable
  package var rows: RowTree<Second.Output> { second.rows }

  /// Applies the edits to the first transform, and its edits to the second.
  ///
  /// - Complexity: the cost of both transforms.
  @inlinable
  package mutating func apply(_ edits: RowEdits, to input: RowTree<First.Input>) -> RowEdits {
    second.apply(first.apply(edits, to: input), to: first.rows)
  }
}
