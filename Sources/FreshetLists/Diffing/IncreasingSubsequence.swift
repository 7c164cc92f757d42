/// The increasing subsequences of a sequence of distinct values.
///
/// For each value, it knows the heaviest subsequence that ends there. Rows of such a subsequence
/// need not move when a list is reordered. The best sum that ends at each value is in a Fenwick
/// tree of prefix maxima (P. M. Fenwick, "A New Data Structure for Cumulative Frequency Tables",
/// 1994).
@usableFromInline
package struct IncreasingSubsequences {
  /// For each value, the total weight of the heaviest subsequence that ends there.
  @usableFromInline package private(set) var sums: [Int]
  @usableFromInline var previous: [Int]

  /// Finds the heaviest subsequence that ends at each value.
  ///
  /// - Complexity: O(*m* log *m*).
  @usableFromInline
  package init(_ values: [Int], weights: [Int]) {
    let count = values.count
    sums = [Int](repeating: 0, count: count)
    previous = [Int](repeating: -1, count: count)
    let rank = Self.ranks(of: values)
    var best = [Int](repeating: -1, count: count + 1)
    for index in 0..<count {
      var before = -1
      var at = rank[index]
      while at > 0 {
        let candidate = best[at]
        if candidate >= 0, before < 0 || sums[candidate] > sums[before] { before = candidate }
        at &= at - 1
      }
      previous[index] = before
      sums[index] = weights[index] + (before < 0 ? 0 : sums[before])
      at = rank[index]
      while at <= count {
        if best[at] < 0 || sums[index] > sums[best[at]] { best[at] = index }
        at += at & -at
      }
    }
  }

  /// Returns the rank of each value among all of them, counted from one.
  private static func ranks(of values: [Int]) -> [Int] {
    guard let low = values.min(), let high = values.max() else { return [] }
    var ranks = [Int](repeating: 0, count: values.count)
    if high - low < 8 * values.count {
      // The values are dense, as indices of rows are: a table replaces sorting.
      var table = [Int](repeating: -1, count: high - low + 1)
      for (index, value) in values.enumerated() { table[value - low] = index }
      var rank = 0
      for index in table where index >= 0 {
        rank += 1
        ranks[index] = rank
      }
    } else {
      let sorted = values.indices.sorted { values[$0] < values[$1] }
      for (place, index) in sorted.enumerated() { ranks[index] = place + 1 }
    }
    return ranks
  }

  /// Returns which values belong to the heaviest subsequence that ends at `last`.
  package func members(endingAt last: Int) -> [Bool] {
    var members = [Bool](repeating: false, count: sums.count)
    var at = last
    while at >= 0 {
      members[at] = true
      at = previous[at]
    }
    return members
  }

  /// Returns which values belong to the heaviest subsequence of all.
  ///
  /// - Complexity: O(*m*) if the values already increase, otherwise O(*m* log *m*).
  @usableFromInline
  package static func heaviest(of values: [Int], weights: [Int]) -> [Bool] {
    if !zip(values, values.dropFirst()).contains(where: >) {
      return [Bool](repeating: true, count: values.count)
    }
    if weights.reduce(0, +) <= 8 * values.count { return heaviestByPiles(values, weights) }
    let all = IncreasingSubsequences(values, weights: weights)
    let last = all.sums.indices.max { all.sums[$0] < all.sums[$1] } ?? 0
    return all.members(endingAt: last)
  }

  /// Returns the heaviest subsequence of values with small weights, by patience sorting.
  ///
  /// For each weight, it knows the smallest value at which a subsequence of that weight ends.
  /// These values ascend, so one binary search finds the predecessor of a value.
  ///
  /// - Complexity: O(*m* log *m*), and O(1) for each unit of weight.
  private static func heaviestByPiles(
    _ values: [Int], _ weights: [Int]
  ) -> [Bool] {
    var ends: [Int32] = []
    ends.reserveCapacity(weights.reduce(0, +))
    var previous = [Int32](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      let isLast = ends.last.map { values[Int($0)] < value } ?? true
      let before = isLast ? ends.count : ends.partition { values[Int($0)] > value }
      if before > 0 { previous[index] = ends[before - 1] }
      let after = before + weights[index]
      for place in before..<min(after, ends.count) { ends[place] = Int32(index) }
      while ends.count < after { ends.append(Int32(index)) }
    }
    var members = [Bool](repeating: false, count: values.count)
    var last = ends.last
    while let at = last, at >= 0 {
      members[Int(at)] = true
      last = previous[Int(at)]
    }
    return members
  }
}
