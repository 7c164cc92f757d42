/// A failure whose text for people depends on what failed: a list or a change.
package protocol AlertFailure: Error {
  /// The kind of failure.
  var alert: AlertText { get }
}
