#if SQLite
  internal import Freshet

  /// The latest answers for windows, by their validators.
  struct WindowAnswers: Sendable {
    /// The rows of a window when it was read, or found unchanged.
    struct Answer: Sendable {
      let window: PageWindow<KeysetKey>
      let rowIDs: Set<Int64>
      /// The number of the read in the log of changes.
      var number: Int
      /// Whether the number of all rows may have changed since.
      var isTotalOld = false
      /// When the answer was last used, counted in uses.
      var use = 0
    }

    /// The number of answers that are kept.
    private static var limit: Int { 1_000 }

    private var answers: [String: Answer] = [:]
    /// It begins at a random number, because a feed may have validators of another source.
    private var lastValidator = UInt64.random(in: 0...UInt64.max / 2)
    private var lastUse = 0

    /// Returns the answer for a window that has its validator.
    subscript(window: PageWindow<KeysetKey>) -> Answer? {
      guard let answer = window.validator.flatMap({ answers[$0] }),
        answer.window.start == window.start, answer.window.end == window.end
      else { return nil }
      return answer
    }

    /// Finds the answers that are still true after some changes, and drops those that are not.
    ///
    /// - Parameters:
    ///   - number: the number of the last change in the log.
    ///   - isTrue: returns whether an answer is still true; `nil` if only a query shows that.
    /// - Returns: the validators of those that need not be read again.
    mutating func check(
      at number: Int, _ isTrue: (inout Answer) throws -> Bool?
    ) rethrows -> Set<String> {
      var valid: Set<String> = []
      for (validator, answer) in answers {
        var answer = answer
        switch try isTrue(&answer) {
        case true?:
          answer.number = number
          answers[validator] = answer
          // A feed that shows the head reads the total again, others doubt theirs.
          if answer.window.start != nil || !answer.isTotalOld { valid.insert(validator) }
        case false?: answers[validator] = nil
        case nil: answers[validator] = answer
        }
      }
      return valid
    }

    /// Records that the rows of a window have not changed.
    mutating func keep(_ window: PageWindow<KeysetKey>, at number: Int) {
      guard let validator = window.validator else { return }
      lastUse += 1
      answers[validator]?.number = number
      answers[validator]?.isTotalOld = false
      answers[validator]?.use = lastUse
    }

    /// Records an answer, and returns its validator.
    mutating func add(_ answer: Answer) -> String {
      lastValidator += 1
      lastUse += 1
      var answer = answer
      answer.use = lastUse
      answers["\(lastValidator)"] = answer
      if answers.count > Self.limit {
        let uses = answers.values.map(\.use).sorted()
        let oldest = uses[uses.count / 2]
        answers = answers.filter { $0.value.use >= oldest }
      }
      return "\(lastValidator)"
    }
  }
#endif
