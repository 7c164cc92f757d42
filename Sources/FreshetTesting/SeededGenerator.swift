internal import Foundation

/// A random number generator that repeats: the same seed gives the same numbers everywhere.
///
/// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014). Print the seed when a test fails, and the failure can be had again.
///
/// ```swift
/// var random = SeededGenerator(seed: 7)
/// server.delete(Int.random(in: 0..<100, using: &random))
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator for a seed.
  public init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  /// The next number of the sequence that the seed begins.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// True once in `chances` times.
  public mutating func oneIn(_ chances: Int) -> Bool {
    Int.random(in: 0..<chances, using: &self) == 0
  }

  /// The seeds of a law that is tried `count` times.
  ///
  /// FRESHET_EFFORT sets the percentage that runs: a tenth by default, so that all tests take two
  /// minutes; everything before a change lands.
  package static func seeds(_ count: Int, from first: Int = 0) -> Range<Int> {
    first..<first + max(1, count * effort / 100)
  }

  /// The percentage of all tries that runs.
  package static let effort =
    ProcessInfo.processInfo.environment["FRESHET_EFFORT"].flatMap { Int($0) } ?? 10

  /// How long a law or a heavy test may take, in minutes: one for all tries, more where more of
  /// them run, and `FRESHET_SLOWNESS` times that, as under a sanitizer.
  package static let minutes =
    max(1, effort / 100)
    * (ProcessInfo.processInfo.environment["FRESHET_SLOWNESS"].flatMap { Int($0) } ?? 1)
}
