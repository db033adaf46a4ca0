public import Geometry

/// The prior knowledge about a site and about one target's links in it.
public struct Surroundings: Sendable {
  /// The number of coordinates to estimate.
  public enum Dimensions: Int, Sendable {
    /// The place in the plane; the reference level is the target's height.
    case plane = 2
    /// The place in the plane and the height.
    case space = 3
  }

  /// The coordinates to estimate.
  public var dimensions: Dimensions = .plane
  /// All anchors; observations and readings refer to them by index.
  public var anchors: [Anchor] = []
  /// The error that the curves of all anchors share; `nil` if it is unknown, or each anchor has its
  /// own calibration.
  package var curveError: CurveError?
  /// The area in which positions are searched; `nil` derives it from the anchors, see
  /// ``searchBounds``.
  public var bounds: Bounds?
  /// Rooms that can contain the target; empty for anywhere in the bounds.
  public var rooms: [Polygon] = []
  /// Walls that block motion.
  public var walls: [Segment] = []
  /// Places of interest that may attract an estimate.
  public var spots: [Point] = []
  /// The survey: levels at known places to learn from; empty without a survey.
  public var survey: [SurveyPoint] = []
  /// The variation of the survey's levels, if it was learned before; `nil` to learn it.
  package var variation: LevelVariation?
  /// The radio map learned from the survey, shared by all algorithms; `nil` without a survey.
  package var radioMap: RadioMap?

  /// Creates surroundings without anchors.
  public init() {}

  /// The bounds, or else the rooms' rectangle, or else that of the anchors and the surveyed places
  /// with a margin.
  ///
  /// The margin is the mean spacing of these on a square grid, √(area / count), and at least 1 m:
  /// if beacons and surveys are laid out to cover a site, none of it is much farther from them than
  /// that.
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
  /// Returns the matrix as the covariance of a position.
  func covariance(in dimensions: Surroundings.Dimensions) -> Covariance {
    Covariance(
      xx: xx, xy: xy, yy: yy,
      vertical: dimensions == .space ? Covariance.Vertical(xz: xz, yz: yz, zz: zz) : nil)
  }
}

extension Point {
  /// A Boolean value that is true if both coordinates are plausible.
  fileprivate var isOnEarth: Bool { abs(x) <= Circle.longest && abs(y) <= Circle.longest }
}

/// The levels at a known place, for algorithms that learn a site: one row of a radio map.
public struct SurveyPoint: Equatable, Sendable {
  /// The place in the plane, in metres.
  public var place: Point
  /// The height above the reference level, in metres; nil if it is not known.
  public var height: Double?
  /// The mean level in dBm of each anchor that was received there, by its index, with the number of
  /// packets.
  public var levels: [Reading]
  /// The index of its recording; points of one recording share its peculiarities.
  public var trace: Int

  /// Creates a survey point; the height is in metres.
  public init(place: Point, height: Double? = nil, levels: [Reading], trace: Int = 0) {
    self.place = place
    self.height = height
    self.levels = levels
    self.trace = trace
  }
}
