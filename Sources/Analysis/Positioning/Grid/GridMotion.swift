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

/// Lets weights diffuse along one axis of a grid, where there is a way from cell to cell.
struct GridDiffusion {
  /// From a cell to the next along the axis.
  let stride: Int
  /// Cells along the axis, and the first cell of each line.
  let length: Int
  let lines: [Int]
  /// For each cell of a plane 1 where there is a way to the next, else 0; empty = always.
  let passable: [Float]
  /// The cells of a plane: passages are the same in every layer.
  let area: Int

  /// A step in which each cell gives its neighbours a share of what it has more than they.
  ///
  /// Adds 2 × rate squared cells to the variance; a rate of 1/4 is the kernel [1/4, 1/2, 1/4].
  func step(_ p: inout [Float], rate: Float) {
    for line in lines {
      let plane = line % area
      var before: Float = 0
      var here = p[line]
      for number in 0..<length - 1 {
        let offset = number * stride
        let next = p[line + offset + stride]
        let way = passable.isEmpty ? 1 : passable[plane + offset]
        let flow = rate * way * (next - here)
        p[line + offset] = here + flow - before
        before = flow
        here = next
      }
      p[line + (length - 1) * stride] = here - before
    }
  }

  /// A step of any size: solves (1 - rate ∂²) p' = p along each line, which keeps all weights
  /// positive and their sum.
  ///
  /// Thomas's algorithm; adds 2 × rate squared cells to the variance, with longer tails than a
  /// Gaussian.
  func implicitStep(_ p: inout [Float], rate: Float) {
    var above = [Float](repeating: 0, count: length)
    for line in lines {
      let plane = line % area
      var before: Float = 0
      for number in 0..<length {
        let offset = number * stride
        let isLast = number == length - 1
        let after: Float = isLast ? 0 : rate * (passable.isEmpty ? 1 : passable[plane + offset])
        // Row of the system: -before p[i-1] + (1 + before + after) p[i] - after p[i+1].
        let eliminated = number > 0 ? before * above[number - 1] : 0
        let pivot = 1 + before + after - eliminated
        above[number] = after / pivot
        let known = number > 0 ? before * p[line + offset - stride] : 0
        p[line + offset] = (p[line + offset] + known) / pivot
        before = after
      }
      for number in (0..<length - 1).reversed() {
        let offset = number * stride
        p[line + offset] += above[number] * p[line + offset + stride]
      }
    }
  }
}

extension Grid {
  /// The longest side of a cell where there are walls, in metres.
  ///
  /// A door of 0.8 m then has the line between two middles in it, also where its wall is aslant.
  static let longestBesideWalls = 0.4

  /// Returns whether there is a way from each cell to the next along x and to the next along y: 1
  /// or 0.
  ///
  /// There is one where both are open and no wall crosses the straight line between their middles.
  /// A chain of walls without a gap is crossed by every way round through the middles of cells, so
  /// none leaks, whatever its slope. Linear in cells, and in walls times the cells beside them.
  func passages(walls: [Segment]) -> (x: [Float], y: [Float]) {
    var x = [Float](repeating: 0, count: area)
    var y = [Float](repeating: 0, count: area)
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = row * columns + column
        guard isOpen[cell] else { continue }
        if column + 1 < columns, isOpen[cell + 1] { x[cell] = 1 }
        if row + 1 < rows, isOpen[cell + columns] { y[cell] = 1 }
      }
    }
    for wall in walls {
      let xs = Self.span(wall.from.x, wall.to.x, first: first.x, side: width, count: columns)
      let ys = Self.span(wall.from.y, wall.to.y, first: first.y, side: depth, count: rows)
      for row in ys {
        for column in xs {
          let (cell, here) = (row * columns + column, place(column: column, row: row))
          if x[cell] > 0, wall.crosses(here, place(column: column + 1, row: row)) { x[cell] = 0 }
          if y[cell] > 0, wall.crosses(here, place(column: column, row: row + 1)) { y[cell] = 0 }
        }
      }
    }
    return (x, y)
  }
}

extension Segment {
  /// Returns whether a straight way from one place to another goes through.
  ///
  /// What is exactly on a line counts as left of it, so that a way through the joint of two walls,
  /// or along a wall from one side to the other, is stopped once and not let through.
  func crosses(_ a: Point, _ b: Point) -> Bool {
    isLeft(a, of: from, to) != isLeft(b, of: from, to)
      && isLeft(from, of: a, b) != isLeft(to, of: a, b)
  }

  private func isLeft(_ p: Point, of a: Point, _ b: Point) -> Bool {
    (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) >= 0
  }
}
