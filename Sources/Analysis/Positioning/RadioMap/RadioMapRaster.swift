package import Geometry
import RealModule
import Support

/// A radio map over a floor, cell by cell, for pictures and for planning further surveys.
///
/// All arrays of cells are row by row from the lower left corner. A value is NaN if the survey
/// carries too little information, which is less than a quarter of the variance of an anchor's
/// shadowing, as farther than about ``LevelVariation/length`` from all surveyed places.
///
/// ```swift
/// let raster = RadioMapRaster(map, anchors, over: bounds)
/// print(raster.error.filter(\.isFinite).max() ?? .nan, "m")
/// ```
package struct RadioMapRaster: Sendable {
  /// The raster of one anchor.
  package struct Layer: Sendable {
    /// The expected level, in dBm.
    package var level: [Double] = []
    /// The standard deviation of an epoch's level about it, in dB.
    package var deviation: [Double] = []
    /// The posterior variance of the shadowing in every cell, in dB².
    var open: [Double] = []
  }

  /// The lower left corner of the first cell.
  package let origin: Point
  /// The side of a cell, in metres.
  package let cell: Double
  package let columns: Int
  package let rows: Int
  /// The rasters by anchor; `nil` for anchors that the survey did not receive.
  package private(set) var layers: [Layer?]
  /// The expected number of received anchors. An anchor counts if at least one of as many packets
  /// as in a typical level of the survey is received (``ReceptionCounts``), or one within a second
  /// (``Anchor/Reception``). NaN in all cells if neither is known.
  package private(set) var received: [Double] = []
  /// The best achievable root mean square error of a position from one epoch, in metres.
  package private(set) var error: [Double] = []
  private let variation: LevelVariation

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
    (self.cell, self.columns, self.rows, origin) = (cell, columns, rows, bounds.minimum)
    variation = map.variation
    let places = Self.places(bounds.minimum, cell, columns, rows)
    let surveyed = Set(map.surveyed)
    layers = parallel(anchors.count) { number in
      surveyed.contains(number)
        ? Self.layer(map, number, anchors[number], places) : nil
    }
    received = places.indices.map { expectedReceptions(map, anchors, at: $0) }
    error = places.indices.map { leastError(map, anchors, at: $0) }
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

  private static func places(
    _ origin: Point, _ cell: Double, _ columns: Int, _ rows: Int
  ) -> [Point] {
    (0..<rows).flatMap { row in
      (0..<columns).map { column in
        Point(
          x: origin.x + (Double(column) + 0.5) * cell, y: origin.y + (Double(row) + 0.5) * cell)
      }
    }
  }

  /// The centres of the cells.
  package var places: [Point] { Self.places(origin, cell, columns, rows) }

  private static func layer(
    _ map: RadioMap, _ number: Int, _ anchor: Anchor, _ places: [Point]
  ) -> Layer {
    var layer = Layer()
    let most = 0.75 * map.variation.spread * map.variation.spread
    for place in places {
      let (offset, sigma) = map.correction(anchor: number, at: place)
      let open = max(
        map.shadowing(anchor: number, at: place).variance - map.variation.noiseOfPlaces, 0)
      layer.open.append(open)
      layer.level.append(
        open <= most ? anchor.expectedLevel(at: place, height: 0) + offset : .nan)
      layer.deviation.append(open <= most ? sigma : .nan)
    }
    return layer
  }

  /// Returns the probability that an anchor is received at a cell: from as many packets as a
  /// typical place of the survey has, or within a second; `nil` if neither is known.
  private func reception(
    _ map: RadioMap, _ number: Int, _ anchor: Anchor, at index: Int
  ) -> Double? {
    guard let layer = layers[number], layer.level[index].isFinite else { return nil }
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
    _ map: RadioMap, _ anchors: [Anchor], at index: Int
  ) -> Double {
    let known = anchors.enumerated().compactMap { reception(map, $0, $1, at: index) }
    return known.isEmpty ? .nan : known.reduce(0, +)
  }

  /// Returns the Cramér–Rao bound from the slopes of the expected levels, as a length.
  ///
  /// F = Σ p g gᵀ / s² less the information lost to an error common to all levels, of variance c
  /// (Schur complement): g is the gradient of a level, s² its variance less c, p the probability of
  /// its reception. Like ``cramerRaoBound(_:at:height:offset:prior:)``, with the map's slopes in
  /// place of the curves', times ``RadioMap/dispersion``.
  private func leastError(_ map: RadioMap, _ anchors: [Anchor], at index: Int) -> Double {
    var information = Covariance(xx: 0, xy: 0, yy: 0)
    var (crossX, crossY) = (0.0, 0.0)
    var common = map.commonVariance > 0 ? 1 / map.commonVariance : .infinity
    for (number, anchor) in anchors.enumerated() {
      guard let layer = layers[number], layer.level[index].isFinite,
        let slope = slope(layer.level, at: index)
      else { continue }
      let variance = max(
        layer.deviation[index] * layer.deviation[index] - map.commonVariance, 1e-6)
      let weight = (reception(map, number, anchor, at: index) ?? 1) / variance
      information.xx += weight * slope.x * slope.x
      information.xy += weight * slope.x * slope.y
      information.yy += weight * slope.y * slope.y
      crossX += weight * slope.x
      crossY += weight * slope.y
      common += weight
    }
    information.xx -= crossX * crossX / common
    information.xy -= crossX * crossY / common
    information.yy -= crossY * crossY / common
    let determinant = information.xx * information.yy - information.xy * information.xy
    guard determinant > 1e-9 * information.xx * information.yy, determinant > 0 else {
      return .nan
    }
    return (map.dispersion * (information.xx + information.yy) / determinant).squareRoot()
  }

  /// Returns the gradient of a cell's value per metre, from its neighbours; `nil` if they are
  /// unknown.
  private func slope(_ numbers: [Double], at index: Int) -> Point? {
    func difference(_ low: Int?, _ high: Int?) -> Double? {
      let (a, b) = (low.map { numbers[$0] }, high.map { numbers[$0] })
      let here = numbers[index]
      switch (a.flatMap { $0.isFinite ? $0 : nil }, b.flatMap { $0.isFinite ? $0 : nil }) {
      case (let a?, let b?): return (b - a) / (2 * cell)
      case (let a?, nil): return (here - a) / cell
      case (nil, let b?): return (b - here) / cell
      case (nil, nil): return nil
      }
    }
    let (row, column) = (index / columns, index % columns)
    guard
      let x = difference(
        column > 0 ? index - 1 : nil, column < columns - 1 ? index + 1 : nil),
      let y = difference(row > 0 ? index - columns : nil, row < rows - 1 ? index + columns : nil)
    else { return nil }
    return Point(x: x, y: y)
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
    let places = places
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
