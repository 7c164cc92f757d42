/// The name of the member that holds the rows, which helps to interpret a count beside it.
///
/// `total_users` and `user-count` count `users`; `comment_count` does not.
struct RowTotalMatcher: Sendable {
  private let name: SignalName?

  /// - Parameter name: the member that holds the rows; `nil` if the body is an array.
  init(_ name: String?) { self.name = name.map(SignalName.init) }

  private static let plain: Set<String> = [
    "items", "data", "results", "rows", "value", "records", "entries", "content", "list", "result",
    "hits", "docs", "nodes", "elements", "objects",
  ]
  /// Names of amounts that are summed up, which are not counts of rows.
  private static let sums: Set<String> = [
    "time", "took", "ms", "seconds", "minutes", "hours", "days", "duration", "price", "amount",
    "cost", "costs", "sum", "bytes", "weight", "distance", "score", "points", "tax", "fee", "fees",
    "discount", "paid", "due", "balance", "revenue", "sales", "spent", "votes", "views", "likes",
    "plays", "downloads", "comments", "reactions", "unread", "errors", "estimate", "shards",
    "value",
    "tokens", "credits", "requests", "quota",
  ]

  /// Returns the meaning of a member that is named after the rows; `nil` if it is not.
  ///
  /// If the rows have a general name such as `items`, a total counts rows unless its name is that
  /// of a sum.
  func meaning(of member: SignalName) -> PaginationSignal.Meaning? {
    guard let name, 2...3 ~= member.words.count else { return nil }
    if member.words.first == "total" {
      let counted = member.words.dropFirst()
      if name.isSame(as: counted) { return .total }
      return Self.plain.contains(name.joined) && !counted.contains(where: Self.sums.contains)
        ? .total : nil
    }
    guard member.words.last == "count" else { return nil }
    return name.isSame(as: member.words.dropLast()) ? .count : nil
  }
}

extension SignalName {
  /// Returns whether other words name the same thing, in the singular or the plural.
  fileprivate func isSame(as others: ArraySlice<String>) -> Bool {
    let (first, second) = (Self.singular(joined), Self.singular(others.joined()))
    return first == second || first + "e" == second || second + "e" == first
  }

  private static func singular(_ word: String) -> String {
    if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
    return word.hasSuffix("s") ? String(word.dropLast()) : word
  }
}
