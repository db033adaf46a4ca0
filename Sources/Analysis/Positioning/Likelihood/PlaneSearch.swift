import Geometry

/// The certified global minimum of a ``LevelCost`` in a rectangle, by branch and bound over a
/// ``PlaneTree``.
///
/// A rectangle is discarded if its ``CubicBound`` exceeds the best cost found, or if it lies in the
/// disc around the best place in which no place is better (``LevelCost/provenRadius(about:box:)``).
/// All others are divided. A centre of a small rectangle that is better than the best place starts
/// a Newton descent.
struct PlaneSearch {
  /// The largest improvement over the answer that may remain undiscovered, relative to 1 + the
  /// cost.
  static let tolerance = 1e-9
  /// The tolerance of descents relative to the box: half the digits, because the last step doubles
  /// them.
  static let shortestStep = 1e-7
  /// The number of blocks after which a search fails.
  static let budget = 2_000

  private struct Rectangle {
    var bound: Double
    /// The index of its block in the tree, or a negative index of a block too small for the tree.
    var block: Int32
    var lane: Int32
  }

  private var coarse: [PlaneTree.Coarse.Level] = []
  private var fine: [PlaneTree.Fine.Level] = []
  private var open: [Rectangle] = []
  /// The blocks that are too small for the tree.
  private var small: [PlaneBlock] = []
  /// The number of blocks that the last search visited.
  private(set) var visits = 0

  init() { open.reserveCapacity(256) }

  /// Loads the levels of a scan.
  ///
  /// - Parameter isShared: A Boolean value that is true if the tree holds the site's anchors, not
  ///   only those of the scan.
  mutating func load(_ observations: [Observation], isShared: Bool) {
    coarse.removeAll(keepingCapacity: true)
    fine.removeAll(keepingCapacity: true)
    for (index, observation) in observations.enumerated() {
      let anchor = isShared ? observation.number : index
      let halfWeight = 0.5 / observation.relativeRangeDeviation
      let (range, weight) = (observation.logSquaredRange, halfWeight * halfWeight)
      fine.append(PlaneTree.Fine.Level(anchor: anchor, logSquaredRange: range, weight: weight))
      coarse.append(
        PlaneTree.Coarse.Level(anchor: anchor, logSquaredRange: range, weight: weight))
    }
  }

  /// Returns the place of the least cost, relative to the tree's origin, or `nil` if the budget
  /// ends before the proof.
  mutating func minimum(
    of cost: LevelCost, tree: inout PlaneTree, box: SearchBox, start: Point
  ) -> (place: Point, cost: Double)? {
    let descent = Descent(cost: cost, box: box)
    var best = descent.run(from: start, tolerance: Self.shortestStep, maximumSteps: 100)
    // Weights that overflow prove nothing.
    guard best.cost.isFinite else { return nil }
    var disc = cost.provenRadius(about: best.place, box: box)
    var goal = best.cost - Self.tolerance * (1 + best.cost)
    open.removeAll(keepingCapacity: true)
    small.removeAll(keepingCapacity: true)
    visits = 0
    var number = 0
    var block = tree.blocks[0]
    while true {
      visits += 1
      if visits > Self.budget { return nil }
      let bounds: PlaneTree.Lanes
      if number >= 0 {
        bounds = PlaneTree.Lanes(coarseBounds(tree, number, block))
      } else {
        let bound = fineBound(tree, block)
        bounds = bound.least(block.halfWidth, block.halfDepth)
        for lane in 0..<4 where bound.cost[lane] < best.cost {
          let middle = Point(x: block.x[lane], y: block.y[lane])
          guard cost.value(at: middle) < best.cost else { continue }
          let next = descent.run(from: middle, tolerance: Self.shortestStep, maximumSteps: 100)
          if next.cost < best.cost {
            best = next
            disc = cost.provenRadius(about: best.place, box: box)
            goal = best.cost - Self.tolerance * (1 + best.cost)
          }
        }
      }
      // A bound that is not a number proves nothing.
      var isOpen = .!(bounds .>= goal)
      if any(isOpen) {
        isOpen .&= block.reaches(beyond: disc, from: best.place)
        let first = open.count
        for lane in 0..<4 where isOpen[lane] {
          insert(
            Rectangle(bound: bounds[lane], block: Int32(number), lane: Int32(lane)), from: first)
        }
      }
      // The most promising of the newest rectangles.
      var next: Rectangle?
      while let last = open.popLast() {
        if !(last.bound >= goal) {
          next = last
          break
        }
      }
      guard let next else { return best }
      (number, block) = parts(of: next, &tree)
    }
  }

