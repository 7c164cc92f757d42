#if THREAD_SANITIZER
  internal import Foundation
#endif
internal import Synchronization

/// A value that one thread at a time may touch: a `Mutex` that the thread sanitizer understands.
///
/// On Linux a thread that had to wait for a `Mutex` gets it from the kernel, where the sanitizer
/// sees no order between the two owners and reports a race. `make test-threads` puts a lock that it
/// does see around each.
package struct Locked<Value>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  #if THREAD_SANITIZER
    private let lock = NSLock()
  #endif

  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  // Inlined, as code for a value of any type looks its type up at each call.
  @inline(__always)
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if THREAD_SANITIZER
      lock.lock()
      defer { lock.unlock() }
    #endif
    return try mutex.withLock(body)
  }
}

extension Locked<Int> {
  /// A number that was not returned before.
  func next() -> Int {
    withLock { number in
      number += 1
      return number
    }
  }
}
