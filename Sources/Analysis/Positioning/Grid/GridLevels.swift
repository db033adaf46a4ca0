import Geometry

/// The tables of all anchors on one grid, created on first use.
struct GridLevels {
  let grid: Grid
  private let map: RadioMap?
  /// The part of the map's variance, in dB², that is handled separately as common to all levels.
  private let commonVariance: Double
  /// The number of anchors in the map.
  private let mapped: Int
  private var anchors: [Anchor]
  private var tables: [CellLevels?]

  init(grid: Grid, anchors: [Anchor], map: RadioMap?, commonVariance: Double = 0) {
    self.grid = grid
    self.commonVariance = commonVariance
    self.anchors = anchors
    self.map = map
    mapped = anchors.count
    tables = [CellLevels?](repeating: nil, count: anchors.count)
  }

  /// Returns the index of the table for an observation, by its own path-loss constants.
  mutating func number(of observation: Observation) -> Int {
    let number = observation.number
    if anchors.indices.contains(number), anchors[number].hasConstants(of: observation) {
      return number
    }
    if let known = anchors.firstIndex(where: { $0.hasConstants(of: observation) }) { return known }
    anchors.append(
      Anchor(
        place: observation.anchor, heightDifference: observation.heightDifference,
        measuredPower: observation.measuredPower, exponent: observation.exponent,
        sigma: observation.sigma))
    tables.append(nil)
    return anchors.count - 1
  }

  /// Returns the table of an anchor.
  mutating func table(_ number: Int) -> CellLevels {
    if let table = tables[number] { return table }
    let table = CellLevels(
      anchors[number], number: number, on: grid, map: number < mapped ? map : nil,
      commonVariance: commonVariance)
    tables[number] = table
    return table
  }

  /// Adds the evidence of the number of packets received from each surveyed anchor, including none.
  mutating func addReceptions(
    _ observations: [(anchor: Int, packets: Double)], _ evidence: ReceptionEvidence,
    to costs: inout [Float]
  ) {
    evidence.forEachAnchor(observations) { number, table in
      guard number < mapped else { return }
      self.table(number).addReception(
        table, anchors[number], evidence.counts, packetVariance: evidence.packetVariance,
        to: &costs)
    }
  }
}

extension Anchor {
  fileprivate func hasConstants(of observation: Observation) -> Bool {
    place == observation.anchor && heightDifference == observation.heightDifference
      && measuredPower == observation.measuredPower && exponent == observation.exponent
      && sigma(ofMeanOf: observation.packets) == observation.sigma
  }
}
