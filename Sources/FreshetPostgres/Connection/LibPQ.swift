#if Postgres
  internal import CLibPQ
  internal import Foundation

  /// Strings as C takes them, for as long as this lives.
  @unsafe final class CStrings {
    /// Pointers to the strings, and `nil` behind them.
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ strings: [String?]) {
      unsafe count = strings.count
      unsafe pointers = .allocate(capacity: count + 1)
      for (index, string) in strings.enumerated() {
        unsafe pointers[index] = unsafe string.flatMap { unsafe UnsafePointer(strdup($0)) }
      }
      unsafe pointers[count] = nil
    }

    deinit {
      for index in unsafe 0..<count { unsafe free(UnsafeMutablePointer(mutating: pointers[index])) }
      unsafe pointers.deallocate()
    }
  }

  /// What tells a server to stop the statement that it runs, from any thread.
  @safe final class Canceller: Sendable {
    private nonisolated(unsafe) let handle: OpaquePointer?

    /// - Parameter connection: one that stands.
    init(of connection: OpaquePointer?) { unsafe handle = PQgetCancel(connection) }

    deinit { unsafe PQfreeCancel(handle) }

    /// The server may be done by then, and out of reach: nobody waits for either.
    func cancel() {
      var reason = [CChar](repeating: 0, count: 256)
      _ = unsafe PQcancel(handle, &reason, Int32(reason.count))
    }
  }
#endif
