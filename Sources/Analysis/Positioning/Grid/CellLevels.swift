import Geometry
import RealModule

/// The expected level of one anchor in each cell of a grid.
///
/// Levels are stored as logarithms of distances, between -21 and 21 for all plausible values: a
/// level is the logarithm of its slant range, with standard deviation σ ln10 / 10 n.
struct CellLevels {
  /// The logarithm of the distance at which the path-loss curve has the cell's expected level.
  let logDistance: [Float]
  /// Half the inverse variance of a level's logarithmic range about the expected one.
  let halfPrecision: [Float]
  /// Half the logarithm of that variance relative to the map's typical one; empty without a map,
  /// because the variance then differs between cells only by the size of the cell.
  let halfLogVariance: [Float]
  /// The probability that a level in the cell is strong enough to be received; empty if reception
  /// is unknown.
  let audible: [Float]
  /// The share of one packet's variance that packets of one place have in common; `nil` if neither
  /// a map nor the calibration gives it.
  let commonShare: Double?

  /// - Parameters:
  ///   - map: The radio map of a survey.
  ///   - number: The anchor's index in the map.
  ///   - commonVariance: The variance common to all levels, in dB², which is excluded.
  init(
    _ anchor: Anchor, number: Int, on grid: Grid, map: RadioMap?, commonVariance: Double = 0
  ) {
    let perDecibel = Double.log(10) / (10 * anchor.exponent)
    let variance = anchor.sigma * perDecibel * anchor.sigma * perDecibel
    let mapped = map.map { MappedLevels($0, anchor: number, on: grid) }
    var (common, all) = (0.0, 0.0)
    // A cell's mean squared distance from its centre, and the variance of a coordinate in it.
    let (xx, yy, zz) = (
      grid.width * grid.width / 12, grid.depth * grid.depth / 12, grid.height * grid.height / 12
    )
    let inside = xx + yy + zz
    var (logDistance, halfPrecision, audible) = ([Float](), [Float](), [Float]())
    var halfLogVariance: [Float] = []
    let typical = map.map {
      $0.variation.packetNoise * $0.variation.packetNoise + $0.typicalVariance(anchor: number)
        - commonVariance
    }
    logDistance.reserveCapacity(grid.count)
    halfPrecision.reserveCapacity(grid.count)
    if anchor.reception != nil { audible.reserveCapacity(grid.count) }
    for layer in 0..<grid.layers {
      let dz = grid.height(ofLayer: layer) - anchor.heightDifference
      for row in 0..<grid.rows {
        for column in 0..<grid.columns {
          let place = grid.place(column: column, row: row)
          let (dx, dy) = (place.x - anchor.place.x, place.y - anchor.place.y)
          let squared = max(dx * dx + dy * dy + dz * dz + inside, 1e-18)
          // The variance of the logarithm inside the cell; in the anchor's own cell, that of a
          // disc's radius.
          let varied =
            (dx * dx * xx + dy * dy * yy + dz * dz * zz + inside * inside / 4) / (squared * squared)
          let cell = row * grid.columns + column
          var (shift, spread) = (0.0, variance)
          if let mapped {
            let shared = mapped.commonVariance[cell] - commonVariance
            let levelVariance = shared + mapped.packetVariance
            common += shared
            all += levelVariance
            shift = mapped.offset[cell] * perDecibel
            spread = levelVariance * perDecibel * perDecibel
          }
          if let typical {
            let ratio = (spread + varied) / (typical * perDecibel * perDecibel)
            halfLogVariance.append(Float(0.5 * Double.log(ratio)))
          }
          let expected = Double.log(squared) / 2 - shift
          logDistance.append(Float(expected))
          halfPrecision.append(Float(0.5 / (spread + varied)))
          if let reception = anchor.reception {
            let level = anchor.measuredPower - expected / perDecibel
            let score = (level - reception.sensitivity) / anchor.sigma
            audible.append(Float(0.5 * Double.erfc(-score / 2.0.squareRoot())))
          }
        }
      }
    }
    self.logDistance = logDistance
    self.halfPrecision = halfPrecision
    self.halfLogVariance = halfLogVariance
    self.audible = audible
    commonShare = all > 0 ? common / all : anchor.commonShare
  }

