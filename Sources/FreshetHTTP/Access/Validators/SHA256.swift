/// The SHA-256 digest (FIPS 180-4), which Foundation does not have on every system.
enum SHA256 {
  /// Returns the digest of bytes, which has 32 bytes.
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var state = start
    var padded = bytes + [0x80]
    padded += Array(repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (bytes.count * 8) >> ($0 * 8)) }
    for block in stride(from: 0, to: padded.count, by: 64) {
      mix(padded[block..<(block + 64)], into: &state)
    }
    return state.flatMap { word in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = (0..<16).map { index in
      block.dropFirst(index * 4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
      let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var work = state
    for index in 0..<64 {
      let (a, b, c, e) = (work[0], work[1], work[2], work[4])
      let choice = (e & work[5]) ^ (~e & work[6])
      let first =
        work[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constants[index]
        &+ words[index]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
      work = [first &+ second, a, b, c, work[3] &+ first, e, work[5], work[6]]
    }
    for index in 0..<8 { state[index] &+= work[index] }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let primes = (2...311).filter { number in
    !(2..<number).contains { $0 * $0 <= number && number.isMultiple(of: $0) }
  }
  /// The first fractional bits of the square roots of the first eight primes.
  private static let start = primes.prefix(8).map { bits(of: Double($0).squareRoot()) }
  /// The first fractional bits of the cube roots of the first 64 primes.
  private static let constants = primes.map { bits(of: cubeRoot(of: $0)) }

  private static func bits(of number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 0x1p32)
  }

  /// Returns the cube root by Newton's method, exact to the last bit that is needed.
  private static func cubeRoot(of number: Int) -> Double {
    var root = Double(number)
    for _ in 0..<64 { root -= (root - Double(number) / (root * root)) / 3 }
    return root
  }
}
