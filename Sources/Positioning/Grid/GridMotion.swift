import RealModule

/// How a person's probability spreads over a grid with time: a walk of many short straight legs.
///
/// Each leg lasts a second and has a new direction, so that the variance of a coordinate grows by
/// speed² × 1 s / 2 a second. Probability goes from cell to neighbouring cell and never where a wall is
/// between their middles, nor out of the rooms; none is lost.
struct GridMotion {
  let grid: Grid
  /// How fast the target moves, in m/s.
  let speed: Double
  /// 1 where a cell and the next along x, or along y, are both open and no wall is between, else 0.
  private let passableX: [Float], passableY: [Float]

  /// How long a leg lasts, in seconds.
  static let legDuration = 2.0

  /// How fast a target that moves in the plane changes its height, as a share of the speed.
  ///
  /// A hand or pocket goes up and down by some tenths of a metre while its owner walks some metres.
  static let climb = 0.1

  init(_ grid: Grid, speed: Double, walls: [Segment]) {
    self.grid = grid
    self.speed = speed
    (passableX, passableY) = grid.passages(walls: walls)
  }

  /// The time between two steps, in seconds: in which the target walks through a cell.
  ///
  /// Shorter steps would tell no cells apart, longer ones take moving for noise.
  var stepDuration: Double {
    let cell = max(grid.width, grid.depth)
    return speed > 0 ? min(max(cell / speed, 0.05), 1) : 1
  }

  /// Lets the target move for a time.
  ///
  /// In small steps along x and y by turns, each of a variance of half a squared cell at most, the
  /// kernel [1/4, 1/2, 1/4]: some of them make a Gaussian.
  /// - Parameter backwards: does the steps in the opposite order, for the way back of a smoother.
  func spread(_ weights: inout CellWeights, seconds: Double, backwards: Bool = false) {
    let variance = speed * speed * Self.legDuration / 2 * seconds
    guard variance > 0 else { return }
    func rate(_ side: Double, _ count: Int) -> Double {
      count > 1 ? variance / (2 * side * side) : 0
    }
    let (x, y) = (rate(grid.width, grid.columns), rate(grid.depth, grid.rows))
    let z = rate(grid.height, grid.layers) * Self.climb * Self.climb
    let fastest = max(x, y, z)
    let steps = max(1, (4 * fastest).rounded(.up))
    let share = 1 / steps
    for _ in 0..<Int(min(steps, mostSteps)) {
      if !backwards { spreadX(&weights.values, Float(x * share)) }
      if y > 0 { spreadY(&weights.values, Float(y * share)) }
      if backwards { spreadX(&weights.values, Float(x * share)) }
    }
    if z > 0 {
      for _ in 0..<Int(min((4 * z).rounded(.up), mostSteps)) {
        spreadZ(&weights.values, Float(z / (4 * z).rounded(.up)))
      }
    }
  }

  /// After so many steps the probability is as good as equal wherever it can go: the slowest wave, of
  /// half a length in the longer side, has died down to e^-5 in an empty site.
  private var mostSteps: Double {
    let longer = Double(max(grid.columns, grid.rows, grid.layers))
    return max(64, 2 * longer * longer)
  }

  private func spreadX(_ p: inout [Float], _ rate: Float) {
    let (columns, area) = (grid.columns, grid.area)
    guard columns > 1 else { return }
    var cell = 0
    for _ in 0..<(grid.rows * grid.layers) {
      let passages = cell % area
      var before: Float = 0
      var here = p[cell]
      for column in 0..<(columns - 1) {
        let next = p[cell + column + 1]
        let flow = rate * passableX[passages + column] * (next - here)
        p[cell + column] = here + flow - before
        before = flow
        here = next
      }
      p[cell + columns - 1] = here - before
      cell += columns
    }
  }

  private func spreadY(_ p: inout [Float], _ rate: Float) {
    let (columns, rows) = (grid.columns, grid.rows)
    for layer in 0..<grid.layers {
      let start = layer * grid.area
      var before = [Float](repeating: 0, count: columns)
      for row in 0..<(rows - 1) {
        let here = start + row * columns
        for column in 0..<columns {
          let value = p[here + column]
          let flow = rate * passableY[row * columns + column] * (p[here + columns + column] - value)
          p[here + column] = value + flow - before[column]
          before[column] = flow
        }
      }
      let last = start + (rows - 1) * columns
      for column in 0..<columns { p[last + column] -= before[column] }
    }
  }

  private func spreadZ(_ p: inout [Float], _ rate: Float) {
    let area = grid.area
    var before = [Float](repeating: 0, count: area)
    for layer in 0..<(grid.layers - 1) {
      let here = layer * area
      for cell in 0..<area {
        let value = p[here + cell]
        let flow = rate * (p[here + area + cell] - value)
        p[here + cell] = value + flow - before[cell]
        before[cell] = flow
      }
    }
    let last = (grid.layers - 1) * area
    for cell in 0..<area { p[last + cell] -= before[cell] }
  }
}
