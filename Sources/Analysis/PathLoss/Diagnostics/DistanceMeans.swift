import NumericalMethods
import RealModule

/// The mean residuals of stays over log distance: the units of tests of shape and scatter.
///
/// A unit is a position. If several positions are at one distance, a unit is that distance, with
/// the offsets of links removed: beacons at one mark, visits of one mark and orientations at one
/// distance share their shadowing, so more of them are not more evidence on the curve.
struct DistanceMeans {
  /// One unit.
  struct Unit {
    /// −10 log10 of the distance in metres.
    var x: Double
    /// The distance, in metres.
    var distance: Double
    /// The mean residual, in dB.
    var residual: Double
    /// The part of its variance that is due to packets, in dB².
    var packetVariance: Double
    /// The stations in it.
    var stations: [Int]
  }

  /// The units in order of distance, with a separate offset for each block: a link, or all links if
  /// units are distances.
  private(set) var blocks: [[Unit]]
  /// The variance between positions, in dB².
  let positionVariance: Double

  /// The smallest number of residual degrees of freedom.
  static let fewestFreedom = 3

  /// - Returns: `nil` if there are walks, stays that share a position, or too few units.
  init?(_ residuals: Residuals) {
    let stations = residuals.stations
    guard stations.count == residuals.byPosition.count, stations.allSatisfy({ $0.walk == nil }),
      residuals.byStation.allSatisfy({ $0.count > 0 })
    else { return nil }
    let packet = residuals.components?.packet ?? 0
    positionVariance = residuals.components?.position ?? 1
    let links = numbered(stations.map(\.link))
    let linkCount = (links.max() ?? -1) + 1
    let marks = numbered(stations.map { Int64(($0.distance * 1000).rounded()) })
    let markCount = (marks.max() ?? -1) + 1
    func unit(_ members: [Int], _ levels: [Double]) -> Unit {
      let count = Double(members.count)
      let noise = members.reduce(0) { $0 + packet / residuals.byStation[$1].count }
      return Unit(
        x: logDistance(stations[members[0]].distance), distance: stations[members[0]].distance,
        residual: members.reduce(0) { $0 + levels[$1] } / count,
        packetVariance: noise / (count * count), stations: members)
    }
    var levels = residuals.byStation.map(\.mean)
    if markCount == stations.count {
      blocks = [[Unit]](repeating: [], count: linkCount)
      for station in stations.indices { blocks[links[station]].append(unit([station], levels)) }
      // Links with one position each have no offset of their own.
      if stations.count - linkCount < Self.fewestFreedom + 2 { blocks = [blocks.flatMap(\.self)] }
    } else {
      Self.removeOffsets(of: links, from: &levels, marks: marks)
      var members = [[Int]](repeating: [], count: markCount)
      for station in stations.indices { members[marks[station]].append(station) }
      blocks = [members.map { unit($0, levels) }]
    }
    for block in blocks.indices { blocks[block].sort { $0.distance < $1.distance } }
    guard freedom >= Self.fewestFreedom else { return nil }
  }

  /// The residual degrees of freedom of a curve with two coefficients beside the offsets of blocks.
  var freedom: Int { blocks.reduce(-2) { $0 + $1.count - 1 } }

  /// Subtracts the offsets of links in an additive model of links and marks, by alternating least
  /// squares.
  private static func removeOffsets(
    of links: [Int], from levels: inout [Double], marks: [Int]
  ) {
    let linkCount = (links.max() ?? 0) + 1
    guard linkCount > 1 else { return }
    var offsets = [Double](repeating: 0, count: linkCount)
    func means(_ groups: [Int], _ value: (Int) -> Double) -> [Double] {
      var sums = [Double](repeating: 0, count: (groups.max() ?? 0) + 1)
      var counts = sums
      for (index, group) in groups.enumerated() {
        sums[group] += value(index)
        counts[group] += 1
      }
      return zip(sums, counts).map { $0 / max($1, 1) }
    }
    for _ in 0..<50 {
      let atMarks = means(marks) { levels[$0] - offsets[links[$0]] }
      offsets = means(links) { levels[$0] - atMarks[marks[$0]] }
    }
    for index in levels.indices { levels[index] -= offsets[links[index]] }
  }

