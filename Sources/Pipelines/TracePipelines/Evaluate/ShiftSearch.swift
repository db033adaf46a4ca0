/// The shifts of time at which the fading of a piece of a recording agrees most with that of equal
/// links of another one, by the cross-correlation of unevenly spaced readings in steps of 0.5 s
/// (Edelson and Krolik 1988, section II).
struct ShiftSearch {
  /// The best shifts in milliseconds, best first.
  private(set) var best: [Int64] = []

  /// The step of shifts, in milliseconds.
  private static let step: Int64 = 500
  private static let mostShifts = 3
  /// The number of steps above which nothing is searched; about six days.
  private static let mostSteps: Int64 = 1 << 20
  /// The sum of products in units of its deviation below which a shift is not examined.
  private static let leastScore = 4.5

  /// - Parameters:
  ///   - part: the piece of the first recording, by link.
  ///   - links: the link of the other one for each link.
  /// - Complexity: O(n m) in the readings of a link in the piece and in the other recording.
  init(_ one: LinkCourses, _ part: [Range<Int>], _ other: LinkCourses, _ links: [Int?]) {
    let pairs = zip(part, links).compactMap { own, link in
      link.flatMap { own.isEmpty ? nil : (own, other.ranges[$0]) }
    }
    guard
      let first = pairs.map({ other.times[$1.lowerBound] - one.times[$0.upperBound - 1] }).min(),
      let last = pairs.map({ other.times[$1.upperBound - 1] - one.times[$0.lowerBound] }).max(),
      (last - first) / Self.step < Self.mostSteps
    else { return }
    // The products and their squares.
    var sums = Array(repeating: SIMD2<Double>.zero, count: Int((last - first) / Self.step) + 3)
    let steps = other.times.map { Int(($0 - other.times[0]) / Self.step) }
    for (own, others) in pairs {
      for index in own {
        let base = Int((one.times[index] + first - other.times[0]) / Self.step)
        let x = one.fading[index]
        for partner in others {
          let product = x * other.fading[partner]
          sums[steps[partner] - base + 1] += SIMD2(product, product * product)
        }
      }
    }
    let scores = zip(sums, sums.dropFirst()).map { sum in
      let sum = sum.0 + sum.1
      return sum[1] > 1e-9 ? sum[0] / sum[1].squareRoot() : 0
    }
    var order = scores.indices.filter { scores[$0] > Self.leastScore }
    order.sort { (scores[$1], $0) < (scores[$0], $1) }
    for index in order {
      let shift = first + Int64(index) * Self.step
      guard best.allSatisfy({ abs($0 - shift) > 2 * Self.step }) else { continue }
      best.append(shift)
      if best.count == Self.mostShifts { break }
    }
  }
}
