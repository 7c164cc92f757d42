extension SharedItems {
  /// The moment as of which a version of an item is known.
  ///
  /// The requests of all lists are counted together.
  struct Moment: Sendable {
    /// The last request that had been made.
    let request: Int
    /// The list whose request the version answers; `nil` if the source reported it afterwards.
    let list: Member?

    /// The moment of a version whose age is unknown, such as one from disk.
    static let unknown = Moment(request: 0, list: 0)

    /// Returns whether a version is newer than another one that was learned before.
    ///
    /// Requests that two lists make at the same time may have the same number. The list decides
    /// between their answers, so that it makes no difference which of them arrives first (rule R2).
    /// Of two versions in one answer, the second one is newer.
    func isLater(than other: Moment) -> Bool {
      if request != other.request { return request > other.request }
      guard let list else { return true }
      guard let other = other.list else { return false }
      return list > other || list == other && request > 0
    }
  }
}
