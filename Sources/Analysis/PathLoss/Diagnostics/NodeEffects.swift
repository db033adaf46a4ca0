import NumericalMethods

extension Diagnostic {
  /// The difference between nodes in dB below which one curve suffices.
  private static let remarkableDifference = 3.0

  /// Returns diagnostics if receivers, or beacons, differ: if one phone receives everything 15 dB
  /// weaker than another, one curve fits neither.
  ///
  /// The F test of an offset per node, in a regression of the mean residual of each position on log
  /// distance: all readings of a position share its shadowing, so positions are the independent
  /// units. It is reported if p < 0.01 and nodes differ by at least 3 dB.
  static func nodeEffects(_ residuals: Residuals) -> [Diagnostic] {
    let receivers = residuals.stations.map(\.receiver)
    let beacons = residuals.stations.map(\.beacon)
    let byReceiver = nodeEffect(residuals, of: receivers, "receiver")
    // If each receiver has its own beacon, the two cannot be distinguished.
    let links = Set(zip(receivers, beacons).map { [$0, $1] }).count
    let isSame = links == Set(receivers).count && links == Set(beacons).count
    return [byReceiver, isSame ? nil : nodeEffect(residuals, of: beacons, "beacon")]
      .compactMap(\.self)
  }

  /// - Parameters:
  ///   - names: The name of the node of each station.
  ///   - kind: The kind of the nodes, for the code and the message.
  private static func nodeEffect(
    _ residuals: Residuals, of names: [String], _ kind: String
  ) -> Diagnostic? {
    let nodes = numbers(names)
    guard nodes.count > 1 else { return nil }
    let heard = NodePositions(residuals, nodes: names.compactMap { nodes[$0] }, count: nodes.count)
    guard let test = heard.offsets(parameters: residuals.observations.parameters) else {
      return nil
    }
    let known = test.offsets.indices.filter { !test.offsets[$0].isNaN }
    guard let low = known.min(by: { test.offsets[$0] < test.offsets[$1] }),
      let high = known.max(by: { test.offsets[$0] < test.offsets[$1] })
    else { return nil }
    let difference = test.offsets[high] - test.offsets[low]
    guard test.pValue < 0.01 else { return nil }
    guard difference >= remarkableDifference else {
      // Errors of five devices or more are clustered by device.
      guard nodes.count < CrossedClusters.fewestDevices else { return nil }
      return Diagnostic(
        "device-effects",
        "\(kind)s differ with a standard deviation of \(shown(test.deviation, 1)) dB, which their "
          + "readings share, so the intervals, above all those of distances, are too narrow: "
          + "fit each \(kind) separately, or use the model hierarchical",
        value: test.deviation, pValue: test.pValue)
    }
    func name(_ node: Int) -> String { nodes.first { $0.value == node }?.key ?? "" }
    let probability = test.pValue < 0.001 ? "p < 0.001" : "p = \(shown(test.pValue, 3))"
    let among = known.count > 2 ? "\(known.count) \(kind)s differ by up to" : "\(kind)s differ by"
    return Diagnostic(
      "\(kind)-effects",
      "\(among) \(shown(difference, 1)) dB at the same distance (\(name(high)) above \(name(low)), "
        + "F test over positions: \(probability)), so one curve fits none of them: fit each "
        + "\(kind) separately",
      value: difference, pValue: test.pValue)
  }
}

/// The mean residual and the mean log distance of each position, per node.
private struct NodePositions {
  /// Central moments over the positions of some nodes.
  private struct Moments {
    var count = 0.0
    var x = 0.0
    var y = 0.0
    var xx = 0.0
    var xy = 0.0
    var yy = 0.0

    mutating func add(_ x: Double, _ y: Double) {
      // Updating the mean loses no digits.
      count += 1
      let (dx, dy) = (x - self.x, y - self.y)
      self.x += dx / count
      self.y += dy / count
      xx += dx * (x - self.x)
      xy += dx * (y - self.y)
      yy += dy * (y - self.y)
    }
  }

  private var all = Moments()
  private var byNode: [Moments]

  /// - Parameters:
  ///   - nodes: The node of each station.
  ///   - count: The number of nodes.
  init(_ residuals: Residuals, nodes: [Int], count: Int) {
    byNode = [Moments](repeating: Moments(), count: count)
    // The order of the stations gives sums one order.
    var places: [[Int]: Int] = [:]
    var sums: [(node: Int, residuals: Residuals.Sums, x: Double)] = []
    for (station, node) in nodes.enumerated() {
      let key = [residuals.observations.cluster[station], node]
      let place = places[key] ?? sums.count
      if place == sums.count {
        places[key] = place
        sums.append((node, Residuals.Sums(), 0))
      }
      let own = residuals.byStation[station]
      sums[place].residuals.add(own)
      sums[place].x += own.count * logDistance(residuals.stations[station].distance)
    }
    let positions = sums.filter { $0.residuals.count > 0 }
    var heard = [Int](repeating: 0, count: count)
    for one in positions { heard[one.node] += 1 }
    // A node at one position has its own offset there, and carries no information.
    for one in positions where heard[one.node] > 1 {
      let x = one.x / one.residuals.count
      all.add(x, one.residuals.mean)
      byNode[one.node].add(x, one.residuals.mean)
    }
  }

  /// Returns the nodes' offsets about a common slope, in dB, with NaN for excluded nodes; the
  /// p-value of their differences; and their standard deviation by the method of moments, in dB.
  /// Returns `nil` if there are too few positions, or distances and nodes cannot be separated.
  ///
  /// - Parameter parameters: The number of parameters of the fit that left the residuals.
  func offsets(parameters: Int) -> (offsets: [Double], pValue: Double, deviation: Double)? {
    let known = byNode.filter { $0.count > 0 }
    let freedomBetween = Double(known.count - 1)
    let freedomWithin = all.count - Double(parameters) - freedomBetween
    guard freedomBetween > 0, freedomWithin >= 2 else { return nil }
    var within = Moments()
    for one in known {
      within.xx += one.xx
      within.xy += one.xy
      within.yy += one.yy
    }
    // A fit without an exponent has no slope that could absorb the offsets.
    let hasSlope = parameters > 1
    guard !hasSlope || within.xx > 1e-9 * max(all.xx, 1e-9) else { return nil }
    let slope = hasSlope ? within.xy / within.xx : 0
    let left = within.yy - slope * within.xy
    let common = all.yy - (hasSlope ? all.xy * all.xy / all.xx : 0)
    guard left > 1e-12 * max(all.yy, 1e-12) else { return nil }
    let statistic = max(common - left, 0) / freedomBetween / (left / freedomWithin)
    // The average number of positions per node, for unequal numbers in a one-way analysis of
    // variance.
    let typical =
      (all.count - known.reduce(0) { $0 + $1.count * $1.count } / all.count) / freedomBetween
    let variance = max(statistic - 1, 0) * left / freedomWithin / typical
    return (
      byNode.map { $0.count > 0 ? $0.y - slope * $0.x : .nan },
      FDistribution(numerator: freedomBetween, denominator: freedomWithin).above(statistic),
      variance.squareRoot()
    )
  }
}
