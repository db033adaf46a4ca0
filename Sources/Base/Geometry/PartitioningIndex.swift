extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element satisfies a predicate that, once true, stays true, or
  /// `endIndex` if there is none.
  ///
  /// Logarithmic time.
  @inlinable package func partitioningIndex(_ predicate: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
