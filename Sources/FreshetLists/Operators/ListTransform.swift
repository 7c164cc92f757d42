/// A list that follows from another one: exact edits go in, exact edits come out.
///
/// Whatever edits came, and in whichever batches, the rows are what the transform makes of the
/// input from scratch (rule X1), and work follows the change (rules X3, C4): closures are called
/// for rows that changed and their neighbours, once a batch each.
@usableFromInline
package protocol ListTransform<Input, Output>: Sendable {
  /// The rows of the list that comes in.
  associatedtype Input: ListItem
  /// The rows of the list that goes out.
  associatedtype Output: ListItem

  /// What the transform makes of the rows it was last told of.
  var rows: RowTree<Output> { get }

  /// Takes in what became of the input, and says what that makes of the output.
  ///
  /// - Parameters:
  ///   - edits: what became of the input since the last call; before the first one it is empty.
  ///   - input: the input after the edits.
  /// - Complexity: O(log *n*) for each edit, unless the transform says otherwise.
  mutating func apply(_ edits: RowEdits, to input: RowTree<Input>) -> RowEdits
}

/// Two transforms, one behind the other, as one.
@usableFromInline
package struct ChainedTransform<First: ListTransform, Second: ListTransform>: ListTransform
where First.Output == Second.Input {
  @usableFromInline var first: First
  @usableFromInline var second: Second

  /// Creates a chain of two transforms that have seen nothing yet.
  @inlinable
  package init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// What the second makes of what the first makes of the input.
  @inlinable
  package var rows: RowTree<Second.Output> { second.rows }

  /// Hands the edits through both.
  ///
  /// - Complexity: that of both.
  @inlinable
  package mutating func apply(_ edits: RowEdits, to input: RowTree<First.Input>) -> RowEdits {
    second.apply(first.apply(edits, to: input), to: first.rows)
  }
}
