import Foundation

@testable import FreshetTool

// The command as a process.
extension WatchTests {
  struct Run: Sendable {
    var status: Int32
    var output: String
    var error: String
  }

  static func freshet(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Run {
    try await waiting {
      let process = try start(arguments, environment: environment)
      let output = String(decoding: try process.output.readToEnd() ?? Data(), as: UTF8.self)
      let error = String(decoding: try process.error.readToEnd() ?? Data(), as: UTF8.self)
      process.process.waitUntilExit()
      return Run(status: process.process.terminationStatus, output: output, error: error)
    }
  }

  /// Does what blocks on a thread of its own: the server needs those that tasks run on.
  static func waiting<Value: Sendable>(
    for body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  static var tool: URL {
    Bundle.module.bundleURL.deletingLastPathComponent().appendingPathComponent("freshet")
  }

  static func start(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (process: Process, output: FileHandle, error: FileHandle) {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    return (process, output.fileHandleForReading, error.fileHandleForReading)
  }

  /// What a process writes next.
  static func chunk(of output: FileHandle) async -> Data {
    (try? await waiting { output.availableData }) ?? Data()
  }

  /// Runs the command in a shell, with what the shell says of its output.
  static func shell(_ command: String) async throws -> Run {
    try await waiting {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "\"$0\" \(command)", tool.path]
      let (output, error) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = error
      try process.run()
      let text = String(
        decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      let said = String(
        decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      return Run(status: process.terminationStatus, output: text, error: said)
    }
  }
}
