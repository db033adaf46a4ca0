package import Geometry
import RealModule

extension Estimate {
  /// Returns the probability that the target is inside a polygon, in the plane.
  ///
  /// This is the integral of the Gaussian about the position over the polygon. In units of the
  /// ellipse's axes about the position it is a sum over the edges: an edge at the distance h that
  /// spans the angles α to β from its foot contributes
  ///
  ///     ± ∫ (1 - exp(-h² / 2 cos² ψ)) dψ / 2π,  ψ from α to β,
  ///
  /// with the sign of its direction round the position. Accurate to 1e-4. Linear in the corners.
  ///
  /// Source: DiDonato and Hageman, "A method for computing the integral of the bivariate normal
  /// distribution over an arbitrary polygon", SIAM J. Sci. Stat. Comput. 3 (1982).
  ///
  /// In a building the room is on the floor of the position, and the probability includes that of the
  /// floor.
  ///
  /// - Returns: The probability, or `nil` if the position has no covariance.
  package func probability(inside polygon: Polygon) -> Double? {
    guard case .covariance(let covariance) = uncertainty, let ellipse = ErrorEllipse(covariance),
      let box = Bounds(around: polygon.corners)
    else { return nil }
    // A position that claims to be exact is either inside or outside.
    let extent = max(box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
    let (longer, shorter) = (
      max(ellipse.semiMajor, 1e-6 * extent), max(ellipse.semiMinor, 1e-6 * extent)
    )
    let (cosine, sine) = (Double.cos(ellipse.angle), Double.sin(ellipse.angle))
    let corners = polygon.corners.map { corner in
      let (dx, dy) = (corner.x - position.x, corner.y - position.y)
      return Point(x: (cosine * dx + sine * dy) / longer, y: (cosine * dy - sine * dx) / shorter)
    }
    guard var previous = corners.last else { return nil }
    var sum = 0.0
    for corner in corners {
      sum += Self.share(from: previous, to: corner)
      previous = corner
    }
    return (floorProbability ?? 1) * min(1, abs(sum))
  }

  /// Returns the signed probability of the triangle between the origin and an edge.
  private static func share(from a: Point, to b: Point) -> Double {
    let (ex, ey) = (b.x - a.x, b.y - a.y)
    let length = (ex * ex + ey * ey).squareRoot()
    guard length > 0 else { return 0 }
    let height = (a.x * b.y - a.y * b.x) / length
    guard height != 0 else { return 0 }
    let distance = abs(height)
    let first = Double.atan2(y: (a.x * ex + a.y * ey) / length, x: distance)
    let last = Double.atan2(y: (b.x * ex + b.y * ey) / length, x: distance)
    return (height > 0 ? 1 : -1) * (part(last, distance) - part(first, distance))
  }

  /// Returns the integral from 0 to an angle for an edge at a distance.
  private static func part(_ angle: Double, _ distance: Double) -> Double {
    let (middle, half) = (angle / 2, angle / 2)
    var sum = 0.0
    // Steps are short at the ends, because the integrand of a near edge rises only there.
    for turn in edgeTurns {
      let cosine = Double.cos(middle + half * turn.sine)
      let score = distance / cosine
      sum += turn.cosine * -Double.expMinusOne(-score * score / 2)
    }
    return sum * half * Double.pi / Double(edgeTurns.count) / (2 * Double.pi)
  }

  /// The sines and cosines of the steps from one end of an edge to the other.
  private static let edgeTurns = (0..<200).map { step in
    let turn = ((Double(step) + 0.5) / 200 - 0.5) * Double.pi
    return (sine: Double.sin(turn), cosine: Double.cos(turn))
  }
}
