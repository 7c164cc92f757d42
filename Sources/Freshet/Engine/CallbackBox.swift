/// A box for a callback that is set after the box is handed out.
final class CallbackBox: Sendable {
  private let body = Locked<(@Sendable () -> Void)?>(nil)

  func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

  func wake() { body.withLock { $0 }?() }
}
