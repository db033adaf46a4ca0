import NumericalMethods

/// Weighted least squares over single readings.
struct LeastSquaresEstimator: LinearEstimator {
  func fit(_ observations: Observations) throws(NotFitted) -> LinearFit {
    let sums = StationSums(observations, weights: observations.weight)
    let coefficients = try sums.solve(observations)
    let predictions = observations.predictions(coefficients)
    var squares = 0.0
    for station in 0..<observations.stations {
      for cell in observations.first[station]..<observations.first[station + 1] {
        let residual = observations.level[cell] - predictions[station]
        squares += observations.count[cell] * residual * residual
      }
    }
    let freedom = observations.samples - Double(observations.parameters)
    let slope = (0..<observations.stations).map {
      sums.weight[$0] * (sums.mean[$0] - predictions[$0])
    }
    return LinearFit(
      coefficients: coefficients, sigma: freedom > 0 ? (squares / freedom).squareRoot() : 0,
      positions: observations.positionInformation(curvature: sums.weight, slope: slope),
      byStation: (sums.weight, slope))
  }
}

/// An estimator of the coefficients of a linear model.
protocol LinearEstimator {
  func fit(_ observations: Observations) throws(NotFitted) -> LinearFit
}

/// The sums of the weighted levels of each station.
struct StationSums {
  private(set) var weight: [Double]
  /// The mean levels, in dBm.
  private(set) var mean: [Double]

  init(_ observations: Observations, weights: [Double]) {
    weight = []
    mean = []
    weight.reserveCapacity(observations.stations)
    mean.reserveCapacity(observations.stations)
    for station in 0..<observations.stations {
      var total = 0.0
      var sum = 0.0
      for cell in observations.first[station]..<observations.first[station + 1] {
        total += weights[cell]
        sum += weights[cell] * observations.level[cell]
      }
      weight.append(total)
      mean.append(total > 0 ? sum / total : 0)
    }
  }

  /// Returns the coefficients of weighted least squares.
  func solve(
    _ observations: Observations, with fit: WeightedFit? = nil
  ) throws(NotFitted) -> [Double] {
    guard observations.stations >= observations.parameters else { throw .undetermined }
    let solver =
      fit ?? WeightedFit(rows: observations.stations, columns: observations.parameters)
    let targets = zip(mean, observations.offset).map { $0 - $1 }
    guard
      let solution = solver.solve(
        design: observations.design, weights: weight, targets: targets)
    else { throw .undetermined }
    return solution
  }
}
