internal import Foundation

/// A repeatable random number generator: the same seed gives the same numbers everywhere.
///
/// It is SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014). Print the seed when a test fails, so that the failure can be reproduced.
///
/// ```swift
/// var random = SeededGenerator(seed: 7)
/// server.delete(Int.random(in: 0..<100, using: &random))
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator for a seed.
  public init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  /// Returns the next number of the seed's sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns `true` with a probability of one in `chances`.
  public mutating func oneIn(_ chances: Int) -> Bool {
    Int.random(in: 0..<chances, using: &self) == 0
  }

  /// Returns the seeds of a law that is tested `count` times.
  ///
  /// FRESHET_EFFORT sets the percentage that runs. The default is a tenth, so that all tests take
  /// two minutes. Everything runs before a change is merged.
  package static func seeds(_ count: Int, from first: Int = 0) -> Range<Int> {
    first..<first + max(1, count * effort / 100)
  }

  /// The percentage of all tries that runs.
  package static let effort =
    ProcessInfo.processInfo.environment["FRESHET_EFFORT"].flatMap { Int($0) } ?? 10

  /// The time limit of a law or a heavy test, in minutes.
  ///
  /// It is one minute for all tries, and more if more of them run. `FRESHET_SLOWNESS` multiplies
  /// it, for example under a sanitizer.
  package static let minutes =
    max(1, effort / 100)
    * (ProcessInfo.processInfo.environment["FRESHET_SLOWNESS"].flatMap { Int($0) } ?? 1)
}
