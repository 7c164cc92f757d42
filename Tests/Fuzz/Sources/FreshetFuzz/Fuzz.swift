import Foundation

/// The parsers of text from outside, by the names that `FUZZ_TARGET` gives them.
///
/// Each reads any bytes, and traps where a law is broken: that is how the fuzzer hears of it.
private let targets: [String: @Sendable (Data) -> Void] = [
  "answer": AnswerTarget.read,
  "arguments": ArgumentsTarget.read,
  "headers": HeadersTarget.read,
  "key": KeyTarget.read,
  "manifest": ManifestTarget.read,
  "pointer": PointerTarget.read,
  "rows": RowsTarget.read,
  "run": RunTarget.read,
]

private let chosen: @Sendable (Data) -> Void = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = targets[name] else {
    fatalError("set FUZZ_TARGET to one of \(targets.keys.sorted().joined(separator: ", "))")
  }
  return target
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen(unsafe Data(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

/// Ends the process where a law is broken.
func expect(_ isTrue: Bool, _ law: @autoclosure () -> String) {
  if !isTrue { fatalError(law()) }
}
