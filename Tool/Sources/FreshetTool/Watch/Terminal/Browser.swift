import Foundation

/// Whatever opens web addresses on this machine.
enum Browser {
  #if os(macOS)
    private static let command = "open"
  #else
    private static let command = "xdg-open"
  #endif

  /// Opens an address, which no shell reads; says where nothing does.
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
