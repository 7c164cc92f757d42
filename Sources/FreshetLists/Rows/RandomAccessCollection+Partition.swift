extension RandomAccessCollection {
  /// How many elements stand before the first one for which a condition is true, of which all are that
  /// follow.
  ///
  /// - Complexity: O(log *n*).
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
