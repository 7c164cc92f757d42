/// The name of the member that holds the rows, which shows what a count beside it counts:
/// `total_users` and `user-count` count `users`, `comment_count` does not.
struct RowsMemberName: Sendable {
  private let name: SignalName?

  /// - Parameter name: the member that holds the rows; `nil` where the body is an array.
  init(_ name: String?) { self.name = name.map(SignalName.init) }

  private static let plain: Set<String> = [
    "items", "data", "results", "rows", "value", "records", "entries", "content", "list", "result",
    "hits", "docs", "nodes", "elements", "objects",
  ]
  /// What is added up and no count of rows.
  private static let sums: Set<String> = [
    "time", "took", "ms", "seconds", "minutes", "hours", "days", "duration", "price", "amount",
    "cost", "costs", "sum", "bytes", "weight", "distance", "score", "points", "tax", "fee", "fees",
    "discount", "paid", "due", "balance", "revenue", "sales", "spent", "votes", "views", "likes",
    "plays", "downloads", "comments", "reactions", "unread", "errors", "estimate", "shards",
    "value",
    "tokens", "credits", "requests", "quota",
  ]

  /// What a member tells by its name and that of the rows: `nil` where they have nothing in common.
  ///
  /// Where the rows are called no more than `items`, a total is one of rows unless it says that it
  /// is a sum.
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
  /// Whether other words name the same thing, one of them or many.
  fileprivate func isSame(as others: ArraySlice<String>) -> Bool {
    let (first, second) = (Self.singular(joined), Self.singular(others.joined()))
    return first == second || first + "e" == second || second + "e" == first
  }

  private static func singular(_ word: String) -> String {
    if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
    return word.hasSuffix("s") ? String(word.dropLast()) : word
  }
}
