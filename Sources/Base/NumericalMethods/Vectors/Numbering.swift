/// Returns the number of each name, from 0 in order of first appearance.
package func numbered<Name: Hashable>(_ names: [Name]) -> [Int] {
  var numbers: [Name: Int] = [:]
  return names.map { name in
    let number = numbers[name] ?? numbers.count
    numbers[name] = number
    return number
  }
}

/// Returns the rank of each value, from 1 for the least; equal values share the mean of their
/// ranks.
///
/// - Complexity: O(n log n).
package func meanRanks(_ values: [Double]) -> [Double] {
  let order = values.indices.sorted { values[$0] < values[$1] }
  var ranks = [Double](repeating: 0, count: values.count)
  var start = 0
  while start < order.count {
    let equal = order[start...].prefix { values[$0] == values[order[start]] }
    for index in equal { ranks[index] = Double(start) + 0.5 * Double(equal.count + 1) }
    // NaN equals nothing.
    start += max(equal.count, 1)
  }
  return ranks
}
