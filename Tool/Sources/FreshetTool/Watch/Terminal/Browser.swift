import Foundation

/// The system command that opens web addresses.
enum Browser {
  #if os(macOS)
    private static let command = "open"
  #else
    private static let command = "xdg-open"
  #endif

  /// Opens an address, without a shell that could interpret it.
  ///
  /// It calls `say` with a message if the command fails or cannot be run.
  static func open(_ url: URL, say: @escaping @Sendable (String) -> Void) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command, url.absoluteString]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { process in
      if process.terminationStatus != 0 { say("\(command) could not open \(url.absoluteString)") }
    }
    do { try process.run() } catch { say("\(command) cannot be run here.") }
  }
}