  /// Returns the block of a rectangle's parts, with its number.
  private mutating func parts(of rectangle: Rectangle, _ tree: inout PlaneTree) -> (Int, PlaneBlock)
  {
    let (number, lane) = (Int(rectangle.block), Int(rectangle.lane))
    if number >= 0, let part = tree.parts(of: number, lane) { return (part, tree.blocks[part]) }
    let whole = number >= 0 ? tree.blocks[number] : small[-1 - number]
    small.append(whole.divided(lane))
    return (-small.count, small[small.count - 1])
  }

  /// Pushes a rectangle on the stack, below those of its own block with smaller bounds.
  private mutating func insert(_ rectangle: Rectangle, from first: Int) {
    open.append(rectangle)
    var place = open.count - 1
    while place > first, open[place - 1].bound < rectangle.bound {
      open.swapAt(place, place - 1)
      place -= 1
    }
  }

  /// Returns the bounds in the rectangles of a block of the tree.
  private func coarseBounds(_ tree: borrowing PlaneTree, _ number: Int, _ block: PlaneBlock)
    -> SIMD4<Float>
  {
    let first = number * tree.anchors.count
    var bound = PlaneTree.Coarse()
    for level in coarse { bound.add(level, tree.parts[first + level.anchor]) }
    return bound.least(Float(block.halfWidth), Float(block.halfDepth))
  }

  /// Returns the bounds in rectangles that are too small for the tree.
  private func fineBound(_ tree: borrowing PlaneTree, _ block: PlaneBlock) -> PlaneTree.Fine {
    var bound = PlaneTree.Fine()
    for level in fine { bound.add(level, tree.part(of: tree.anchors[level.anchor], over: block)) }
    return bound
  }
}

/// Damped Newton descent of a ``LevelCost`` inside a box, without allocation.
///
/// A multiple of the unit matrix is added to the Hessian until it is positive definite and the step
/// goes downhill (Levenberg 1944; Nocedal & Wright, "Numerical Optimization", chapter 3.4), so that
/// the path does not depend on the axes. It uses the whole Hessian, not only JᵀJ: under shadowing
/// the residuals stay large at the minimum, and Gauss–Newton would converge slowly.
struct Descent {
  let cost: LevelCost
  let box: SearchBox

  /// Returns the place and cost reached from a start, when a step is shorter than the tolerance
  /// times the box, or after the maximum number of steps.
  func run(from start: Point, tolerance: Double, maximumSteps: Int) -> (place: Point, cost: Double)
  {
    var place = start
    var here = cost.expansion(at: place)
    var damping = 0.0
    let shortest = tolerance * box.length
    for _ in 0..<maximumSteps {
      var (xx, xy, yy) = (here.xx + here.bentXX, here.xy + here.bentXY, here.yy + here.bentYY)
      let spread = (0.25 * (xx - yy) * (xx - yy) + xy * xy).squareRoot()
      let leastCurvature = 0.5 * (xx + yy) - spread
      let trace = here.xx + here.yy
      let lift =
        leastCurvature > 0
        ? damping * trace : max(damping, Self.leastDamping) * trace - leastCurvature
      xx += lift
      yy += lift
      var (gx, gy) = (here.gx, here.gy)
      // On the edge, a direction that leads out is fixed, so the descent follows the edge.
      if box.holdsX(place, pull: gx) { (gx, xy) = (0, 0) }
      if box.holdsY(place, pull: gy) { (gy, xy) = (0, 0) }
      let determinant = xx * yy - xy * xy
      guard determinant > 0 else { break }
      let next = box.clamp(
        Point(
          x: place.x - (yy * gx - xy * gy) / determinant,
          y: place.y - (xx * gy - xy * gx) / determinant))
      let there = cost.expansion(at: next)
      let length = place.distance(to: next)
      if there.cost < here.cost {
        (place, here) = (next, there)
        // Without damping, each of the last steps doubles the digits.
        damping = damping > Self.leastDamping ? damping * 0.1 : 0
      } else {
        damping = max(damping, Self.leastDamping) * 5
      }
      if length < shortest { break }
    }
    return (place, here.cost)
  }

  private static let leastDamping = 1e-3
}
