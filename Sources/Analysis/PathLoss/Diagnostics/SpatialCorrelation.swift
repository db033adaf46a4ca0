import NumericalMethods
import RealModule

extension Diagnostic {
  /// The decorrelation distance of shadowing indoors, in metres, as trackers assume it.
  static let decorrelation = 1.5

  /// Returns a diagnostic if residuals of neighbouring positions are correlated: they share their
  /// shadowing, so the effective number of positions is lower than their count.
  ///
  /// Moran's I of the positions' mean residuals, each over its standard deviation, with weights of
  /// exp(−Δ / 1.5 m) for positions of a link that differ by Δ in distance (Cliff and Ord, "Spatial
  /// processes", 1981, chapter 8). With several links, each is taken about its own mean. The
  /// p-value is that of Gaussian residuals of the same fit, by simulation. It is reported if p <
  /// 0.01.
  ///
  /// - Complexity: O(positions × parameters), times up to 499 simulations.
  static func spatialCorrelation(_ residuals: Residuals) -> Diagnostic? {
    guard let places = NearPlaces(residuals) else { return nil }
    let correlation = places.correlation(of: places.residuals)
    var random = RandomStream(SplitMix64(seed: 1))
    let draws = places.residuals.count > 2000 ? 199 : 499
    // The observed value counts too.
    var atLeast = 1
    var pValue: Double { Double(atLeast) / Double(draws + 1) }
    for _ in 0..<draws {
      let drawn = places.residuals.map { _ in random.gaussian() }
      if places.correlation(of: places.left(of: drawn)) >= correlation { atLeast += 1 }
      // The p-value only grows, so without correlation a few draws suffice.
      guard pValue < 0.01 else { return nil }
    }
    return Diagnostic(
      "spatial-correlation",
      "residuals of neighbouring positions are correlated (Moran's I \(shown(correlation))"
        + "): the intervals treat them as independent and are too narrow; measure at places 3 m "
        + "apart or more",
      value: correlation, pValue: pValue)
  }
}

/// The positions of links, each with its neighbours.
private struct NearPlaces {
  private struct Pair {
    var first: Int
    var second: Int
    var weight: Double
  }

  /// The mean residuals of positions over their standard deviations.
  private(set) var residuals: [Double] = []
  private let rows: [[Double]]
  private let inverse: Matrix
  private var pairs: [Pair] = []
  /// The sum of the weights of all pairs.
  private var weight = 0.0
  /// The link of each position.
  private var links: [Int] = []
  private var sizes: [Double] = []

  /// - Returns: `nil` if there are walks, or too few positions.
  init?(_ residuals: Residuals) {
    let stations = residuals.stations
    guard stations.count == residuals.byPosition.count, stations.allSatisfy({ $0.walk == nil }),
      let means = PositionMeans(
        residuals.observations, residuals.byStation, residuals.observations.cluster),
      means.freedom >= 6
    else { return nil }
    let components = residuals.components
    let whitened = means.whitened(
      position: components?.position ?? 1, packet: components?.packet ?? 0)
    rows = whitened.map(\.row)
    var information = Matrix(zeros: residuals.observations.parameters, rows[0].count)
    for row in rows { information.addOuter(row) }
    guard let inverse = information.positiveInverse else { return nil }
    self.inverse = inverse
    let names = stations.map { [$0.beacon, $0.receiver] }
    let known = numbers(names)
    // Each station is one position, with the same number.
    links = [Int](repeating: 0, count: stations.count)
    sizes = [Double](repeating: 0, count: known.count)
    var byLink = [[Int]](repeating: [], count: known.count)
    for (station, name) in names.enumerated() {
      let link = known[name] ?? 0
      links[residuals.observations.cluster[station]] = link
      sizes[link] += 1
      byLink[link].append(station)
    }
    for stationsOfLink in byLink {
      let ordered = stationsOfLink.sorted { stations[$0].distance < stations[$1].distance }
      for (index, station) in ordered.enumerated() {
        for other in ordered[(index + 1)...].prefix(8) {
          let apart = stations[other].distance - stations[station].distance
          let cluster = residuals.observations.cluster
          pairs.append(
            Pair(
              first: cluster[station], second: cluster[other],
              weight: .exp(-apart / Diagnostic.decorrelation)))
        }
      }
    }
    weight = pairs.reduce(0) { $0 + $1.weight }
    guard weight >= 1 else { return nil }
    self.residuals = left(of: whitened.map(\.residual))
  }

  /// Returns the residuals of values after the fit and the removal of the means of links.
  func left(of values: [Double]) -> [Double] {
    var score = [Double](repeating: 0, count: inverse.rows)
    for (row, value) in zip(rows, values) {
      for column in score.indices { score[column] += row[column] * value }
    }
    let change = inverse * score
    var left = values
    var sums = [Double](repeating: 0, count: sizes.count)
    for index in left.indices {
      for column in change.indices { left[index] -= rows[index][column] * change[column] }
      sums[links[index]] += left[index]
    }
    guard sizes.count > 1 else { return left }
    for index in left.indices { left[index] -= sums[links[index]] / sizes[links[index]] }
    return left
  }

  /// Returns the weighted sum of products of neighbours over the sum of all squares.
  func correlation(of left: [Double]) -> Double {
    let squares = left.reduce(0) { $0 + $1 * $1 }
    let products = pairs.reduce(0) { $0 + $1.weight * left[$1.first] * left[$1.second] }
    return squares > 0 ? products / weight / (squares / Double(left.count)) : 0
  }
}
