import Geometry

/// The layout of anchors in the plane: their centroid and scatter matrix.
///
/// Linear in the number of anchors. Sums are taken about the centroid, so coordinates a thousand
/// kilometres from the origin lose no digits.
struct AnchorLayout {
  let count: Int
  let centroid: Point
  /// Elements of Σ (a - ā)(a - ā)ᵀ, in square metres.
  let xx: Double, xy: Double, yy: Double

  init(_ anchors: some Collection<Point>) {
    count = anchors.count
    var (sumX, sumY) = (0.0, 0.0)
    for a in anchors {
      sumX += a.x
      sumY += a.y
    }
    let centroid = Point(x: sumX / Double(count), y: sumY / Double(count))
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for a in anchors {
      let (dx, dy) = (a.x - centroid.x, a.y - centroid.y)
      xx += dx * dx
      xy += dx * dy
      yy += dy * dy
    }
    self.centroid = centroid
    (self.xx, self.xy, self.yy) = (xx, xy, yy)
  }

  /// Determinant of the scatter matrix, in m⁴. For three anchors it is (2 × triangle's area)² / 3.
  var determinant: Double { max(0, xx * yy - xy * xy) }

  /// The ratio of width to length, without a scale: 0 for collinear anchors, 1 for a square or an
  /// equilateral triangle.
  ///
  /// Twice the geometric over the arithmetic mean of the scatter's eigenvalues; for three anchors,
  /// the doubled area relative to the mean squared side, times a constant.
  var breadth: Double {
    let trace = xx + yy
    return trace > 0 ? 2 * determinant.squareRoot() / trace : 0
  }

  /// Returns the solution of S·u = v, where S is the scatter matrix.
  func solve(_ vx: Double, _ vy: Double) -> (x: Double, y: Double) {
    ((yy * vx - xy * vy) / determinant, (xx * vy - xy * vx) / determinant)
  }
}

extension AnchorLayout {
  /// The breadth below which a solution is rounding error: the anchors are collinear to the
  /// arithmetic.
  static let singularBreadth = 1e-12

  /// The breadth below which the anchors are collinear to a survey's precision: 1 cm of bend in 10
  /// m.
  static let reliableBreadth = 1e-3

  /// Creates the layout of anchors that fix a position in the plane, or throws the reason why they
  /// do not.
  init(fixing anchors: some Collection<Point>, minimumBreadth: Double) throws(Refusal) {
    guard anchors.count >= 3 else { throw .tooFewAnchors }
    self.init(anchors)
    guard breadth > minimumBreadth else {
      throw Set(anchors).count < 3 ? .coincidentAnchors : .collinearAnchors
    }
  }
}
