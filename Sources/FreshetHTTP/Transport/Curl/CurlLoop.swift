#if os(Linux)
  internal import CLibCurl
  internal import Foundation
  internal import Freshet

  /// The thread that runs a transport's transfers, and the inbox that callers use.
  ///
  /// It starts with the first request and ends when the transport is deallocated.
  @safe final class CurlLoop: Sendable {
    private struct Inbox: Sendable {
      var joining: [CurlTransfer] = []
      var leaving: [CurlTransfer] = []
      var hasThread = false
      var isClosed = false
    }

    private let inbox = Locked(Inbox())
    /// The libcurl handle that holds all transfers.
    // Proof: it is set once, before any other code has the loop. After that, only the loop's
    // thread makes calls with it, and `Inbox.hasThread` allows one thread. The exception is
    // `curl_multi_wakeup`, which may be called from any thread, as its manual page says. The
    // handle is freed in `deinit`, when neither the transport nor the thread can use it any more.
    // The thread's closure holds the loop until it ends.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer?
    /// The longest time between two checks of the inbox.
    ///
    /// It is short if libcurl has no socket to wake the thread, as in a process without free
    /// descriptors.
    private let longestWait: Duration

    init() {
      _ = Self.library
      unsafe multi = curl_multi_init()
      let canWake = unsafe multi.map { unsafe curl_multi_wakeup($0) == CURLM_OK } ?? false
      longestWait = canWake ? .seconds(600) : .milliseconds(100)
      _ = unsafe freshet_curl_set_shared(multi, CURLMOPT_MAXCONNECTS, 16)
    }

    deinit { if let multi = unsafe multi { _ = unsafe curl_multi_cleanup(multi) } }

    /// The setup that libcurl requires once, before any other call.
    private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// Starts a transfer.
    func join(_ transfer: CurlTransfer) {
      let isFirst = inbox.withLock { inbox in
        inbox.joining.append(transfer)
        defer { inbox.hasThread = true }
        return !inbox.hasThread
      }
      if isFirst {
        let thread = Thread { self.run() }
        thread.name = "Freshet HTTP"
        thread.stackSize = 1 << 20
        thread.start()
      } else {
        wake()
      }
    }

    /// Ends a transfer that no caller waits for any more.
    func leave(_ transfer: CurlTransfer) {
      inbox.withLock { if $0.hasThread { $0.leaving.append(transfer) } }
      wake()
    }

    /// Ends the thread.
    func close() {
      inbox.withLock { $0.isClosed = true }
      wake()
    }

    private func wake() { if let multi = unsafe multi { _ = unsafe curl_multi_wakeup(multi) } }

    private func run() {
      var exchanges = unsafe Exchanges(multi: multi)
      while true {
        let news = inbox.withLock { inbox in
          let news = inbox
          (inbox.joining, inbox.leaving) = ([], [])
          return news
        }
        for transfer in news.joining { exchanges.begin(transfer) }
        for transfer in news.leaving { exchanges.drop(transfer) }
        if news.isClosed { return exchanges.dropAll() }
        exchanges.advance()
        let wait = min(longestWait, exchanges.endSilent(at: .now) ?? longestWait)
        _ = unsafe curl_multi_poll(multi, nil, 0, Int32(clamping: wait.milliseconds + 1), nil)
      }
    }
  }

  /// The running transfers, on the loop's thread.
  @safe private struct Exchanges {
    private let multi: UnsafeMutableRawPointer?
    private var byTransfer: [ObjectIdentifier: CurlExchange] = [:]

    init(multi: UnsafeMutableRawPointer?) { unsafe self.multi = multi }

    mutating func begin(_ transfer: CurlTransfer) {
      // It may have been cancelled before it arrived here, when `leave` had nothing to remove.
      if transfer.isOver { return }
      guard let exchange = CurlExchange(transfer),
        unsafe curl_multi_add_handle(multi, exchange.handle) == CURLM_OK
      else {
        return transfer.end(with: .failure(Unreachable(.unknown).error(transfer.request.url)))
      }
      byTransfer[ObjectIdentifier(transfer)] = exchange
    }

    /// Removes a transfer, unless it has ended in the meantime.
    mutating func drop(_ transfer: CurlTransfer) {
      guard let exchange = byTransfer.removeValue(forKey: ObjectIdentifier(transfer)) else {
        return
      }
      _ = unsafe curl_multi_remove_handle(multi, exchange.handle)
    }

    mutating func dropAll() {
      for exchange in byTransfer.values {
        exchange.transfer.end(with: .failure(CancellationError()))
        drop(exchange.transfer)
      }
    }

    /// Transfers the bytes that are ready, and delivers the results of finished transfers.
    mutating func advance() {
      var count: Int32 = 0
      _ = unsafe curl_multi_perform(multi, &count)
      while let message = unsafe curl_multi_info_read(multi, &count) {
        guard unsafe message.pointee.msg == CURLMSG_DONE,
          let handle = unsafe message.pointee.easy_handle,
          let exchange = byTransfer.values.first(where: { unsafe $0.handle == handle })
        else { continue }
        let result = exchange.result(unsafe message.pointee.data.result)
        drop(exchange.transfer)
        exchange.transfer.end(with: result)
      }
    }

    /// Ends transfers that received nothing for too long.
    ///
    /// It returns the time that the next transfer has left; `nil` if there is none.
    mutating func endSilent(at now: ContinuousClock.Instant) -> Duration? {
      var wait: Duration?
      for exchange in byTransfer.values {
        exchange.noteSent()
        let left = exchange.patience - exchange.heardAt.duration(to: now)
        if left > .zero {
          wait = min(wait ?? left, left)
        } else {
          drop(exchange.transfer)
          exchange.transfer.end(
            with: .failure(
              Unreachable(.timedOut, "nothing came for \(exchange.patience)")
                .error(exchange.transfer.request.url)))
        }
      }
      return wait
    }
  }
#endif
