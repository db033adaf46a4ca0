/// A lower bound of the cost Σ w_i e_i², e_i = v_i - ln s_i², in rectangles: one per lane.
///
/// The expansion v(c + t) = v + L + (½ curl |t|² - ½ L²) + (⅓ L³ - ½ curl |t|² L) + …, L = slope·t,
/// gives a cost at c + t of at least cost + 2 g·t + tᵀKt + T(t) - rest: g and K are half the
/// gradient and half the Hessian, T the cubic form Σ (⅔ w e - w) L³ + (w - w e) curl |t|² L, and
/// the rest Σ (w |e| + 8/3 w) ρ⁴ / (1 - ρ), where ρ is half the diagonal over d. The reason is that
/// d² is a quadratic along a line with two complex roots at the distance d, so the terms of ln d²
/// of order k are at most 2 ρᵏ / k; the omitted term is a square.
struct CubicBound<Lanes: SIMD> where Lanes.Scalar: BinaryFloatingPoint {
  typealias Scalar = Lanes.Scalar

  /// The expansion of one anchor's v = ln d² in the rectangles.
  ///
  /// Far from the anchor it is the expansion at the centre. Near it, v is within the slack of the
  /// value, and the slope, curl and rest are 0.
  struct Part {
    var value = Lanes()
    var slack = Lanes()
    var slopeX = Lanes()
    var slopeY = Lanes()
    /// 2 / d².
    var curl = Lanes()
    /// ρ⁴ / (1 - ρ).
    var rest = Lanes()
  }

  /// One level of an anchor.
  struct Level {
    /// The index of the anchor in the tree.
    let anchor: Int
    /// The logarithm of the squared slant range, ln s².
    let logSquaredRange: Scalar
    /// w = (5 n / (σ ln10))².
    let weight: Scalar
    /// 8/3 w.
    fileprivate let restWeight: Scalar

    init(anchor: Int, logSquaredRange: Double, weight: Double) {
      self.anchor = anchor
      self.logSquaredRange = Scalar(logSquaredRange)
      self.weight = Scalar(weight)
      restWeight = Scalar(weight * 8 / 3)
    }
  }

  /// The cost at the centres; lower if an anchor is near.
  private(set) var cost = Lanes()
  private var (gx, gy) = (Lanes(), Lanes())
  private var (xx, xy, yy) = (Lanes(), Lanes(), Lanes())
  /// T = xxx x³ + xxy x²y + xyy xy² + yyy y³.
  private var (xxx, xxy, xyy, yyy) = (Lanes(), Lanes(), Lanes(), Lanes())
  private var rest = Lanes()

  @inline(__always)
  mutating func add(_ level: Level, _ part: Part) {
    let weight = level.weight
    let residual = part.value - level.logSquaredRange
    let outside = magnitude(residual) - part.slack
    let weighed = weight * outside.replacing(with: 0, where: outside .< 0)
    cost += weighed * outside
    let pull = weight * residual
    gx += pull * part.slopeX
    gy += pull * part.slopeY
    let lessPull = weight - pull
    let (squareX, squareY) = (part.slopeX * part.slopeX, part.slopeY * part.slopeY)
    let bend = pull * part.curl
    xx += lessPull * squareX + bend
    yy += lessPull * squareY + bend
    xy += lessPull * (part.slopeX * part.slopeY)
    // ⅔ w e - w times L³, and the rest of T.
    let twoThirds: Scalar = 2 / 3
    let three: Scalar = 3
    let cube = pull * twoThirds - weight
    let curled = lessPull * part.curl
    let (cubeX, cubeY) = (cube * squareX, cube * squareY)
    xxx += (cubeX + curled) * part.slopeX
    xxy += (cubeX * three + curled) * part.slopeY
    xyy += (cubeY * three + curled) * part.slopeX
    yyy += (cubeY + curled) * part.slopeY
    rest += (weighed + level.restWeight) * part.rest
  }

  /// Returns the bound for rectangles with half sides rx and ry, less the possible rounding error.
  @inline(__always)
  func least(_ rx: Scalar, _ ry: Scalar) -> Lanes {
    // In units of half the sides.
    let (rxx, rxy, ryy): (Scalar, Scalar, Scalar) = (rx * rx, rx * ry, ry * ry)
    let a: Lanes = xx * rxx
    let b: Lanes = yy * ryy
    let m: Lanes = xy * rxy
    let (gx, gy): (Lanes, Lanes) = (gx * rx, gy * ry)
    var below: Lanes = rest
    below += magnitude(xxx) * (rx * rxx)
    below += magnitude(xxy) * (rx * rxy)
    below += magnitude(xyy) * (ry * rxy)
    below += magnitude(yyy) * (ry * ryy)
    // 2 g·u + uᵀKu, |u_x| and |u_y| ≤ 1, with the least eigenvalue for both, or with either u free.
    let half: Scalar = 0.5
    let difference: Lanes = (a - b) * half
    let eigenvalue: Lanes = (a + b) * half - (difference * difference + m * m).squareRoot()
    var dip: Lanes = Self.dip(magnitude(gx), eigenvalue) + Self.dip(magnitude(gy), eigenvalue)
    let alongY: Lanes = m / b
    let freeY: Lanes = gy * gy / b + Self.dip(magnitude(gx - gy * alongY), a - m * alongY)
    dip.replace(with: freeY, where: (b .> 0) .& (freeY .< dip))
    let alongX: Lanes = m / a
    let freeX: Lanes = gx * gx / a + Self.dip(magnitude(gy - gx * alongX), b - m * alongX)
    dip.replace(with: freeX, where: (a .> 0) .& (freeX .< dip))
    below += dip
    return cost - below - (cost + below) * (64 * Scalar.ulpOfOne)
  }

  /// Returns the depth of the minimum of 2 g u + λ u² below 0 for |u| ≤ 1, with g not negative.
  @inline(__always)
  private static func dip(_ g: Lanes, _ curvature: Lanes) -> Lanes {
    var dip: Lanes = g + g - curvature
    let inner: Lanes = g * g / curvature
    dip.replace(with: inner, where: g .< curvature)
    return dip
  }
}

@inline(__always)
private func magnitude<Lanes: SIMD>(_ lanes: Lanes) -> Lanes
where Lanes.Scalar: BinaryFloatingPoint {
  lanes.replacing(with: 0 - lanes, where: lanes .< 0)
}

extension CubicBound<SIMD4<Float>>.Part {
  /// Creates the part in single precision, with a rest that covers the rounding.
  init(_ exact: CubicBound<SIMD4<Double>>.Part) {
    value = SIMD4<Float>(exact.value)
    slopeX = SIMD4<Float>(exact.slopeX)
    slopeY = SIMD4<Float>(exact.slopeY)
    curl = SIMD4<Float>(exact.curl)
    let rounding =
      (SIMD4(repeating: 1) + value.replacing(with: -value, where: value .< 0))
      * (32 * Float.ulpOfOne)
    slack = SIMD4<Float>(exact.slack)
    slack.replace(with: slack + rounding, where: slack .> 0)
    rest = SIMD4<Float>(exact.rest) + rounding
  }
}
