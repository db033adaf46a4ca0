/// The certified global minimum of a ``LevelCost`` in a rectangle, by branch and bound over a
/// ``PlaneTree``.
///
/// With e_i = ln d_i² - ln s_i² and weights w_i the cost is C = Σ w_i e_i². Over a rectangle it is at
/// least
///
/// 1. Σ w_i times the squared distance of 0 from the interval of e_i: good for large rectangles;
/// 2. the least value of C(c) + 2 g·t + λ|t|², where g and λ are half the gradient and the least
///    eigenvalue of half the Hessian at its middle c, less what the third-order terms can take away:
///    2 w|e_i| (2/3)(R/d_i)³ + 2 w |slope·t| (R/d_i)². Good for small ones.
///
/// A rectangle is left where a bound is above the best cost found, or where it lies in the disc about
/// the best place in which no place is better: there C ≥ C(p) + λ|t|² - c|t|³ (the same bound at p), so
/// that the disc's radius is λ / c. All others are divided. A middle that is better than the best place
/// starts a Newton descent.
struct PlaneSearch {
  /// One level against the tree's anchors.
  struct Term {
    /// Which of the tree's anchors.
    var anchor: Int
    /// ln s², with s the slant range.
    var logSquaredRange: Double
    /// w = (5 n / (σ ln10))².
    var weight: Double
  }

  /// How far below the answer's cost a place may remain undiscovered, relative to 1 + the cost.
  static let tolerance = 1e-9
  /// Blocks after which a search gives up.
  static let budget = 2_000

  private struct Rectangle {
    var block: Int32
    var lane: Int32
    var bound: Double
  }

  private var terms: [Term] = []
  private var open: [Rectangle] = []
  /// How many blocks the last search visited.
  private(set) var visits = 0

  init() { open.reserveCapacity(256) }

  /// Takes the levels of a scan.
  ///
  /// - Parameter isShared: whether the tree has the site's anchors, or else those of the scan alone.
  mutating func load(_ observations: [Observation], isShared: Bool) {
    terms.removeAll(keepingCapacity: true)
    for (index, observation) in observations.enumerated() {
      let halfWeight = 0.5 / observation.relativeRangeDeviation
      terms.append(
        Term(
          anchor: isShared ? observation.number : index, logSquaredRange: observation.logSquaredRange,
          weight: halfWeight * halfWeight))
    }
  }

  /// The place of the least cost, relative to the tree's origin; nil where the budget is used up
  /// before the proof.
  mutating func minimum(
    of cost: LevelCost, tree: inout PlaneTree, box: SearchBox, start: Point
  ) -> (place: Point, cost: Double)? {
    let descent = Descent(cost: cost, box: box)
    var best = descent.run(from: start, tolerance: 1e-10, maximumSteps: 100)
    // Weights beyond the largest number prove nothing.
    guard best.cost.isFinite else { return nil }
    var disc = cost.provenRadius(about: best.place, box: box)
    var goal = best.cost - Self.tolerance * (1 + best.cost)
    open.removeAll(keepingCapacity: true)
    visits = 0
    var block = 0
    while true {
      visits += 1
      if visits > Self.budget { return nil }
      var bounds = Self.bounds(terms, tree, block)
      if any(bounds .< goal) || any(bounds .!= bounds) {
        let second = Self.expansionBounds(terms, tree, block)
        bounds.replace(with: second.bounds, where: second.bounds .> bounds)
        let middles = tree.blocks[block]
        for lane in 0..<4 where second.middles[lane] < best.cost {
          let next = descent.run(
            from: Point(x: middles.x[lane], y: middles.y[lane]), tolerance: 1e-10, maximumSteps: 100)
          if next.cost < best.cost {
            best = next
            disc = cost.provenRadius(about: best.place, box: box)
            goal = best.cost - Self.tolerance * (1 + best.cost)
          }
        }
        // Not a number is no proof.
        for lane in 0..<4 where !(bounds[lane] >= goal) {
          let farX = abs(middles.x[lane] - best.place.x) + middles.halfWidth
          let farY = abs(middles.y[lane] - best.place.y) + middles.halfDepth
          if farX * farX + farY * farY > disc * disc {
            insert(Rectangle(block: Int32(block), lane: Int32(lane), bound: bounds[lane]))
          }
        }
      }
      // The most promising of the newest first.
      var next: Rectangle?
      while let last = open.popLast() {
        if !(last.bound >= goal) {
          next = last
          break
        }
      }
      guard let next else { return best }
      block = tree.parts(of: Int(next.block), Int(next.lane))
    }
  }

