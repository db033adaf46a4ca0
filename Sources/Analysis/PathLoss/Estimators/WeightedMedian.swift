/// A weighted median by partitioning: O(n) on average, with one allocation.
struct WeightedMedian {
  private var values: [Double] = []
  private var weights: [Double] = []

  /// Returns the weighted median of the absolute values: the mean of the two middle values if there
  /// is no single one, as in a list with repeated numbers.
  mutating func ofAbsolute(_ numbers: [Double], weights given: [Double]) -> Double {
    values.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    var total = 0.0
    for index in numbers.indices where given[index] > 0 {
      values.append(abs(numbers[index]))
      weights.append(given[index])
      total += given[index]
    }
    guard !values.isEmpty else { return 0 }
    let (middle, cumulative) = lowerMedian(total / 2)
    guard cumulative == total / 2 else { return middle }
    // Exactly half of the weight is at or below it, so the other middle value is the next one
    // above.
    let next = values.reduce(Double.infinity) { $1 > middle ? min($0, $1) : $0 }
    return next.isFinite ? (middle + next) / 2 : middle
  }

  /// Returns the least number with at least `half` of the weight at or below it, with that weight.
  private mutating func lowerMedian(_ half: Double) -> (Double, Double) {
    var low = 0
    var high = values.count
    var below = 0.0
    while true {
      let pivot = medianOfThree(low, high)
      // [low, less) below the pivot, [less, more) equal to it, [more, high) above.
      var less = low
      var more = high
      var index = low
      var lessWeight = 0.0
      var equalWeight = 0.0
      while index < more {
        let value = values[index]
        if value < pivot {
          lessWeight += weights[index]
          exchange(index, less)
          less += 1
          index += 1
        } else if value > pivot {
          more -= 1
          exchange(index, more)
        } else {
          equalWeight += weights[index]
          index += 1
        }
      }
      if below + lessWeight >= half, less > low {
        high = less
      } else if below + lessWeight + equalWeight >= half || more == high {
        return (pivot, below + lessWeight + equalWeight)
      } else {
        below += lessWeight + equalWeight
        low = more
      }
    }
  }

  private func medianOfThree(_ low: Int, _ high: Int) -> Double {
    let (a, b, c) = (values[low], values[(low + high) / 2], values[high - 1])
    return max(min(a, b), min(max(a, b), c))
  }

  private mutating func exchange(_ a: Int, _ b: Int) {
    values.swapAt(a, b)
    weights.swapAt(a, b)
  }
}
