package import Geometry
import RealModule
import Support

/// Square cells of a floor, row by row from the lower left.
package struct CellGrid: Sendable {
  /// The lower left corner of the first cell.
  package let origin: Point
  /// The side of a cell, in metres.
  package let cell: Double
  package let columns: Int
  package let rows: Int

  package init(origin: Point, cell: Double, columns: Int, rows: Int) {
    (self.origin, self.cell, self.columns, self.rows) = (origin, cell, columns, rows)
  }

  /// The number of cells.
  package var count: Int { columns * rows }

  /// The centres of the cells.
  package var places: [Point] {
    (0..<rows).flatMap { row in
      (0..<columns).map { column in
        Point(
          x: origin.x + (Double(column) + 0.5) * cell, y: origin.y + (Double(row) + 0.5) * cell)
      }
    }
  }
}

/// A radio map over a floor, cell by cell, for pictures and for planning further surveys.
///
/// All arrays of cells are row by row from the lower left corner. An anchor is known in a cell if
/// the survey explains at least a quarter of the variance of its shadowing there, which is so up to
/// about ``LevelVariation/length`` from the nearest surveyed place, or if the shadowing is too weak
/// to matter: less than half of the variance of an epoch's level.
///
/// ```swift
/// let raster = RadioMapRaster(map, anchors, over: bounds)
/// let errors = raster.expectedErrors(in: surroundings)
/// print(errors.filter(\.isFinite).max() ?? .nan, "m")
/// ```
package struct RadioMapRaster: Sendable {
  /// The raster of one anchor.
  package struct Layer: Sendable {
    /// The expected level, in dBm.
    package var level: [Double] = []
    /// The standard deviation of an epoch's level about it, in dB.
    package var deviation: [Double] = []
    /// The share of the shadowing's variance that the survey explains, from 0 to 1.
    package var explained: [Double] = []
    /// The posterior variance of the shadowing and the anchor's offset, in dB².
    var open: [Double] = []

    /// Returns a Boolean value that is true if the survey explains enough in a cell.
    package func isKnown(_ cell: Int) -> Bool {
      explained[cell] >= RadioMapRaster.leastExplained
        || 2 * open[cell] <= deviation[cell] * deviation[cell]
    }

    /// Returns values of the cells, NaN where the anchor is not known.
    package func known(_ values: [Double]) -> [Double] {
      values.indices.map { isKnown($0) ? values[$0] : .nan }
    }
  }

  /// The share of the variance that the survey must explain in a cell.
  package static let leastExplained = 0.25

  package let grid: CellGrid
  /// The rasters by anchor; `nil` for anchors that the survey did not receive.
  package private(set) var layers: [Layer?]
  /// The expected number of received anchors. An anchor counts if at least one of as many packets
  /// as in a typical level of the survey is received (``ReceptionCounts``), or one within a second
  /// (``Anchor/Reception``). NaN in all cells if neither is known.
  package private(set) var received: [Double] = []
  let map: RadioMap
  private var variation: LevelVariation { map.variation }

  package static let mostCells = 2500

  /// Creates the raster on all cores, in O(anchors × cells × n²) for n surveyed places of an
  /// anchor.
  ///
  /// - Parameters:
  ///   - anchors: The anchors of the map.
  ///   - bounds: The floor.
  ///   - mostCells: The largest number of cells.
  package init(
    _ map: RadioMap, _ anchors: [Anchor], over bounds: Bounds, mostCells: Int = mostCells
  ) {
    let (width, depth) = (
      bounds.maximum.x - bounds.minimum.x, bounds.maximum.y - bounds.minimum.y
    )
    let cell = Self.cell(width, depth, mostCells)
    let (columns, rows) = (Self.count(width, cell), Self.count(depth, cell))
    grid = CellGrid(origin: bounds.minimum, cell: cell, columns: columns, rows: rows)
    self.map = map
    let places = grid.places
    let surveyed = Set(map.surveyed)
    layers = parallel(anchors.count) { number in
      surveyed.contains(number)
        ? Self.layer(map, number, anchors[number], places) : nil
    }
    received = places.indices.map { expectedReceptions(anchors, at: $0) }
  }

  private static func count(_ length: Double, _ cell: Double) -> Int {
    max(1, Int((length / cell - 1e-9).rounded(.up)))
  }

  /// Returns the smallest round side that keeps the number of cells below a limit.
  private static func cell(_ width: Double, _ depth: Double, _ most: Int) -> Double {
    var power = 0.1
    while true {
      for factor in [1.0, 2, 5] {
        let side = factor * power
        if count(width, side) * count(depth, side) <= most { return side }
      }
      power *= 10
    }
  }

  private static func layer(
    _ map: RadioMap, _ number: Int, _ anchor: Anchor, _ places: [Point]
  ) -> Layer {
    var layer = Layer()
    let spread = map.variation.spread * map.variation.spread
    for place in places {
      let (offset, sigma) = map.correction(anchor: number, at: place)
      let open = max(
        map.shadowing(anchor: number, at: place).variance - map.variation.noiseOfPlaces, 0)
      layer.open.append(open)
      layer.explained.append(max(1 - open / spread, 0))
      layer.level.append(anchor.expectedLevel(at: place, height: 0) + offset)
      layer.deviation.append(sigma)
    }
    return layer
  }

  /// Returns the probability that an anchor is received at a cell: from as many packets as a
  /// typical place of the survey has, or within a second; `nil` if neither is known.
  package func reception(_ number: Int, _ anchor: Anchor, at index: Int) -> Double? {
    guard let layer = layers[number], layer.isKnown(index) else { return nil }
    let (level, deviation) = (layer.level[index], layer.deviation[index])
    if let counts = map.reception.byMap {
      let packet = variation.packetNoise * variation.packetNoise / map.packets
      return -Double.expMinusOne(
        counts.logProbability(
          of: ReceptionCounts.Count(
            level: level, variance: max(deviation * deviation - packet, 0), received: 0,
            sent: map.reception.packets)))
    }
    guard let reception = anchor.reception else { return nil }
    return -Double.expMinusOne(
      reception.logSilence(level: level, sigma: deviation, seconds: 1))
  }

  private func expectedReceptions(
    _ anchors: [Anchor], at index: Int
  ) -> Double {
    let known = anchors.enumerated().compactMap { reception($0, $1, at: index) }
    return known.isEmpty ? .nan : known.reduce(0, +)
  }

  /// Returns the expected error of a position in each cell, in metres, NaN where no anchor is known:
  /// the root mean square error of `gaussian-process` for simulated scans, see ``SimulatedErrors``.
  ///
  /// - Parameters:
  ///   - surroundings: The site; its anchors are those of the raster, and its map is not used.
  ///   - done: A closure that receives the number of completed cells.
  package func expectedErrors(
    in surroundings: Surroundings, done: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> [Double] {
    SimulatedErrors(self, surroundings).all(done: done)
  }

  /// Returns the places to survey next, the most informative first.
  ///
  /// Each place maximises the reduction of the variance of the shadowing of all anchors in all
  /// cells, given those chosen before. The covariance of two places is that of ``LevelVariation``,
  /// and the survey's own part is taken to be the same for both. Greedy sensor placement: Krause,
  /// Singh and Guestrin, "Near-optimal sensor placements in Gaussian processes", JMLR 9 (2008).
  /// O(places × cells²).
  ///
  /// - Parameter allowed: A predicate that is true for accessible places.
  package func proposals(
    _ count: Int, allowed: (Point) -> Bool = { _ in true }
  ) -> [Point] {
    let places = grid.places
    let candidates = places.indices.filter { allowed(places[$0]) }
    // The variance is summed over anchors, because a place is surveyed for all of them at once.
    var open = candidates.map { index in
      layers.reduce(0) { $0 + ($1?.open[index] ?? 0) }
    }
    let anchors = Double(max(layers.count { $0 != nil }, 1))
    let noise = anchors * variation.noise(packets: 10)
    var chosen: [Point] = []
    let full = variation.spread * variation.spread
    for _ in 0..<count {
      let sizes = open
      let gains = parallel(candidates.count) { [variation] candidate -> Double in
        let here = places[candidates[candidate]]
        let share = sizes[candidate] / (sizes[candidate] + noise)
        return candidates.indices.reduce(0) { sum, other in
          let common = variation.covariance(here, places[candidates[other]]) / full
          return sum + sizes[other] * common * common * share
        }
      }
      guard let best = gains.indices.max(by: { gains[$0] < gains[$1] }), gains[best] > 0 else {
        break
      }
      let here = places[candidates[best]]
      chosen.append(here)
      let share = open[best] / (open[best] + noise)
      for other in candidates.indices {
        let common = variation.covariance(here, places[candidates[other]]) / full
        open[other] *= 1 - common * common * share
      }
    }
    return chosen
  }
}
