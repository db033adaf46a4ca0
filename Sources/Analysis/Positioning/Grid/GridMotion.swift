import Geometry
import RealModule

/// How a person's probability spreads over a grid with time: a walk of many short straight legs.
///
/// Each leg has a new direction, so that the variance of a coordinate grows by speed² × leg / 2 a
/// second. Probability goes from cell to neighbouring cell, never where a wall is between their
/// middles, nor out of the rooms; none is lost.
struct GridMotion {
  let grid: Grid
  /// How fast the target moves, in m/s.
  let speed: Double
  private let alongX: GridDiffusion, alongY: GridDiffusion, alongZ: GridDiffusion

  /// How long a leg lasts, in seconds: indoors few ways are straight for more than some metres.
  static let legDuration = 2.0

  /// How fast a target that moves in the plane changes its height, as a share of the speed.
  ///
  /// A hand or pocket goes up and down by some tenths of a metre while its owner walks some metres.
  static let climb = 0.1

  init(_ grid: Grid, speed: Double, walls: [Segment]) {
    self.grid = grid
    self.speed = speed
    let (passableX, passableY) = grid.passages(walls: walls)
    let (columns, rows, layers, area) = (grid.columns, grid.rows, grid.layers, grid.area)
    alongX = GridDiffusion(
      stride: 1, length: columns, lines: (0..<rows * layers).map { $0 * columns },
      passable: passableX, area: area)
    alongY = GridDiffusion(
      stride: columns, length: rows,
      lines: (0..<layers).flatMap { layer in (0..<columns).map { layer * area + $0 } },
      passable: passableY, area: area)
    alongZ = GridDiffusion(
      stride: area, length: layers, lines: Array(0..<area), passable: [], area: area)
  }

  /// The time between two steps, in seconds: in which the target walks through a cell.
  ///
  /// Shorter steps would distinguish no cells, longer ones take moving for noise.
  var stepDuration: Double {
    let cell = max(grid.width, grid.depth)
    return speed > 0 ? min(max(cell / speed, 0.05), 1) : 1
  }

  /// Lets the target move for a time.
  ///
  /// In small steps along x and y by turns, some of which make a Gaussian; a long time in sixteen
  /// large steps, so that a gap costs no more the longer it is.
  /// - Parameter backwards: takes the steps in the opposite order, for the way back of a smoother.
  func spread(_ weights: inout CellWeights, seconds: Double, backwards: Bool = false) {
    let variance = speed * speed * Self.legDuration / 2 * seconds
    guard variance > 0, variance.isFinite else { return }
    func rate(_ side: Double, _ count: Int) -> Double {
      count > 1 ? min(variance / (2 * side * side), 1e6) : 0
    }
    let (x, y) = (rate(grid.width, grid.columns), rate(grid.depth, grid.rows))
    let z = rate(grid.height, grid.layers) * Self.climb * Self.climb
    let steps = (4 * max(x, y, z)).rounded(.up)
    let isLong = steps > Self.mostSmallSteps
    let count = isLong ? Self.largeSteps : Int(max(steps, 1))
    let share = 1 / Double(count)
    func go(_ axis: GridDiffusion, _ rate: Double) {
      guard rate > 0 else { return }
      if isLong {
        axis.implicitStep(&weights.values, rate: Float(rate * share))
      } else {
        axis.step(&weights.values, rate: Float(rate * share))
      }
    }
    for _ in 0..<count {
      if !backwards { go(alongX, x) }
      go(alongY, y)
      if backwards { go(alongX, x) }
      go(alongZ, z)
    }
  }

  private static let mostSmallSteps = 64.0
  private static let largeSteps = 16
}
