import Foundation

/// The memory of this process.
enum MemoryUse {
  /// The resident memory in megabytes; `nil` if the system has no `/proc`.
  static var megabytes: Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }.map { $0 / 1000 }
  }
}
