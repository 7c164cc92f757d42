import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server on loopback that any page and program of this machine can reach.
///
/// No caller can block it: requests are limited in size and time, and callers in number. If there
/// are too many callers, the one that has been connected longest is disconnected. So callers that
/// never read or never leave keep no others out. An event stream that was disconnected reconnects.
///
/// Routes, requests and responses are FlyingFox's. Its own server reads heads and bodies of any
/// size, byte by byte, and is not used.
final class LoopbackServer: Sendable {
  private static let callerLimit = 100
  /// The most data that a caller can leave unread in the system's memory, in bytes.
  private static let sendBufferSize: Int32 = 128 << 10

  private let port: UInt16
  private let handler: RoutedHTTPHandler
  private let task = Mutex<Task<Void, any Error>?>(nil)
  private let callers = Mutex(Callers())

  /// The connected callers by number; the lowest number has been connected longest.
  private struct Callers {
    var last = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  init(port: UInt16, handler: RoutedHTTPHandler) {
    self.port = port
    self.handler = handler
  }

  /// Starts listening: callers are answered from now on.
  func start() async throws {
    let pool = HTTPServer.defaultPool()
    let listening = try Self.listen(on: port)
    do {
      try await pool.prepare()
      let socket = try AsyncSocket(socket: listening, pool: pool)
      task.withLock { task in
        task = Task {
          defer { try? socket.close() }
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { await self.accept(on: socket) }
            defer { group.cancelAll() }
            try await group.next()
          }
        }
      }
    } catch {
      try? listening.close()
      throw error
    }
  }

  /// Waits until the server ends; cancelling the task stops it.
  func finish() async throws {
    let task = task.withLock { $0 }
    try await withTaskCancellationHandler {
      try await task?.value
    } onCancel: {
      task?.cancel()
    }
  }

  /// Stops listening, and disconnects all callers.
  func stop() async {
    let task = task.withLock { task in
      defer { task = nil }
      return task
    }
    task?.cancel()
    _ = await task?.result
  }

  private static func listen(on port: UInt16) throws -> Socket {
    let socket = try Socket(domain: AF_INET)
    do {
      try socket.setValue(true, for: .localAddressReuse)
      // Small responses are sent at once; connections inherit this option.
      try socket.setValue(
        true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
      try socket.setValue(Self.sendBufferSize, for: .sendBufferSize)
      #if canImport(Darwin)
        try socket.setValue(true, for: .noSIGPIPE)
      #endif
      try socket.bind(to: try .inet(ip4: "127.0.0.1", port: port))
      try socket.listen()
    } catch {
      try? socket.close()
      throw error
    }
    return socket
  }

  private func accept(on listening: AsyncSocket) async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        do {
          let socket = try await listening.accept()
          group.addTask { await self.serve(socket) }
        } catch {
          // The caller disconnected meanwhile, or no descriptor is left: later callers may succeed.
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
      group.cancelAll()
    }
  }

  private func serve(_ socket: AsyncSocket) async {
    let task = Task { [handler] in await Connection(socket: socket, handler: handler).serve() }
    let number = enter(task)
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    _ = callers.withLock { $0.tasks.removeValue(forKey: number) }
  }

  /// Adds a caller, and disconnects the one connected longest if there are too many.
  private func enter(_ task: Task<Void, Never>) -> Int {
    let (number, evicted) = callers.withLock { callers in
      callers.last += 1
      callers.tasks[callers.last] = task
      let oldest = callers.tasks.count > Self.callerLimit ? callers.tasks.keys.min() : nil
      return (callers.last, oldest.flatMap { callers.tasks.removeValue(forKey: $0) })
    }
    evicted?.cancel()
    return number
  }
}
