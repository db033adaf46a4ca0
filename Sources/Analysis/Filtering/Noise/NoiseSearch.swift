import NumericalMethods

/// A search for the global maximum of a smooth function of log λ in a range.
///
/// A scan in steps of at most 1.25, over which a likelihood of log λ hardly bends, finds the cells
/// with a peak; each that may contain the maximum is narrowed to a ninth and finished by Brent's
/// method. One call evaluates four places.
struct NoiseSearch {
  typealias Lanes = NoiseLikelihood.Lanes

  struct Sample: Equatable {
    var x: Double
    var value: Double
  }

  /// The log λ of the maximum.
  private(set) var place: Double
  private(set) var value: Double
  /// The scanned places and values, ascending.
  private(set) var scan: [Sample] = []

  /// - Parameters:
  ///   - range: The range of the search.
  ///   - passes: The number of scans of four places; by default, as the range requires.
  ///   - margin: The difference from the largest value above which a peak of the scan is ignored.
  ///   - function: Returns the finite values at four ascending places.
  ///   - approximation: Returns a function that approximates it in a range that has a peak, where
  ///     about 80 values are needed; by default the function itself.
  init(
    in range: ClosedRange<Double>, passes: Int? = nil, margin: Double = 2,
    of function: (Lanes) -> Lanes,
    within approximation: ((ClosedRange<Double>) -> (Lanes) -> Lanes)? = nil
  ) {
    let width = range.upperBound - range.lowerBound
    let passes = passes ?? Int(((width / 1.25 + 1) / 4).rounded(.up))
    let spacing = width / Double(4 * passes - 1)
    for pass in 0..<passes {
      let first = range.lowerBound + spacing * Double(4 * pass)
      let places = first + spacing * Lanes(0, 1, 2, 3)
      let values = function(places)
      for lane in 0..<4 { scan.append(.init(x: places[lane], value: values[lane])) }
    }
    let highest = scan.max { $0.value < $1.value }!
    (place, value) = (highest.x, highest.value)
    for (k, sample) in scan.enumerated() {
      let isPeak =
        (k == 0 || sample.value >= scan[k - 1].value)
        && (k == scan.count - 1 || sample.value > scan[k + 1].value)
      guard isPeak, sample.value > highest.value - margin else { continue }
      let (left, right) = (scan[max(0, k - 1)], scan[min(scan.count - 1, k + 1)])
      let peak = withoutActuallyEscaping(function) {
        Self.refine(left, sample, right, approximation?(left.x...right.x) ?? $0)
      }
      if peak.value > value { (place, value) = (peak.x, peak.value) }
    }
  }

  /// Returns the peak between two samples about a higher one; at an end of the range two of them
  /// are the same.
  private static func refine(
    _ left: Sample, _ middle: Sample, _ right: Sample,
    _ function: (Lanes) -> Lanes
  ) -> Sample {
    var (left, middle, right) = (left, middle, right)
    var narrowings = 0
    // Brent's method needs a peak between the ends: at an end, search close to it.
    while narrowings < 2 || (narrowings < 7 && (left == middle || middle == right)) {
      narrowings += 1
      let (below, above) = (middle.x - left.x, right.x - middle.x)
      let places =
        left == middle || middle == right
        ? left.x + (below + above) / 5 * Lanes(1, 2, 3, 4)
        : Lanes(
          left.x + below / 3, left.x + 2 * below / 3, middle.x + above / 3,
          middle.x + 2 * above / 3)
      let values = function(places)
      let inner = (0..<4).map { Sample(x: places[$0], value: values[$0]) }
      var all = ([left, middle, right] + inner).sorted { $0.x < $1.x }
      all = all.indices.filter { $0 == 0 || all[$0].x > all[$0 - 1].x }.map { all[$0] }
      let k = all.indices.max { all[$0].value < all[$1].value }!
      (left, middle, right) = (all[max(0, k - 1)], all[k], all[min(all.count - 1, k + 1)])
    }
    func negated(_ sample: Sample) -> LineMinimum.Sample {
      .init(x: sample.x, value: -sample.value)
    }
    let minimum = LineMinimum(
      between: negated(left), negated(middle), and: negated(right), tolerance: 1e-6
    ) { -function(Lanes(repeating: $0))[0] }
    return .init(x: minimum.x, value: -minimum.value)
  }
}
