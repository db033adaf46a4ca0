import RealModule

/// The position of a plane of metres on Earth (WGS 84): a point of it, and the bearing of its y
/// axis.
///
/// ```swift
/// let reference = EarthReference(latitude: 48.2, longitude: 16.37, bearing: 30)
/// let place = reference.coordinates(of: Point(x: 3, y: 4))
/// ```
public struct EarthReference: Hashable, Sendable {
  /// The known point of the plane.
  public var point: Point
  /// The latitude of the point, in degrees.
  public var latitude: Double
  /// The longitude of the point, in degrees.
  public var longitude: Double
  /// The bearing of the y axis, in degrees clockwise from north.
  public var bearing: Double

  /// Creates a reference from a point and its coordinates in degrees.
  public init(
    of point: Point = Point(x: 0, y: 0), latitude: Double, longitude: Double, bearing: Double = 0
  ) {
    self.point = point
    (self.latitude, self.longitude, self.bearing) = (latitude, longitude, bearing)
  }

  /// The semi-major axis in metres and the squared eccentricity of the ellipsoid.
  ///
  /// Source: NGA.STND.0036, World Geodetic System 1984.
  private static let axis = 6_378_137.0
  private static let eccentricity = 6.694_379_990_141_317e-3
  private static let degree = Double.pi / 180

  /// Returns the latitude, and the longitude from -180 to 180, of a point on the ellipsoid, in
  /// degrees.
  ///
  /// The plane is tangent to the ellipsoid at the known point: at 10 km from it, distances are too
  /// short by some millimetres. Source: the closed form of Bowring, Survey Review 23 (1976), for
  /// the inverse.
  public func coordinates(of other: Point) -> (latitude: Double, longitude: Double) {
    let (x, y) = (other.x - point.x, other.y - point.y)
    let turn = bearing * Self.degree
    let east = x * .cos(turn) + y * .sin(turn)
    let north = y * .cos(turn) - x * .sin(turn)
    let (phi, lambda) = (latitude * Self.degree, longitude * Self.degree)
    let (a, e) = (Self.axis, Self.eccentricity)
    let radius = a / (1 - e * .sin(phi) * .sin(phi)).squareRoot()
    // In the meridian plane of the point: the distances from the axis, along it, and across.
    let away = radius * .cos(phi) - north * .sin(phi)
    let up = radius * (1 - e) * .sin(phi) + north * .cos(phi)
    let distance = Double.hypot(away, east)
    let b = a * (1 - e).squareRoot()
    let theta = Double.atan2(y: up * a, x: distance * b)
    let (sine, cosine) = (Double.sin(theta), Double.cos(theta))
    let found = Double.atan2(
      y: up + e / (1 - e) * b * sine * sine * sine, x: distance - e * a * cosine * cosine * cosine)
    var degrees = (lambda + .atan2(y: east, x: away)) / Self.degree
    if degrees > 180 { degrees -= 360 }
    if degrees < -180 { degrees += 360 }
    return (found / Self.degree, degrees)
  }

  /// Returns the bearing of a direction in the plane, in degrees clockwise from north, from 0 to
  /// 360.
  ///
  /// - Parameter angle: The angle in radians counterclockwise from the x axis.
  public func bearing(ofAngle angle: Double) -> Double {
    let degrees = (bearing + 90 - angle / Self.degree).remainder(dividingBy: 360)
    return degrees < 0 ? degrees + 360 : degrees
  }
}
