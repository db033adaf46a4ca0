extension Array {
  /// Returns the first index whose element satisfies a predicate that, once true, stays true, or
  /// `count` if there is none.
  ///
  /// Logarithmic time.
  @inlinable package func partitioningIndex(_ predicate: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
