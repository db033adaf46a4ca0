import Geometry
import RealModule

/// The rates of packets in the cells of a floor, by anchor, smoothed from a survey.
///
/// With the packets n and the seconds e of each cell, a Gaussian kernel K over `near` and a wide one
/// W over `far` metres, the rate of an anchor in a cell is
///
///     w = (Σ W n + g) / (Σ W e + s),   λ = (Σ K n + s w) / (Σ K e + s) + least
///
/// where g / s is the anchor's mean rate on the floor, and s some seconds of belief. Each line is the
/// mean of a gamma distribution after counts, whose prior has the mean of the line before.
///
/// Source: Gelman et al., "Bayesian data analysis", 2013, section 2.6, for rates of counts.
struct FloorRates {
  /// The standard deviations of the kernels, in metres, and the weight of a prior, in seconds.
  static let (near, far, belief) = (5.0, 15.0, 3.0)
  /// The rate of an anchor outside of its reach, in packets per second: beacons are moved, and
  /// switched on after the survey.
  static let least: Float = 1e-4

  /// The number of the floor's first cell.
  private let first: Int
  /// The time spent near each cell, with each kernel.
  private let nearSeconds: [Float], farSeconds: [Float]
  private let total: Double
  private let side: Double

  /// - Parameters:
  ///   - seconds: The time spent in each cell of the building.
  ///   - lattice: The floor.
  init(seconds: [Float], on lattice: FloorCells.Lattice, side: Double) {
    self.side = side
    first = lattice.first
    nearSeconds = Self.density(of: seconds, deviation: Self.near, on: lattice, side: side)
    farSeconds = Self.density(of: seconds, deviation: Self.far, on: lattice, side: side)
    total = lattice.cells.reduce(0) { $0 + Double(seconds[$1]) }
  }

  /// Returns the time spent near each cell of a floor, weighted by a Gaussian of the distance.
  ///
  /// - Parameter deviation: The standard deviation of the Gaussian, in metres.
  static func density(
    of seconds: [Float], deviation: Double, on lattice: FloorCells.Lattice, side: Double
  ) -> [Float] {
    let visited = lattice.cells.filter { seconds[$0] > 0 }.map {
      (cell: $0, count: Double(seconds[$0]))
    }
    return PatchSums(visited, in: CellPatch(of: lattice), deviation: deviation / side).sums
  }

  /// Returns the rates of an anchor in the cells of a patch.
  func rates(_ packets: [(cell: Int, count: Double)], in patch: CellPatch) -> [Float] {
    let near = PatchSums(packets, in: patch, deviation: Self.near / side)
    let far = PatchSums(packets, in: patch, deviation: Self.far / side)
    let prior = Float(
      Self.belief * packets.reduce(0) { $0 + $1.count } / Swift.max(total, Self.belief))
    let belief = Float(Self.belief)
    var rates: [Float] = []
    rates.reserveCapacity(patch.count)
    patch.forEachRow { first, row in
      for column in 0..<patch.columns {
        let (index, cell) = (row * patch.columns + column, first + column)
        let whole = cell - self.first
        let wide = (far.sums[index] + prior) / (farSeconds[whole] + belief)
        rates.append(
          (near.sums[index] + belief * wide) / (nearSeconds[whole] + belief) + Self.least)
      }
    }
    return rates
  }
}

/// A rectangle of cells of a floor.
struct CellPatch: Sendable {
  /// The number of its first cell in the building.
  let first: Int
  let columns: Int
  let rows: Int
  /// The number of cells from a row to the next.
  let stride: Int
  private let lattice: FloorCells.Lattice

  var count: Int { columns * rows }

  /// Creates the patch of a whole floor.
  init(of lattice: FloorCells.Lattice) {
    self.lattice = lattice
    (first, columns, rows, stride) = (
      lattice.first, lattice.columns, lattice.rows, lattice.columns
    )
  }

  /// Creates the rectangle around cells of a floor with a margin in cells.
  ///
  /// - Precondition: there is a cell.
  init(around cells: some Sequence<Int>, margin: Int, of lattice: FloorCells.Lattice) {
    self.lattice = lattice
    var (left, right, bottom, top) = (Int.max, Int.min, Int.max, Int.min)
    for cell in cells {
      let (row, column) = (cell - lattice.first).quotientAndRemainder(dividingBy: lattice.columns)
      (left, right) = (min(left, column), max(right, column))
      (bottom, top) = (min(bottom, row), max(top, row))
    }
    (left, bottom) = (max(left - margin, 0), max(bottom - margin, 0))
    (right, top) = (min(right + margin, lattice.columns - 1), min(top + margin, lattice.rows - 1))
    (first, columns, rows, stride) = (
      lattice.first + bottom * lattice.columns + left, right - left + 1, top - bottom + 1,
      lattice.columns
    )
  }

  /// Calls a closure with the number of the first cell of each row.
  @inline(__always)
  func forEachRow(_ body: (_ first: Int, _ row: Int) -> Void) {
    for row in 0..<rows { body(first + row * stride, row) }
  }

  /// Returns the column and the row in the patch of a cell of the floor; they may be outside of it.
  func position(of cell: Int) -> (column: Int, row: Int) {
    let (row, column) = (cell - lattice.first).quotientAndRemainder(dividingBy: stride)
    let (bottom, left) = (first - lattice.first).quotientAndRemainder(dividingBy: stride)
    return (column - left, row - bottom)
  }
}

/// The sums of counts in cells of a floor, weighted by a Gaussian of the distance, in a patch.
private struct PatchSums {
  let patch: CellPatch
  private(set) var sums: [Float]

  /// - Parameter deviation: The standard deviation of the Gaussian, in cells.
  init(_ counts: [(cell: Int, count: Double)], in patch: CellPatch, deviation: Double) {
    self.patch = patch
    let reach = Int((3.5 * deviation).rounded(.up))
    let kernel = (0...reach).map {
      Float(Double.exp(-0.5 * Double($0 * $0) / (deviation * deviation)))
    }
    // A Gaussian is the product of one along rows and one along columns.
    var lines: [Int: [Float]] = [:]
    for (cell, count) in counts {
      let (column, row) = patch.position(of: cell)
      var line = lines[row] ?? [Float](repeating: 0, count: patch.columns)
      let near = (column - reach..<column + reach + 1).clamped(to: 0..<patch.columns)
      for other in near { line[other] += Float(count) * kernel[abs(other - column)] }
      lines[row] = line
    }
    sums = [Float](repeating: 0, count: patch.count)
    for (row, line) in lines.sorted(by: { $0.key < $1.key }) {
      for other in (row - reach..<row + reach + 1).clamped(to: 0..<patch.rows) {
        let weight = kernel[abs(other - row)]
        for column in 0..<patch.columns {
          sums[other * patch.columns + column] += weight * line[column]
        }
      }
    }
  }
}
