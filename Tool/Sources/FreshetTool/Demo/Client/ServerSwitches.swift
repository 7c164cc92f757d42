import Freshet
import Observation

/// The switches of the feed server, as pages show them.
@MainActor @Observable
final class ServerSwitches {
  /// The status of the server, read at intervals.
  private(set) var status: QuakeServer.Status
  /// Whether time passes at the server while the client has no network.
  private(set) var isAway = false
  private let server: QuakeServer?

  init(_ server: QuakeServer?) {
    self.server = server
    status = server?.status ?? QuakeServer.Status(mode: .absent, isPlaying: false)
  }

  /// Reads the status of the server until the task is cancelled.
  func watch() async throws {
    while !Task.isCancelled {
      look()
      try await Task.sleep(for: .milliseconds(300))
    }
  }

  func setMode(_ mode: ServerMode) async throws -> Bool {
    guard let server else { return false }
    defer { look() }
    try await server.setMode(mode)
    return true
  }

  func play(_ isPlaying: Bool) -> Bool {
    guard let server else { return false }
    server.play(isPlaying)
    look()
    return true
  }

  /// Lets time pass while the client is away.
  func leave(for steps: Int, after preparing: () async -> Void) async throws -> Bool {
    guard let server else { return false }
    isAway = true
    defer { isAway = false }
    await preparing()
    try await server.step(steps)
    return true
  }

  private func look() {
    if let server, status != server.status { status = server.status }
  }
}