  /// A least-squares fit of the residuals by an offset per block and some columns.
  struct Fit {
    var coefficients: [Double]
    /// The covariance of the coefficients over the residual variance.
    var inverse: Matrix
    /// The residual sum of squares.
    var squares: Double
    var freedom: Double
    /// The logarithm of the restricted likelihood without its constant.
    var logLikelihood: Double
    /// The residuals over their standard deviations and the roots of 1 − leverage, for independent
    /// offsets, in order of blocks.
    var standardized: [Double]
  }

  /// Returns the fit by generalised least squares, or `nil` if the units do not determine it.
  ///
  /// The offsets of positions at distances that differ by Δ metres have the correlation c exp(−Δ /
  /// 1.5 m) within a block. That is a Markov process along the distance, so the recursion of the
  /// Kalman filter makes columns and residuals independent (Ansley, Biometrika 66, 1979).
  ///
  /// - Parameters:
  ///   - columns: The values of the columns of one unit.
  ///   - correlation: c, from 0 to 1.
  /// - Complexity: O(units × columns²).
  func fit(correlation: Double, _ columns: (Unit) -> [Double]) -> Fit? {
    var (rows, targets, shares): ([[Double]], [Double], [Double]) = ([], [], [])
    var logarithms = 0.0
    for block in blocks where block.count > 1 {
      let white = whitened(block.map { [1, $0.residual] + columns($0) }, block, correlation)
      logarithms += white.logVariances
      let total = white.rows.reduce(0) { $0 + $1[0] * $1[0] }
      logarithms += .log(total)
      let products = white.rows[0].indices.map { column in
        white.rows.reduce(0) { $0 + $1[0] * $1[column] } / total
      }
      for row in white.rows {
        let left = row.indices.map { row[$0] - row[0] * products[$0] }
        targets.append(left[1])
        rows.append(Array(left[2...]))
        shares.append(row[0] * row[0] / total)
      }
    }
    guard let size = rows.first?.count else { return nil }
    var information = Matrix(zeros: size, size)
    var score = [Double](repeating: 0, count: size)
    for (row, target) in zip(rows, targets) {
      information.addOuter(row)
      for column in row.indices { score[column] += row[column] * target }
    }
    guard let inverse = information.positiveInverse else { return nil }
    // A column that the others nearly determine has no coefficient.
    guard (0..<size).allSatisfy({ information[$0, $0] * inverse[$0, $0] < 1e8 }) else { return nil }
    let coefficients = inverse * score
    let residuals = zip(rows, targets).map { $1 - dot($0, coefficients) }
    let squares = residuals.reduce(0) { $0 + $1 * $1 }
    let freedom = Double(self.freedom + 2 - size)
    guard freedom > 0, squares > 0 else { return nil }
    var determinant = 0.0
    if let eigen = SymmetricEigen(information) {
      determinant = eigen.values.reduce(0) { $0 + .log(max($1, .leastNormalMagnitude)) }
    }
    return Fit(
      coefficients: coefficients, inverse: inverse, squares: squares, freedom: freedom,
      logLikelihood: -0.5 * (logarithms + determinant + freedom * .log(squares / freedom)),
      standardized: zip(residuals, zip(rows, shares)).map { residual, unit in
        residual / max(1 - unit.1 - inverse.form(unit.0), 1e-9).squareRoot()
      })
  }

  /// Returns rows that are independent with the variance 1, and the sum of the logarithms of their
  /// variances before.
  private func whitened(
    _ rows: [[Double]], _ block: [Unit], _ correlation: Double
  ) -> (rows: [[Double]], logVariances: Double) {
    let shared = correlation * positionVariance
    var mean = [Double](repeating: 0, count: rows[0].count)
    var variance = shared
    var logarithms = 0.0
    var white: [[Double]] = []
    for (index, row) in rows.enumerated() {
      if index > 0 {
        let apart = block[index].distance - block[index - 1].distance
        let kept = Double.exp(-apart / Diagnostic.decorrelation)
        for column in mean.indices { mean[column] *= kept }
        variance = kept * kept * variance + (1 - kept * kept) * shared
      }
      let noise = max(
        positionVariance - shared + block[index].packetVariance,
        1e-9 * max(positionVariance, 1e-9))
      let spread = variance + noise
      let errors = row.indices.map { row[$0] - mean[$0] }
      for column in mean.indices { mean[column] += variance / spread * errors[column] }
      variance *= noise / spread
      logarithms += .log(spread)
      white.append(errors.map { $0 / spread.squareRoot() })
    }
    return (white, logarithms)
  }
}
