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
  /// Places of interest that may attract an estimate; those of a building are on its floors.
  public var spots: [Point] = []
  /// The survey: levels at known places to learn from; empty without a survey.
  public var survey: [SurveyPoint] = []
  /// The variation of the survey's levels, if it was learned before; `nil` to learn it.
  package var variation: LevelVariation?
  /// The exponents in a building, if they were learned before; `nil` to learn them.
  package var exponents: FloorExponents?
  /// The radio map learned from the survey, shared by all algorithms; `nil` without a survey.
  package var radioMap: RadioMap?
  /// The floors, to whose own planes the places of the survey and of anchors belong; `nil` if there
  /// is one plane, and anchors have places in it.
  public var building: Building?
  /// The map of the building learned from the survey; `nil` without a survey.
  package var buildingMap: BuildingMap?

  /// Creates surroundings without anchors.
  public init() {}

  /// Returns the places of interest on the floor of a position; `nil` for one plane.
  func spots(on floor: Int?) -> [Point] {
    guard let floor, let building, building.floors.indices.contains(floor) else { return spots }
    return building.floors[floor].spots
  }

  /// The bounds, or else the rooms' rectangle, or else that of the anchors and the surveyed places
  /// with a margin.
  ///
  /// The margin is half the mean spacing of these on a square grid, √(area / count) / 2: if beacons
  /// and surveys are laid out to cover a site, its border is not farther from the outermost ones
  /// than that. It is at least 1 m, and 0.5 m with a survey, which comes as near to walls as people
  /// walk.
  public var searchBounds: Bounds? {
    if let bounds { return bounds }
    if let rooms = Bounds(around: rooms.lazy.flatMap(\.corners)) { return rooms }
    guard !anchors.isEmpty else { return nil }
    let places = anchors.map(\.place) + survey.map(\.place).filter(\.isOnEarth)
    guard let box = Bounds(around: places) else { return nil }
    let (width, depth) = (box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
    let longer = max(width, depth)
    let spacing = (longer * max(min(width, depth), longer / 4) / Double(places.count)).squareRoot()
    let margin = max(spacing / 2, survey.isEmpty ? 1 : 0.5)
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
  /// The stretch of the walk over which the levels were averaged; `nil` for a node at rest.
  public var stretch: Stretch?
  /// The readings behind the levels, in order of time; empty if their times are unknown.
  public var readings: [PathReading] = []
  /// The index of the floor in the building.
  public var floor = 0
  /// The time spent there, in seconds.
  public var seconds = 0.0

  /// Creates a survey point; the height is in metres.
  public init(
    place: Point, height: Double? = nil, levels: [Reading], trace: Int = 0,
    stretch: Stretch? = nil
  ) {
    self.place = place
    self.height = height
    self.levels = levels
    self.trace = trace
    self.stretch = stretch
  }
}

/// A reading of a survey with its place on the path.
public struct PathReading: Equatable, Sendable {
  public var reading: Reading
  /// The place in the plane, in metres.
  public var place: Point
  /// The length of the path since the start of the recording, in metres.
  public var way: Double

  /// Creates a reading at a place, in metres.
  public init(_ reading: Reading, at place: Point, way: Double) {
    (self.reading, self.place, self.way) = (reading, place, way)
  }
}

/// The straight stretch of a walk over which levels were averaged.
public struct Stretch: Hashable, Sendable {
  /// The middle of the stretch.
  public var centre: Point
  /// The vector from the middle to the end, in metres; 0 for a node at rest.
  public var reach: Point

  /// Creates a stretch from its middle and the vector from there to its end, in metres.
  public init(centre: Point, reach: Point = Point(x: 0, y: 0)) {
    self.centre = centre
    self.reach = reach
  }

  /// Creates the stretch of a walk whose position is known at every time: its middle is the mean
  /// position, and its reach follows from two places near its ends.
  ///
  /// - Parameter position: Returns the position at a time from -1, the start, to 1, the end.
  package init?(along position: (Double) -> Point?) {
    guard let first = position(-Self.outer), let middle = position(0),
      let last = position(Self.outer)
    else { return nil }
    centre = Point(
      x: (5 * first.x + 8 * middle.x + 5 * last.x) / 18,
      y: (5 * first.y + 8 * middle.y + 5 * last.y) / 18)
    reach = Point(
      x: (last.x - first.x) / (2 * Self.outer), y: (last.y - first.y) / (2 * Self.outer))
  }

  /// The outer node of the Gauss–Legendre quadrature with three nodes, √0.6; the weights are 5, 8
  /// and 5 of 18.
  private static let outer = 0.6.squareRoot()

  /// A Boolean value that is true for a node at rest.
  var isPoint: Bool { reach.x == 0 && reach.y == 0 }

  /// Calls a closure with places of the stretch and their weights, whose weighted sum approximates
  /// the mean of a function over it.
  @inline(__always)
  func forEachNode(_ body: (Point, Double) -> Void) {
    guard !isPoint else { return body(centre, 1) }
    let (x, y) = (Self.outer * reach.x, Self.outer * reach.y)
    body(Point(x: centre.x - x, y: centre.y - y), 5.0 / 18)
    body(centre, 8.0 / 18)
    body(Point(x: centre.x + x, y: centre.y + y), 5.0 / 18)
  }

  /// Returns the mean of a function over the stretch.
  @inline(__always)
  func mean(_ value: (Point) -> Double) -> Double {
    var sum = 0.0
    forEachNode { sum += $1 * value($0) }
    return sum
  }

  /// A Boolean value that is true if all coordinates are plausible.
  package var isOnEarth: Bool {
    [centre, reach].allSatisfy { abs($0.x) <= Circle.longest && abs($0.y) <= Circle.longest }
  }
}
