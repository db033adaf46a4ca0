import NumericalMethods

/// What readings lie above their predictions, summed up by station and by position.
struct Residuals {
  /// Readings, their sum and their sum of squares: dB and dB².
  struct Sums {
    var count = 0.0
    var sum = 0.0
    var squares = 0.0

    var mean: Double { count > 0 ? sum / count : 0 }

    mutating func add(_ other: Sums) {
      count += other.count
      sum += other.sum
      squares += other.squares
    }
  }

  let stations: [Station]
  let observations: Observations
  /// By station, dBm.
  let predictions: [Double]
  private(set) var byStation: [Sums] = []
  private(set) var byPosition: [Sums]
  private(set) var all = Sums()
  /// The variances of what positions share and of single readings about it, dB²; nil where there
  /// are too few positions or packets.
  private(set) var components: (position: Double, packet: Double)?

  init(_ stations: [Station], _ observations: Observations, coefficients: [Double]) {
    self.stations = stations
    self.observations = observations
    predictions = observations.predictions(coefficients)
    byPosition = [Sums](repeating: Sums(), count: observations.clusterCount)
    for station in stations.indices {
      var own = Sums()
      for cell in observations.first[station]..<observations.first[station + 1] {
        let residual = observations.level[cell] - predictions[station]
        own.count += observations.count[cell]
        own.sum += observations.count[cell] * residual
        own.squares += observations.count[cell] * residual * residual
      }
      byStation.append(own)
      byPosition[observations.cluster[station]].add(own)
      all.add(own)
    }
    components = varianceComponents
  }

  /// By moments of the residuals (Henderson's method III; Searle, Casella and McCulloch, "Variance
  /// components", 1992, section 5.5): the expectation of the squares between positions allows for a
  /// curve that a position with many packets pulls onto itself.
  private var varianceComponents: (position: Double, packet: Double)? {
    let positions = Double(byPosition.count)
    let parameters = Double(observations.parameters)
    guard all.count > positions, positions > parameters else { return nil }
    let between = byPosition.reduce(0) { $0 + $1.count * $1.mean * $1.mean }
    let packet = max(all.squares - between, 0) / (all.count - positions)
    let rows = observations.positionInformation(
      curvature: byStation.map(\.count), slope: byStation.map { _ in 0 })
    let size = observations.parameters
    let total = rows.reduce(Matrix(zeros: size, size)) { $0 + $1.information }
    guard let inverse = total.positiveInverse else { return nil }
    // What of a shared offset the fit leaves: N − tr(M⁻¹ Σ S Sᵀ), S the sum of a position's rows.
    let left = rows.reduce(all.count) { left, one in
      left - inverse.form((0..<size).map { one.information[$0, 0] })
    }
    guard left > 1e-9 * all.count else { return nil }
    return (max((between - (positions - parameters) * packet) / left, 0), packet)
  }
}
