import RealModule

/// What a radio map states of one anchor in each cell of a grid's plane.
///
/// Asked at places a third of the map's length apart, and 0.75 m at most, where it changes little,
/// and interpolated between.
struct MappedLevels {
  /// What is to be added to the path-loss curve, in dB.
  private(set) var offset: [Double] = []
  /// The variance in dB² of what packets of one place share.
  private(set) var commonVariance: [Double] = []
  /// The variance in dB² of one packet about that.
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
