import NumericalMethods

/// The residuals of readings, summed by station and by position.
struct Residuals {
  /// The number of readings, with their sum in dB and their sum of squares in dB².
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
  /// The stations of the fit, and their observations: those with readings, then those without.
  let fitted: (stations: [Station], observations: Observations)
  /// The predictions by station, in dBm.
  let predictions: [Double]
  private(set) var byStation: [Sums] = []
  private(set) var byPosition: [Sums]
  private(set) var all = Sums()
  /// The variance components; `nil` if there are too few positions or packets.
  let components: VarianceComponents?

  init(
    _ stations: [Station], _ observations: Observations, coefficients: [Double],
    fitted: (stations: [Station], observations: Observations)? = nil
  ) {
    self.stations = stations
    self.observations = observations
    self.fitted = fitted ?? (stations, observations)
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
    components = VarianceComponents(observations, byStation, cluster: observations.cluster)
  }
}
