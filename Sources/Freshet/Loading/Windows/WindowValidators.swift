/// The validators of the windows that a list shows as the source answered for them.
struct WindowValidators: Sendable {
  /// Whether the source reads windows again.
  var areRead = false
  private var validators: [PageWindow<PageKey>: String] = [:]

  /// The validator of a window.
  subscript(window: PageWindow<PageKey>) -> String? {
    get { validators[window.position] }
    set { validators[window.position] = newValue }
  }

  /// Forgets all validators if rows of a window may have changed.
  ///
  /// A page of the source may also be older than the answers for the windows.
  mutating func follow(_ edit: TimelineEdit, because cause: RowTrace.Cause) {
    if validators.isEmpty || !edit.isVisible { return }
    switch cause {
    case .page: if !edit.removed.isEmpty || !edit.updated.isEmpty { validators = [:] }
    case .event, .edit: validators = [:]
    case .cache: break
    }
  }
}
