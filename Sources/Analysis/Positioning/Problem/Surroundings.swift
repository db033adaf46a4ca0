public import Geometry

/// The prior knowledge about a site and about one target's links in it.
public struct Surroundings: Sendable {
  /// The number of coordinates to estimate.
  public enum Dimensions: Int, Sendable {
    /// The place in the plane; the target's height is the reference level.
    case plane = 2
    /// The place in the plane and the height.
    case space = 3
  }

  /// The coordinates to estimate.
  public var dimensions: Dimensions = .plane
  /// Every anchor that might be heard; observations and readings name them by their place here.
  public var anchors: [Anchor] = []
  /// What the curves of all anchors are off by alike; nil where that is not known, or each has a
  /// calibration of its own.
  package var curveError: CurveError?
  /// The area in which positions are searched; nil = found from the anchors, see ``searchBounds``.
  public var bounds: Bounds?
  /// Rooms in which the target is known to be; empty = anywhere in the bounds.
  public var rooms: [Polygon] = []
  /// Walls that no one walks through.
  public var walls: [Segment] = []
  /// Places of interest that an estimate may be attracted to.
  public var spots: [Point] = []
  /// The levels at known places, to learn from; empty without a survey.
  public var survey: [SurveyPoint] = []
  /// How levels of the survey vary, where that was learned before; nil = to be learned.
  package var variation: LevelVariation?
  /// What was learned from the survey; nil without one. Made once and shared by all algorithms.
  package var radioMap: RadioMap?

  /// Creates surroundings without anchors.
  public init() {}

  /// The bounds, or where there are none the rooms' rectangle, or else that of the anchors and the
  /// surveyed places with a margin.
  ///
  /// The margin is the mean spacing of these on a square grid, √(area / count), and at least 1 m:
  /// where beacons and surveys are set out to cover a site, none of it is much farther from them
  /// than that.
  public var searchBounds: Bounds? {
    if let bounds { return bounds }
    if let rooms = Bounds(around: rooms.lazy.flatMap(\.corners)) { return rooms }
    guard !anchors.isEmpty else { return nil }
    let places = anchors.map(\.place) + survey.map(\.place).filter(\.isOnEarth)
    guard let box = Bounds(around: places) else { return nil }
    let (width, depth) = (box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
    let longer = max(width, depth)
    let margin = max(
      (longer * max(min(width, depth), longer / 4) / Double(places.count)).squareRoot(), 1)
    return Bounds(
      minimum: Point(x: box.minimum.x - margin, y: box.minimum.y - margin),
      maximum: Point(x: box.maximum.x + margin, y: box.maximum.y + margin))
  }
}

extension SymmetricMatrix3 {
  /// As the covariance of a position.
  func covariance(in dimensions: Surroundings.Dimensions) -> Covariance {
    Covariance(
      xx: xx, xy: xy, yy: yy,
      vertical: dimensions == .space ? Covariance.Vertical(xz: xz, yz: yz, zz: zz) : nil)
  }
}

extension Point {
  /// A Boolean value that is true if both coordinates are numbers that occur.
  fileprivate var isOnEarth: Bool { abs(x) <= Circle.longest && abs(y) <= Circle.longest }
}

/// The levels at a known place, for algorithms that learn a site: one row of a radio map.
public struct SurveyPoint: Equatable, Sendable {
  /// The place in the plane, in metres.
  public var place: Point
  /// The height above the reference level, in metres; nil if it is not known.
  public var height: Double?
  /// The mean level in dBm of each anchor that was heard there, by the anchor's number, with the
  /// packets behind it.
  public var levels: [Reading]
  /// The recording it comes from: points of one recording share its peculiarities.
  public var trace: Int

  /// Creates a survey point; the height is in metres.
  public init(place: Point, height: Double? = nil, levels: [Reading], trace: Int = 0) {
    self.place = place
    self.height = height
    self.levels = levels
    self.trace = trace
  }
}
