import Geometry
import RealModule

/// The mean squared error of an answer in the plane given the levels, whatever its formula.
///
/// E[(q - p)(q - p)ᵀ] over all places q, weighted by the likelihood of the levels, for the answer
/// p: the covariance of the posterior under a uniform prior, plus the squared distance of p from
/// its mean. On average over places and levels it is the error of p (Robert, "The Bayesian Choice",
/// 2007, section 2.3). To first order, the error of a closed form follows from the observed ranges;
/// but ranges are log-normal, and where noise makes an anchor look near, that error is far too
/// small.
///
/// The integral is summed over about 600 cells, again over those of them that carry weight until
/// they fill their rectangle. 600 cells × anchors, two to four times.
struct AnswerError {
  /// The cost in coordinates about `origin`, along the axes of the rectangle.
  private let cost: LevelCost
  private let origin: Point
  /// The cosine and sine of the angle of the rectangle's first axis.
  private let axis: (x: Double, y: Double)
  private let window: SearchBox

  private static let cells = 600.0
  private static let mostPasses = 12
  /// The cost above the least one from which a cell carries no weight: e^-10, at
  /// 4.5 standard deviations. Wider rectangles have larger cells, which widen the error.
  private static let negligible = 20.0

  /// - Parameter bounds: The rectangle that contains the target; `nil` takes that of the anchors
  ///   along their own axes, padded as in ``LikelihoodSite``, so that no frame is preferred.
  init(_ observations: [Observation], bounds: SearchBox?) {
    let layout = AnchorLayout(observations.lazy.map(\.anchor))
    let angle =
      bounds == nil ? 0.5 * Double.atan2(y: 2 * layout.xy, x: layout.xx - layout.yy) : 0
    let (origin, axis) = (layout.centroid, (x: Double.cos(angle), y: Double.sin(angle)))
    var turned = observations
    for index in turned.indices {
      turned[index].anchor = Self.turn(observations[index].anchor, about: origin, axis)
    }
    (self.origin, self.axis) = (origin, axis)
    cost = LevelCost(turned)
    if let bounds {
      window = SearchBox(
        minimum: Self.turn(bounds.minimum, about: origin, axis),
        maximum: Self.turn(bounds.maximum, about: origin, axis))
    } else {
      let places = turned.lazy.map(\.anchor)
      window = SearchBox(
        around: places,
        doublings: SearchBox.doublings(over: places, nearestRange: Nearby(observations).range))
    }
  }

  /// Returns the uncertainty of an answer to a scan in the plane.
  static func uncertainty(
    of answer: Point, given observations: [Observation], in surroundings: Surroundings
  ) -> Uncertainty {
    let bounds = SearchBox(knownIn: surroundings)
    return AnswerError(observations, bounds: bounds).uncertainty(of: answer)
  }

  func uncertainty(of answer: Point) -> Uncertainty {
    let p = Self.turn(answer, about: origin, axis)
    var window = window
    // Bounds without an area leave no place to integrate over.
    guard window.area > 0, window.area.isFinite else { return .unavailable(.outsideDomain) }
    for _ in 0..<Self.mostPasses {
      let sum = Sum(cost, over: window, about: p, cells: Self.cells)
      let region = sum.region
      // No share of whole cells, because rounding would decide then.
      let isFilled = region.area > 0.6003 * window.area
      guard isFilled || !(region.area > 0) else {
        window = region
        continue
      }
      let (uu, uv, vv) = (sum.uu / sum.total, sum.uv / sum.total, sum.vv / sum.total)
      let (c, s) = axis
      return .firstOrder(
        Covariance(
          xx: c * c * uu - 2 * c * s * uv + s * s * vv,
          xy: c * s * (uu - vv) + (c * c - s * s) * uv,
          yy: s * s * uu + 2 * c * s * uv + c * c * vv))
    }
    return .unavailable(.notConverged)
  }

  private static func turn(
    _ p: Point, about origin: Point, _ axis: (x: Double, y: Double)
  ) -> Point {
    let (x, y) = (p.x - origin.x, p.y - origin.y)
    return Point(x: axis.x * x + axis.y * y, y: axis.x * y - axis.y * x)
  }

  /// The weighted second moments of the cells of a rectangle about an answer.
  private struct Sum {
    var (total, uu, uv, vv) = (0.0, 0.0, 0.0, 0.0)
    /// The rectangle of the cells with weight, and their neighbours.
    var region: SearchBox

    init(_ cost: LevelCost, over window: SearchBox, about p: Point, cells: Double) {
      let (width, depth) = (
        window.maximum.x - window.minimum.x, window.maximum.y - window.minimum.y
      )
      let columns = min(max((cells * width / depth).squareRoot().rounded(), 4), cells / 4)
      let (columnCount, rowCount) = (Int(columns), Int((cells / columns).rounded()))
      let (dx, dy) = (width / Double(columnCount), depth / Double(rowCount))
      func place(_ cell: Int) -> Point {
        Point(
          x: window.minimum.x + (Double(cell % columnCount) + 0.5) * dx,
          y: window.minimum.y + (Double(cell / columnCount) + 0.5) * dy)
      }
      let costs = (0..<columnCount * rowCount).map { cost.value(at: place($0), inCellOf: dx, dy) }
      let limit = (costs.min() ?? 0) + negligible
      var (low, high) = (window.maximum, window.minimum)
      for (cell, cost) in costs.enumerated() where cost < limit {
        let q = place(cell)
        (low.x, low.y) = (min(low.x, q.x - 1.5 * dx), min(low.y, q.y - 1.5 * dy))
        (high.x, high.y) = (max(high.x, q.x + 1.5 * dx), max(high.y, q.y + 1.5 * dy))
        let weight = Double.exp(0.5 * (limit - negligible - cost))
        let (u, v) = (q.x - p.x, q.y - p.y)
        total += weight
        uu += weight * (u * u + dx * dx / 12)
        uv += weight * u * v
        vv += weight * (v * v + dy * dy / 12)
      }
      region = SearchBox(minimum: window.clamp(low), maximum: window.clamp(high))
    }
  }
}

extension LevelCost {
  /// Returns the cost at the centre of a cell of some sides. The variance of each level within the
  /// cell is added, so that no peak is missed between centres.
  fileprivate func value(at p: Point, inCellOf width: Double, _ depth: Double) -> Double {
    let (xx, yy) = (width * width / 12, depth * depth / 12)
    var cost = 0.0
    for term in terms {
      let (dx, dy) = (p.x - term.x, p.y - term.y)
      let squared = max(term.squaredDistance(from: p) + xx + yy, leastSquaredDistance)
      let residual = Double.log(squared) - term.logSquaredRange
      let within = 4 * (dx * dx * xx + dy * dy * yy) + (xx + yy) * (xx + yy)
      let variance = 1 / term.squaredHalfWeight + within / (squared * squared)
      cost += residual * residual / variance
    }
    return cost
  }
}

extension SearchBox {
  fileprivate var area: Double { (maximum.x - minimum.x) * (maximum.y - minimum.y) }
}