  /// Adds the cost of a level to each cell: weight × min(e², limit) / 2, with e in standard
  /// deviations.
  ///
  /// In a map the variance v differs between cells, and the density of the level has the factor 1 /
  /// √v: the cost is min(e² + ln v, limit + ln v₀) / 2, with v₀ the map's typical variance, so that
  /// an outlier carries the same information in every cell.
  func add(logRange: Float, weight: Float, halfLimit: Float, to costs: inout [Float]) {
    if !halfLogVariance.isEmpty {
      // A mean of several packets is one level of the place.
      let normaliser = min(weight, 1)
      let limit = weight * halfLimit
      for cell in costs.indices {
        let difference = logRange - logDistance[cell]
        let cost =
          weight * difference * difference * halfPrecision[cell]
          + normaliser * halfLogVariance[cell]
        costs[cell] += min(cost, limit)
      }
      return
    }
    for cell in costs.indices {
      let difference = logRange - logDistance[cell]
      let cost = min(difference * difference * halfPrecision[cell], halfLimit)
      costs[cell] += weight * cost
    }
  }

  /// Adds the cost of receiving some of the packets sent to each cell.
  ///
  /// - Parameters:
  ///   - table: The costs by the distance of the cell's expected level from the middle of the
  ///     reception curve.
  ///   - packetVariance: The variance of one packet in dB², if a map has the level's variance in
  ///     each cell; `nil` if the width includes it.
  func addReception(
    _ table: ReceptionCosts, _ anchor: Anchor, _ counts: ReceptionCounts, packetVariance: Double?,
    to costs: inout [Float]
  ) {
    let decibels = Float(10 * anchor.exponent / Double.log(10))
    let above = Float(anchor.measuredPower - counts.middle)
    let ownSquared = Float(counts.width * counts.width)
    for cell in costs.indices {
      var squared = ownSquared
      if let packetVariance {
        let variance = 0.5 / halfPrecision[cell] * decibels * decibels - Float(packetVariance)
        squared += .pi / 8 * max(variance, 0)
      }
      costs[cell] += table.cost(
        atScore: (above - decibels * logDistance[cell]) / squared.squareRoot())
    }
  }

  /// Adds the cost of silence to each cell.
  ///
  /// The level, which packets of one place share, is strong enough with the probability `audible`,
  /// and then all packets are lost only with the probability `lost`; otherwise nothing is ever
  /// received. The probability of silence is 1 - audible (1 - lost).
  func addSilence(lost: Float, weight: Float, halfLimit: Float, to costs: inout [Float]) {
    guard !audible.isEmpty else { return }
    for cell in costs.indices {
      let probability = 1 - audible[cell] * (1 - lost)
      let cost = probability > 0 ? min(-Float.log(probability), halfLimit) : halfLimit
      costs[cell] += weight * cost
    }
  }
}

/// The radio map of one anchor in each cell of a grid's plane.
///
/// Evaluated at spacings of a third of the map's correlation length, at most 0.75 m, over which it
/// changes little, and interpolated.
struct MappedLevels {
  /// The correction to the path-loss curve, in dB.
  private(set) var offset: [Double] = []
  /// The variance that packets of one place share, in dB².
  private(set) var commonVariance: [Double] = []
  /// The variance of one packet about that, in dB².
  let packetVariance: Double

  init(_ map: RadioMap, anchor: Int, on grid: Grid) {
    packetVariance = map.variation.packetNoise * map.variation.packetNoise
    let stepX = Self.stride(grid.width, map)
    let stepY = Self.stride(grid.depth, map)
    let columns = (grid.columns - 1 + stepX - 1) / stepX + 1
    let rows = (grid.rows - 1 + stepY - 1) / stepY + 1
    var known: [(offset: Double, variance: Double)] = []
    known.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        known.append(
          map.shadowing(anchor: anchor, at: grid.place(column: column * stepX, row: row * stepY)))
      }
    }
    offset.reserveCapacity(grid.area)
    commonVariance.reserveCapacity(grid.area)
    for row in 0..<grid.rows {
      let (low, v) = (row / stepY, Double(row % stepY) / Double(stepY))
      let high = min(low + 1, rows - 1)
      for column in 0..<grid.columns {
        let (left, u) = (column / stepX, Double(column % stepX) / Double(stepX))
        let right = min(left + 1, columns - 1)
        let (a, b) = (known[low * columns + left], known[low * columns + right])
        let (c, d) = (known[high * columns + left], known[high * columns + right])
        func between(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
          (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d)
        }
        offset.append(between(a.offset, b.offset, c.offset, d.offset))
        commonVariance.append(between(a.variance, b.variance, c.variance, d.variance))
      }
    }
  }

  private static func stride(_ side: Double, _ map: RadioMap) -> Int {
    guard side > 0 else { return 1 }
    let cells = min(map.variation.length / 3, 0.75) / side
    return cells.isFinite ? Int(min(max(cells.rounded(.toNearestOrAwayFromZero), 1), 1000)) : 1
  }
}
