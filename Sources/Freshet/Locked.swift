#if canImport(os)
  internal import os

  /// A value that one thread at a time may touch: a `Mutex` for iOS 17 and macOS 14.
  ///
  /// `OSAllocatedUnfairLock` has neither typed errors nor `sending` results.
  // Proof: both pointers are its own from `init` to `deinit`, and the value is touched under the
  // lock alone, which must not move.
  @safe package struct Locked<Value>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<os_unfair_lock_s>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
      unsafe lock = .allocate(capacity: 1)
      unsafe lock.initialize(to: os_unfair_lock_s())
      unsafe self.value = .allocate(capacity: 1)
      unsafe self.value.initialize(to: value)
    }

    deinit {
      unsafe value.deinitialize(count: 1)
      unsafe value.deallocate()
      unsafe lock.deinitialize(count: 1)
      unsafe lock.deallocate()
    }

    @inline(__always)
    package func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      unsafe os_unfair_lock_lock(lock)
      defer { unsafe os_unfair_lock_unlock(lock) }
      return try unsafe body(&value.pointee)
    }
  }
#else
  #if THREAD_SANITIZER
    internal import Foundation
  #endif
  internal import Synchronization

  /// A value that one thread at a time may touch: a `Mutex` that the thread sanitizer understands.
  ///
  /// On Linux a thread that had to wait for a `Mutex` gets it from the kernel, where the sanitizer
  /// sees no order between the two owners and reports a race. `make test-threads` puts a lock that
  /// it does see around each.
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
#endif

extension Locked<Int> {
  /// A number that was not returned before.
  func next() -> Int {
    withLock { number in
      number += 1
      return number
    }
  }
}
