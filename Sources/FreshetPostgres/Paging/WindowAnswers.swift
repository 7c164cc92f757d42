#if Postgres
  internal import Freshet

  /// The latest answers for windows.
  ///
  /// The server knows an answer by a digest of its rows. A validator has a number as well, so that
  /// no two windows have the same one: for example, all windows without rows have the same digest.
  struct WindowAnswers: Sendable {
    private struct Answer {
      /// The numbers of its validators; several feeds may have different ones.
      var numbers: Set<UInt64>
      /// How often it was found true since a feed asked for it.
      var checks = 0
      /// When a feed last asked for it, counted in reads.
      var use: Int
    }

    /// The number of answers that are kept.
    private static var limit: Int { 1_000 }
    /// The number of checks after which a feed has to ask again, as it may no longer exist.
    private static var checkLimit: Int { 20 }

    /// The answers by their windows, which have digests for validators.
    private var answers: [PageWindow<KeysetKey>: Answer] = [:]
    /// It begins at a random number, because a feed may have validators of another source.
    private var lastNumber = UInt64.random(in: 0...UInt64.max / 2)
    private var lastUse = 0

    /// The windows of the answers, with their digests.
    var windows: [PageWindow<KeysetKey>] { Array(answers.keys) }

    /// Returns a window with the digest of its validator instead of the validator.
    static func digested(_ window: PageWindow<KeysetKey>) -> PageWindow<KeysetKey> {
      var window = window
      window.validator = parts(of: window.validator)?.digest
      return window
    }

    private static func parts(of validator: String?) -> (number: UInt64, digest: String)? {
      guard let parts = validator?.split(separator: " ", maxSplits: 1), parts.count == 2,
        let number = UInt64(parts[0])
      else { return nil }
      return (number, String(parts[1]))
    }

    private static func validator(_ number: UInt64, _ digest: String?) -> String {
      "\(number) \(digest ?? "")"
    }

    /// Records that the rows of a window have not changed.
    mutating func keep(_ window: PageWindow<KeysetKey>) {
      guard let (number, digest) = Self.parts(of: window.validator) else { return }
      var window = window
      window.validator = digest
      lastUse += 1
      let numbers = (answers[window]?.numbers ?? []).union([number])
      answers[window] = Answer(numbers: numbers, use: lastUse)
      limitAnswers()
    }

    /// Records an answer for a window that has its digest, and returns its validator.
    mutating func add(_ window: PageWindow<KeysetKey>) -> String {
      lastUse += 1
      var numbers = answers[window]?.numbers ?? []
      if numbers.isEmpty {
        lastNumber += 1
        numbers = [lastNumber]
      }
      answers[window] = Answer(numbers: numbers, use: lastUse)
      limitAnswers()
      let number = numbers.max() ?? lastNumber
      return Self.validator(number, window.validator)
    }

    private mutating func limitAnswers() {
      guard answers.count > Self.limit else { return }
      let uses = answers.values.map(\.use).sorted()
      let oldest = uses[uses.count / 2]
      answers = answers.filter { $0.value.use >= oldest }
    }

    /// Drops the answers that are no longer true.
    ///
    /// - Parameters:
    ///   - windows: windows of answers, with their digests.
    ///   - digests: the digests of their rows as they are now.
    /// - Returns: the validators of those that are true.
    mutating func check(_ windows: [PageWindow<KeysetKey>], _ digests: [String?]) -> Set<String> {
      var valid: Set<String> = []
      for (window, digest) in zip(windows, digests) {
        guard let answer = answers[window] else { continue }
        if digest == window.validator, answer.checks < Self.checkLimit {
          answers[window]?.checks += 1
          valid.formUnion(answer.numbers.map { Self.validator($0, digest) })
        } else {
          answers[window] = nil
        }
      }
      return valid
    }

    mutating func removeAll() { answers = [:] }
  }
#endif
