/// Which elements belong to an increasing subsequence of the greatest total weight.
///
/// Those are the rows that need not move when a list is reordered. The best sum that ends at each
/// value stands in a Fenwick tree of prefix maxima (P. M. Fenwick, "A New Data Structure for
/// Cumulative Frequency Tables", 1994).
///
/// - Parameters:
///   - values: distinct values, in the order of the sequence.
///   - weights: a positive weight for each.
/// - Complexity: O(*m*) where the values already increase, else O(*m* log *m*).
@inlinable
package func heaviestIncreasingSubsequence(_ values: [Int], weights: [Int]) -> [Bool] {
  let count = values.count
  var kept = [Bool](repeating: true, count: count)
  if !zip(values, values.dropFirst()).contains(where: >) { return kept }

  let ascending = (0..<count).sorted { values[$0] < values[$1] }
  var rank = [Int](repeating: 0, count: count)
  for (position, index) in ascending.enumerated() { rank[index] = position + 1 }

  var sums = [Int](repeating: 0, count: count)
  var previous = [Int](repeating: -1, count: count)
  var best = [Int](repeating: -1, count: count + 1)
  var last = -1
  for index in 0..<count {
    var at = rank[index]
    while at > 0 {
      let candidate = best[at]
      if candidate >= 0, previous[index] < 0 || sums[candidate] > sums[previous[index]] {
        previous[index] = candidate
      }
      at &= at - 1
    }
    sums[index] = weights[index] + (previous[index] < 0 ? 0 : sums[previous[index]])
    if last < 0 || sums[index] > sums[last] { last = index }
    at = rank[index]
    while at <= count {
      if best[at] < 0 || sums[index] > sums[best[at]] { best[at] = index }
      at += at & -at
    }
    kept[index] = false
  }
  while last >= 0 {
    kept[last] = true
    last = previous[last]
  }
  return kept
}
