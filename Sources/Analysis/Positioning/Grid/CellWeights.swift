import Geometry
import RealModule

/// The unnormalised probability of each cell of a grid.
struct CellWeights {
  var values: [Float]

  /// Creates the same weight for every open cell.
  init(flatOn grid: Grid) {
    values = []
    values.reserveCapacity(grid.count)
    for _ in 0..<grid.layers { values += grid.isOpen.map { $0 ? 1 : 0 } }
  }

  fileprivate func leastCost(_ costs: [Float]) -> Float {
    var least = Float.infinity
    for cell in values.indices where values[cell] > 0 { least = min(least, costs[cell]) }
    return least
  }

  /// Multiplies the weights by exp(least - cost) and returns their sum.
  fileprivate mutating func multiply(byExpOf least: Float, minus costs: [Float]) -> Double {
    var total = 0.0
    for cell in values.indices where values[cell] > 0 {
      let weight = values[cell] * Float.exp(least - costs[cell])
      values[cell] = weight
      total += Double(weight)
    }
    return total
  }

  fileprivate mutating func scale(by scale: Float) {
    for cell in values.indices {
      let weight = values[cell] * scale
      values[cell] = weight < 1e-30 ? 0 : weight
    }
  }

  /// Adds the weights to moments of the position.
  ///
  /// - Parameter other: Weights to multiply by, such as those of a smoother's backward pass.
  fileprivate func add(to moments: inout CellMoments, on grid: Grid, times other: CellWeights?) {
    let middle = grid.middle
    var cell = 0
    for layer in 0..<grid.layers {
      let z = Double(layer) - middle.layer
      for row in 0..<grid.rows {
        let y = Double(row) - middle.row
        for column in 0..<grid.columns {
          let weight = Double(values[cell]) * (other.map { Double($0.values[cell]) } ?? 1)
          if weight > 0 { moments.add(weight, Double(column) - middle.column, y, z) }
          cell += 1
        }
      }
    }
  }
}

/// The weights of the cells for each speed that a target may have.
extension [CellWeights] {
  /// Multiplies the weights by exp(-cost) and normalises them.
  ///
  /// Weights below 1e-30 of the total become 0, because they are below the resolution of the
  /// arithmetic.
  mutating func multiply(byExpOfMinus costs: [Float]) {
    let least = lazy.map { $0.leastCost(costs) }.min() ?? .infinity
    guard least.isFinite else { return }
    var total = 0.0
    for speed in indices { total += self[speed].multiply(byExpOf: least, minus: costs) }
    guard total > 0 else { return }
    for speed in indices { self[speed].scale(by: Float(1 / total)) }
  }

  /// Moves a share of the weights to the other speeds, so that each gets the same part of it.
  mutating func mixSpeeds(_ share: Float) {
    guard count > 1 else { return }
    let part = share / Float(count - 1)
    for cell in self[0].values.indices {
      let total = reduce(0) { $0 + $1.values[cell] }
      for speed in indices {
        let own = self[speed].values[cell]
        self[speed].values[cell] = own + part * (total - own) - share * own
      }
    }
  }

  /// Returns the mean and covariance of the position, including the size of a cell, or `nil` if all
  /// weights are 0.
  ///
  /// - Parameter other: Weights to multiply by, such as those of a smoother's backward pass.
  func estimate(on grid: Grid, times other: [CellWeights]? = nil) -> Estimate? {
    var moments = CellMoments()
    for speed in indices { self[speed].add(to: &moments, on: grid, times: other?[speed]) }
    guard moments.total > 0 else { return nil }
    let middle = grid.middle
    let n = 1 / moments.total
    let (x, y, z) = (moments.x * n, moments.y * n, moments.z * n)
    let (width, depth, height) = (grid.width, grid.depth, grid.height)
    var covariance = Covariance(
      xx: (moments.xx * n - x * x + 1 / 12) * width * width,
      xy: (moments.xy * n - x * y) * width * depth,
      yy: (moments.yy * n - y * y + 1 / 12) * depth * depth)
    if height > 0 {
      covariance.vertical = Covariance.Vertical(
        xz: (moments.xz * n - x * z) * width * height,
        yz: (moments.yz * n - y * z) * depth * height,
        zz: (moments.zz * n - z * z + 1 / 12) * height * height)
    }
    return Estimate(
      position: Point(
        x: grid.first.x + (middle.column + x) * width, y: grid.first.y + (middle.row + y) * depth),
      height: height > 0 ? grid.first.z + (middle.layer + z) * height : nil,
      uncertainty: .covariance(covariance))
  }
}

extension Grid {
  /// The middle in cells, the origin of ``CellMoments``.
  fileprivate var middle: (column: Double, row: Double, layer: Double) {
    (Double(columns - 1) / 2, Double(rows - 1) / 2, Double(layers - 1) / 2)
  }
}

/// Sums of weights and of products of coordinates, in cells from the middle of the grid, so that no
/// digits are lost.
private struct CellMoments {
  var total = 0.0, x = 0.0, y = 0.0, z = 0.0
  var xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0, zz = 0.0

  mutating func add(_ weight: Double, _ x: Double, _ y: Double, _ z: Double) {
    total += weight
    let (wx, wy, wz) = (weight * x, weight * y, weight * z)
    self.x += wx
    self.y += wy
    self.z += wz
    xx += wx * x
    xy += wx * y
    yy += wy * y
    xz += wx * z
    yz += wy * z
    zz += wz * z
  }
}
