import Geometry
import RealModule

/// The diffusion of a person's probability over a grid: a random walk of many short straight legs.
///
/// Each leg has a new direction, so the variance of a coordinate grows by speed² × leg / 2 per
/// second. Probability moves between neighbouring cells, never through a wall between their centres
/// or out of the rooms; none is lost.
struct GridMotion {
  let grid: Grid
  /// The speed of the target, in m/s.
  var speed: Double
  private let alongX: GridDiffusion, alongY: GridDiffusion, alongZ: GridDiffusion

  /// The duration of a leg, in seconds: indoors, few paths are straight for more than some metres.
  static let legDuration = 2.0

  /// The speed of height changes of a target in the plane, as a share of the speed.
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

  /// The time between two steps, in seconds, in which the target walks through one cell.
  ///
  /// Shorter steps would not resolve cells; longer ones would take motion for noise.
  var stepDuration: Double {
    let cell = max(grid.width, grid.depth)
    return speed > 0 ? min(max(cell / speed, 0.05), 1) : 1
  }

  /// Moves the target for a time.
  ///
  /// Small steps alternate between x and y and add up to a Gaussian; a long gap takes sixteen large
  /// implicit steps, so that its cost does not grow with its length.
  /// - Parameter backwards: A Boolean value that is true to take the steps in reverse order, for a
  ///   smoother's backward pass.
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

/// The diffusion of weights along one axis of a grid, between cells that are connected.
struct GridDiffusion {
  /// The stride from a cell to the next along the axis.
  let stride: Int
  /// The number of cells along the axis, and the first cell of each line.
  let length: Int
  let lines: [Int]
  /// 1 for each cell of a plane that is connected to the next, else 0; empty if all are connected.
  let passable: [Float]
  /// The number of cells of a plane; connections are the same in every layer.
  let area: Int

  /// Performs a step in which each cell passes a share of its excess to its neighbours.
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

  /// Performs an implicit step of any size: solves (1 - rate ∂²) p' = p along each line, which
  /// preserves positivity and the sum of the weights.
  ///
  /// Thomas's algorithm; adds 2 × rate squared cells to the variance, with heavier tails than a
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
  /// The longest side of a cell on a site with walls, in metres.
  ///
  /// A door of 0.8 m then contains the line between two centres, even if its wall is diagonal.
  static let longestBesideWalls = 0.4

  /// Returns the connections of each cell with the next along x and along y, as 1 or 0.
  ///
  /// Two cells are connected if both are open and no wall crosses the line between their centres. A
  /// chain of walls without a gap blocks every path through centres of cells, so none leaks,
  /// whatever its slope. Linear in cells, and in walls times the cells next to them.
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
  /// Returns a Boolean value that is true if the segment crosses the straight line between two
  /// places.
  ///
  /// A place exactly on a line counts as left of it, so a path through the joint of two walls, or
  /// along a wall from one side to the other, is blocked once.
  func crosses(_ a: Point, _ b: Point) -> Bool {
    isLeft(a, of: from, to) != isLeft(b, of: from, to)
      && isLeft(from, of: a, b) != isLeft(to, of: a, b)
  }

  private func isLeft(_ p: Point, of a: Point, _ b: Point) -> Bool {
    (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) >= 0
  }
}
