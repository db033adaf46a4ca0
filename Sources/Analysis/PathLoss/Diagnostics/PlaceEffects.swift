import NumericalMethods

/// F tests of offsets that the readings of a place, or of a pose, share.
///
/// The levels of places beyond the line, with a free level of each link in each pose and of each
/// walk, and one slope: a two-way analysis of variance of the means of positions, each over its
/// standard deviation. Neighbouring places of one walk share their shadowing, so both degrees of
/// freedom are multiplied by Box's ε, as in a design with repeated measurements (Box, Ann. Math.
/// Stat. 25, 1954; Huynh and Feldt, J. Educ. Stat. 1, 1976). Poses are tested in the same way, with
/// a free level of each link at each place.
struct PlaceEffects {
  /// The result of one test.
  struct Test: Equatable {
    /// The number of places or poses.
    var count: Int
    /// The standard deviation of their offsets by the method of moments, in dB.
    var deviation: Double
    var pValue: Double

    /// A Boolean value that is true if errors have to allow for the offsets. It is more cautious
    /// than the diagnostic, because an offset that is missed makes intervals far too narrow.
    var isShared: Bool { pValue < 0.05 }
  }

  let index: StationPlaces
  /// The test of places; `nil` if no two links or visits share some.
  let places: Test?
  /// The test of poses; `nil` if the readings have only one, or each has its own places.
  let poses: Test?

  init(_ residuals: Residuals) {
    let stations = residuals.stations
    index = StationPlaces(stations)
    let (places, poses) = (index.places, index.poses)
    let rows = numbered(
      residuals.observations.cluster.enumerated().map { [$1, places[$0], poses[$0]] })
    guard Set(places).count < Set(rows).count,
      let means = SharedMeans(residuals, row: rows)
    else {
      (self.places, self.poses) = (nil, nil)
      return
    }
    self.places = means.test(index.places, withLevelsOf: index.sessions)
    let several = Set(poses).count > 1
    self.poses = several ? means.test(index.poses, withLevelsOf: index.spots) : nil
  }

  /// The diagnostics of significant tests.
  var diagnostics: [Diagnostic] {
    func diagnostic(_ test: Test?, _ name: String, _ advice: String) -> Diagnostic? {
      guard let test, test.pValue < 0.01 else { return nil }
      let probability = test.pValue < 0.001 ? "p < 0.001" : "p = \(shown(test.pValue, 3))"
      return Diagnostic(
        "\(name)-effects",
        "readings of one \(name) share an offset with a standard deviation of "
          + "\(shown(test.deviation, 1)) dB (F test of \(test.count) \(name)s, \(probability)): only "
          + "\(name)s are independent, however many beacons or visits they have; \(advice)",
        value: test.deviation, pValue: test.pValue)
    }
    return [
      diagnostic(places, "place", "measure at more places"),
      diagnostic(poses, "pose", "measure in more poses"),
    ].compactMap(\.self)
  }
}

/// The mean residuals of readings that share everything, for an analysis of variance.
private struct SharedMeans {
  private struct Row {
    var station: Int
    var count = 0.0
    var x = 0.0
    var sums = Residuals.Sums()
    /// The inverse of the variance of the mean.
    var weight = 1.0
  }

  private let rows: [Row]
  /// The number of levels of the smaller factor above which a part of the readings is tested,
  /// because time grows with its cube.
  private static let most = 300

  /// - Parameter row: The number of each station's row, from 0.
  init?(_ residuals: Residuals, row: [Int]) {
    var rows: [Row] = []
    for (station, number) in row.enumerated() {
      if number == rows.count { rows.append(Row(station: station)) }
      let own = residuals.byStation[station]
      rows[number].sums.add(own)
      rows[number].x += own.count * logDistance(residuals.stations[station].distance)
    }
    guard rows.allSatisfy({ $0.sums.count > 0 }) else { return nil }
    let components = VarianceComponents(residuals.observations, residuals.byStation, cluster: row)
    for index in rows.indices {
      let count = rows[index].sums.count
      rows[index].x /= count
      let variance = components.map { $0.position + $0.packet / count } ?? 1
      rows[index].weight = variance > 0 ? 1 / variance : 1
    }
    self.rows = rows
  }

  /// Returns the F test of a factor of the stations, with free levels of another and one slope;
  /// `nil` if they cannot be separated.
  func test(_ factor: [Int], withLevelsOf levels: [Int]) -> PlaceEffects.Test? {
    let cells = thinned(
      rows.map { row in
        TwoWayFit.Cell(
          first: factor[row.station], second: levels[row.station], x: row.x, y: row.sums.mean,
          weight: row.weight)
      })
    guard let plain = TwoWayFit(cells.map { $0.withoutFirst }, most: .max),
      let full = TwoWayFit(cells, most: Self.most)
    else { return nil }
    let between = Double(full.rank - plain.rank)
    let within = Double(cells.count - full.rank)
    let (left, common) = (full.squares, plain.squares)
    guard between > 0, within > 1, left > 1e-12 * max(common, 1e-300) else { return nil }
    let statistic = max(common - left, 0) / between / (left / within)
    let shrinking = min(1, max(full.effectiveFactorLevels / between, 1 / between))
    let pValue = FDistribution(
      numerator: shrinking * between, denominator: max(shrinking * within, 1)
    )
    .above(statistic)
    let counts = Dictionary(grouping: cells, by: \.first).mapValues(\.count)
    let weight = cells.reduce(0) { $0 + $1.weight } / Double(cells.count)
    let typical =
      (Double(cells.count) - counts.values.reduce(0) { $0 + Double($1 * $1) } / Double(cells.count))
      / Double(counts.count - 1)
    let variance = max(statistic - 1, 0) * left / within / weight / max(typical, 1)
    return PlaceEffects.Test(
      count: counts.count, deviation: variance.squareRoot(), pValue: pValue)
  }

  /// Returns the cells of evenly chosen levels of the second factor, if both factors have many.
  private func thinned(_ cells: [TwoWayFit.Cell]) -> [TwoWayFit.Cell] {
    let second = numbered(cells.map(\.second))
    let count = (second.max() ?? 0) + 1
    guard count > Self.most, Set(cells.map(\.first)).count > Self.most else { return cells }
    // Neighbouring levels are those of one walk or link, which a fixed step would choose together.
    var random = SplitMix64(seed: 1)
    var chosen = Array(0..<count)
    for index in 0..<Self.most {
      chosen.swapAt(index, Int(random.next() % UInt64(count - index)) + index)
    }
    let kept = Set(chosen.prefix(Self.most))
    return zip(cells, second).filter { kept.contains($1) }.map(\.0)
  }
}
