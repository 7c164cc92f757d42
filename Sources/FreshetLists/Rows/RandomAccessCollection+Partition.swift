extension RandomAccessCollection {
  /// Returns the number of elements before the first one that satisfies a condition.
  ///
  /// All elements after that one must satisfy the condition too.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func partition(where isTrue: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isTrue(self[index(startIndex, offsetBy: middle)]) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}

extension Array {
  /// Returns the index of the first element from `start` on that satisfies a condition.
  ///
  /// All elements after that one must satisfy the condition too.
  ///
  /// - Complexity: O(log *d*) for a result *d* elements after `start`.
  @inlinable
  func partition(from start: Int, where isTrue: (Element) -> Bool) -> Int {
    var (low, step) = (start, 1)
    while low + step <= count, !isTrue(self[low + step - 1]) {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step - 1, count)
    while low < high {
      let middle = (low + high) / 2
      if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