  /// Puts a rectangle on top of the stack, under those of its own block with smaller bounds.
  private mutating func insert(_ rectangle: Rectangle) {
    var place = open.count
    while place > 0, open[place - 1].block == rectangle.block, open[place - 1].bound < rectangle.bound {
      place -= 1
    }
    open.insert(rectangle, at: place)
  }

  /// The first bound for the four rectangles of a block.
  private static func bounds(_ terms: [Term], _ tree: borrowing PlaneTree, _ block: Int) -> PlaneTree.Lanes {
    let first = block * tree.anchors.count
    var sum = PlaneTree.Lanes()
    for term in terms {
      let interval = tree.intervals[first + term.anchor]
      var outside = magnitude(interval.middle - term.logSquaredRange) - interval.half
      outside.replace(with: 0, where: outside .< 0)
      sum += term.weight * (outside * outside)
    }
    return sum
  }

  /// The second bound for the four rectangles of a block, and the cost in their middles.
  private static func expansionBounds(
    _ terms: [Term], _ tree: borrowing PlaneTree, _ block: Int
  ) -> (bounds: PlaneTree.Lanes, middles: PlaneTree.Lanes) {
    typealias Lanes = PlaneTree.Lanes
    let first = block * tree.anchors.count
    var (cost, gx, gy, loss) = (Lanes(), Lanes(), Lanes(), Lanes())
    var (xx, xy, yy) = (Lanes(), Lanes(), Lanes())
    for term in terms {
      let e = tree.expansions[first + term.anchor]
      let residual = e.value - term.logSquaredRange
      let pull = term.weight * residual
      cost += pull * residual
      let (px, py) = (pull * e.slopeX, pull * e.slopeY)
      gx += px
      gy += py
      // w j jᵀ + w e (curl I - j jᵀ).
      let bend = pull * e.curl
      let (wx, wy) = (term.weight * e.slopeX - px, term.weight * e.slopeY - py)
      xx += wx * e.slopeX + bend
      xy += wx * e.slopeY
      yy += wy * e.slopeY + bend
      loss += magnitude(pull) * e.thirdOrder + term.weight * e.crossed
    }
    let sides = tree.blocks[block]
    let (rx, ry) = (sides.halfWidth, sides.halfDepth)
    // In units of half the sides, so that one eigenvalue serves both.
    let (sx, sy, mixed) = (xx * (rx * rx), yy * (ry * ry), xy * (rx * ry))
    let difference = 0.5 * (sx - sy)
    let least = 0.5 * (sx + sy) - (difference * difference + mixed * mixed).squareRoot()
    let dip = dip(magnitude(gx) * rx, least) + dip(magnitude(gy) * ry, least)
    return (cost - dip - loss, cost)
  }

  /// How far 2 g u + λ u² goes below 0 for |u| ≤ 1, with g not negative.
  private static func dip(_ g: PlaneTree.Lanes, _ curvature: PlaneTree.Lanes) -> PlaneTree.Lanes {
    var dip = 2 * g - curvature
    let inner = g * g / curvature
    dip.replace(with: inner, where: g .< curvature)
    return dip
  }

  private static func magnitude(_ lanes: PlaneTree.Lanes) -> PlaneTree.Lanes {
    lanes.replacing(with: -lanes, where: lanes .< 0)
  }
}
