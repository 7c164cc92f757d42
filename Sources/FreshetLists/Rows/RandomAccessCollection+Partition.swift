extension RandomAccessCollection {
  /// How many elements stand before the first one for which a condition is true, of which all are
  /// that follow.
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
  /// The index of the first element, from one on, for which a condition is true, of which all are
  /// that follow.
  ///
  /// - Complexity: O(log *d*) for an index *d* elements further on.
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
