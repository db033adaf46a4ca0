import Geometry
import RealModule

/// How a rectangle, with its heights, is divided into equal cells.
struct GridShape {
  /// How many cells there are along x, y and the height.
  let columns: Int, rows: Int, layers: Int
  /// The sides of a cell, in metres.
  let width: Double, depth: Double, height: Double
  /// The middle of the first cell.
  let first: SpacePoint
  /// Whether cells are larger than asked for, because there would have been too many.
  let isCoarse: Bool

  /// The most cells of any grid: those of 0.4 m on a site of 400 m by 400 m.
  ///
  /// A million cells take 12 MB for each anchor and 4 MB for each state that a smoother keeps.
  static let mostCells = 1_000_000.0

  /// - Parameters:
  ///   - heights: nil in the plane.
  ///   - largestCell: the longest side a cell is to have, in metres; ignored where cells would be
  ///     too many.
  ///
  /// Nil where the bounds are not finite.
  init?(_ bounds: Bounds, heights: ClosedRange<Double>?, largestCell: Double) {
    let sides = [
      bounds.maximum.x - bounds.minimum.x, bounds.maximum.y - bounds.minimum.y,
      heights.map { $0.upperBound - $0.lowerBound } ?? 0,
    ]
    guard sides.allSatisfy(\.isFinite),
      let side = Grid.side(sides[0], sides[1], height: sides[2], isSpace: heights != nil)
    else { return nil }
    isCoarse = Self.count(sides, min(side, largestCell)) > Self.mostCells
    var cell = isCoarse ? max(side, Self.leastSide(sides)) : min(side, largestCell)
    while Self.count(sides, cell) > Self.mostCells { cell *= 1.05 }
    (columns, width) = Self.divide(sides[0], by: cell)
    (rows, depth) = Self.divide(sides[1], by: cell)
    (layers, height) = heights == nil ? (1, 0) : Self.divide(sides[2], by: cell)
    first = SpacePoint(
      x: bounds.minimum.x + width / 2, y: bounds.minimum.y + depth / 2,
      z: (heights?.lowerBound ?? 0) + height / 2)
  }

  /// The side of a cell with which there are about the most cells, also where some sides are
  /// shorter than a cell.
  private static func leastSide(_ sides: [Double]) -> Double {
    let sides = sides.sorted(by: >)
    return max(
      sides[0] / mostCells, (sides[0] * sides[1] / mostCells).squareRoot(),
      Double.root(sides[0] * sides[1] * sides[2] / mostCells, 3))
  }

  private static func count(_ sides: [Double], _ cell: Double) -> Double {
    sides.reduce(1) { $0 * max(1, ($1 / cell).rounded(.toNearestOrAwayFromZero)) }
  }

  /// Divides a length into equal parts of about a side; a length of 0 is one part.
  private static func divide(_ length: Double, by side: Double) -> (count: Int, side: Double) {
    let count = max(1, Int((length / side).rounded(.toNearestOrAwayFromZero)))
    return (count, length / Double(count))
  }
}
