/// The results of a filter on the links of one or more files, as sums and counts that can be
/// merged.
package struct FilterSums: Codable, Equatable, Sendable {
  /// The number of compared levels, with the sums of the errors in dB, and of their squares.
  private var samples = 0
  private var errors = 0.0
  private var squares = 0.0
  /// The number of levels with a variance, and of those whose interval contains the truth.
  private var claims = 0
  private var covered = 0
  /// The delays in hundred-thousandths of a second, with their counts.
  private var delays: [Int] = []
  private var delayCounts: [Int] = []
  /// The sums of squares of noise before and after the filter, in dB².
  private var noiseBefore = 0.0
  private var noiseAfter = 0.0

  init() {}

  /// Compares the output of a filter with the truth.
  ///
  /// - Parameters:
  ///   - levels: The output, its variance and the truth, row by row; NaN for missing values.
  init(_ levels: some Sequence<(said: Double, variance: Double, truth: Double)>) {
    for (said, variance, truth) in levels where !said.isNaN && !truth.isNaN {
      let error = said - truth
      samples += 1
      errors += error
      squares += error * error
      guard !variance.isNaN else { continue }
      claims += 1
      if error * error <= 1.96 * 1.96 * variance { covered += 1 }
    }
  }

  /// - Parameters:
  ///   - lags: The delays in seconds.
  ///   - noise: The sums of squares before and after the filter, in dB².
  mutating func add(lags: [Double], noise: (before: Double, after: Double)) {
    for delay in lags.map({ Int(($0.clamped(to: -1e9...1e9) * 1e5).rounded()) }).sorted() {
      if delays.last == delay {
        delayCounts[delays.count - 1] += 1
      } else {
        delays.append(delay)
        delayCounts.append(1)
      }
    }
    noiseBefore += noise.before
    noiseAfter += noise.after
  }

  /// Adds the sums of other files; the last bits depend on the order.
  package mutating func merge(_ other: FilterSums) {
    samples += other.samples
    errors += other.errors
    squares += other.squares
    claims += other.claims
    covered += other.covered
    noiseBefore += other.noiseBefore
    noiseAfter += other.noiseAfter
    let all = zip(delays + other.delays, delayCounts + other.delayCounts)
    let counts: [(key: Int, value: Int)] = Dictionary(all, uniquingKeysWith: +)
      .sorted { $0.key < $1.key }
    (delays, delayCounts) = (counts.map(\.key), counts.map(\.value))
  }

  package var score: FilterScore {
    var score = FilterScore()
    score.samples = samples
    if samples > 0 {
      score.rootMeanSquare = (squares / Double(samples)).squareRoot()
      score.bias = errors / Double(samples)
    }
    if claims > 0 { score.coverage = Double(covered) / Double(claims) }
    score.lag = lag
    score.noiseReduction = noiseBefore / noiseAfter
    return score
  }

  /// The median delay in seconds; NaN without any.
  private var lag: Double {
    let middle = delayCounts.reduce(0, +) / 2
    var before = 0
    for (delay, count) in zip(delays, delayCounts) {
      before += count
      if middle < before { return Double(delay) / 1e5 }
    }
    return .nan
  }

  /// A Boolean value that is true if no sum overflows; a file of sums may contain any number.
  package var isSound: Bool {
    [samples, claims, covered].allSatisfy { (0..<1 << 40).contains($0) }
      && delays.count == delayCounts.count
      && delayCounts.allSatisfy { (1..<1 << 30).contains($0) } && delays.count < 1 << 26
      && [errors, squares, noiseBefore, noiseAfter].allSatisfy { abs($0) < 1e30 } && squares >= 0
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
