#if canImport(os)
  internal import os

  /// A value that one thread at a time may access: a `Mutex` for iOS 17 and macOS 14.
  ///
  /// `OSAllocatedUnfairLock` has neither typed errors nor `sending` results.
  // Proof: it owns both pointers from `init` to `deinit`. The value is accessed only under the
  // lock, which must not move.
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

  /// A value for one thread at a time: a `Mutex` that the thread sanitizer understands.
  ///
  /// On Linux, a thread that waited for a `Mutex` receives it from the kernel. There the sanitizer
  /// sees no order between the two owners, and reports a race. `make test-threads` surrounds each
  /// with a lock that it does see.
  package struct Locked<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    #if THREAD_SANITIZER
      private let lock = NSLock()
    #endif

    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    // Inlined, because unspecialised code looks up the type of the value at each call.
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
  /// Returns a number that was not returned before.
  func next() -> Int {
    withLock { number in
      number += 1
      return number
    }
  }
}
