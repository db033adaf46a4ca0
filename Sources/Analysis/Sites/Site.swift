public import Geometry
import Glibc
public import Proximity
public import Support

/// The prior knowledge about the place of a recording; lengths are in metres, in one plane for each
/// floor.
///
/// On a site of several floors, everything names its floor; on any other, the name may be missing.
/// Walls are vertical from floor to ceiling, so only x and y of a path matter.
public struct Site: Hashable, Sendable {
  /// The walls.
  public var walls: [Wall] = []
  /// The nodes at known places.
  public var anchors: [Anchor] = []
  /// The rooms and zones.
  public var rooms: [Room] = []
  /// The places of interest.
  public var spots: [Spot] = []
  /// Groups of beacons that are watched together.
  public var regions: [Region] = []
  /// The floors.
  public var floors: [Floor] = []
  /// The ways between floors.
  public var connections: [Connection] = []
  /// The doors between rooms, and out of them.
  public var doors: [Door] = []
  /// The position of the site on Earth; nil if the file does not have it.
  public var reference: EarthReference?

  /// Creates an empty site.
  public init() {}

  /// A wall, straight or with corners.
  public struct Wall: Hashable, Sendable {
    /// The kind of a wall without a kind in the file.
    public static let defaultKind = "wall"

    /// The kind of wall, such as its material; all walls of a kind have the same loss.
    public var kind: String
    /// The ends and, between them, the corners: two points or more.
    public var points: [Point]
    /// The loss of one crossing in dB, if it is known.
    public var attenuation: Double?
    /// The name of the floor; nil on a site of at most one.
    public var floor: String?

    /// Creates a wall through points in metres; the loss is in dB.
    public init(
      _ points: [Point], kind: String = Wall.defaultKind, attenuation: Double? = nil,
      floor: String? = nil
    ) {
      self.points = points
      self.kind = kind
      self.attenuation = attenuation
      self.floor = floor
    }
  }

  /// A node with fixed known coordinates.
  public struct Anchor: Hashable, Sendable {
    /// The side of a link that an anchor is on.
    public enum Role: String, Hashable, Sendable { case beacon, receiver }

    /// The name of the node in recordings.
    public var node: String
    /// The role of the node.
    public var role: Role
    /// The place in the plane, in metres.
    public var place: Point
    /// The height above the floor in metres, if it is known.
    public var height: Double?
    /// The RSSI at 1 m in dBm, if it is known.
    public var measuredPower: Double?
    /// The name of the floor; nil on a site of at most one.
    public var floor: String?

    /// Creates an anchor; lengths are in metres, and the measured power is in dBm.
    public init(
      node: String, role: Role, place: Point, height: Double? = nil, measuredPower: Double? = nil,
      floor: String? = nil
    ) {
      self.node = node
      self.role = role
      self.place = place
      self.height = height
      self.measuredPower = measuredPower
      self.floor = floor
    }
  }

  /// A place of interest.
  public struct Spot: Hashable, Sendable {
    /// The name of the spot.
    public var name: String
    /// The place in the plane, in metres.
    public var place: Point
    /// The height above the floor in metres, if it is known.
    public var height: Double?
    /// The note about the spot, for users.
    public var note: String?
    /// The name of the floor; nil on a site of at most one.
    public var floor: String?

    /// Creates a place of interest; lengths are in metres.
    public init(
      name: String, place: Point, height: Double? = nil, note: String? = nil, floor: String? = nil
    ) {
      self.name = name
      self.place = place
      self.height = height
      self.note = note
      self.floor = floor
    }
  }
}

extension Site {
  /// Reads a site from the bytes of a TOML document.
  ///
  /// - Parameter path: The name of the file for messages.
  /// - Throws: `RSSIError.badTOML` with the line.
  public init(toml bytes: [UInt8], path: String) throws(RSSIError) {
    guard bytes.count <= Self.maximumFileLength else {
      throw .tooLong(path: path, limit: Self.maximumFileLength)
    }
    var reading = SiteReading(root: try TOMLTable(bytes, path: path))
    try reading.requireKnownKeys()
    self.init()
    floors = try reading.floors()
    reading.knownFloors = floors
    walls = try reading.walls()
    anchors = try reading.anchors()
    reading.knownAnchors = anchors
    rooms = try reading.rooms()
    reading.knownRooms = rooms
    (connections, doors) = try reading.connections()
    spots = try reading.spots()
    regions = try reading.regions()
    reference = try reading.reference()
  }
}

extension Site {
  /// Returns a predicate of places, which is true in a room of the site and on its walls.
  ///
  /// - Parameter path: The file of the site, for the error.
  /// - Throws: `RSSIError` of kind `badInput` for a site without rooms.
  public func roomTest(of path: String) throws -> (_ x: Double, _ y: Double) throws -> Bool {
    guard !rooms.isEmpty else {
      throw RSSIError(.badInput, "\(path): no rooms, so the allowed places of beacons are unknown")
    }
    return { [rooms] x, y in
      let place = Point(x: x, y: y)
      return try rooms.contains { try $0.distance(to: place) <= wallAllowance }
    }
  }
}

/// The allowance for walls in metres: beacons hang on walls, and outlines are drawn along either
/// side of one.
private let wallAllowance = 0.3

extension Site {
  /// The longer side of the rectangle around all walls and rooms, in metres; 0 if there are none.
  public var extent: Double { PlaceScale.longerSide(drawn) }

  private var drawn: [Point] { walls.flatMap(\.points) + rooms.flatMap(\.polygon) }

  /// Returns a Boolean value that is true if walls and rooms appear to be drawn in centimetres.
  ///
  /// A site of 3 m or more then has a length of 300 m, no room narrower than 100 m, and no wall
  /// shorter than 10 m. In addition, either its anchors are in metres and therefore within a
  /// hundredth of it, or they are in centimetres too and 100 m apart, so that no target could
  /// receive two of them. Large sites differ: a mall has rooms narrower than 100 m, a hall has
  /// anchors nearer than 100 m, and a campus without rooms may have them that far apart.
  ///
  /// - Parameter anchors: The places of all known nodes, from any file.
  public func looksLikeCentimetres(anchors: [Point]) -> Bool {
    guard anchors.count >= 2, extent >= 300,
      rooms.allSatisfy({ PlaceScale.shorterSide($0.polygon) >= 100 }),
      walls.allSatisfy({ PlaceScale.longerSide($0.points) >= 10 })
    else { return false }
    return PlaceScale.isHundredfold(drawn, of: anchors)
      || !rooms.isEmpty && PlaceScale.medianSpacing(anchors) >= 100
  }
}

/// Errors of site files.
extension RSSIError {
  package static func tooLong(path: String, limit: Int) -> RSSIError {
    RSSIError(
      .badInput, "the file has more than \(limit) bytes, too many for its kind", in: path,
      advice: "check that it is the right file")
  }

  /// Returns the error of a file that is not TOML, or describes an impossible site.
  ///
  /// - Parameters:
  ///   - line: The line, counted from 1.
  ///   - problem: A clause with the problem and the remedy.
  package static func badTOML(path: String, line: Int, problem: String) -> RSSIError {
    RSSIError(.badInput, problem, in: "\(path), line \(line)")
  }

  /// Returns the error of a place that cannot be used in computations.
  package static func badPosition(_ point: Point) -> RSSIError {
    RSSIError(
      .badInput, "invalid place (\(point.x), \(point.y))",
      advice: "give finite coordinates in metres, at most 1000 km from the origin")
  }
}

extension Site {
  /// The largest size of a site file in bytes: about 10,000 walls.
  public static let maximumFileLength = 1_000_000

  /// Reads a site file: TOML 1.0 as documented in docs/site.md.
  ///
  /// - Throws: `RSSIError` that names the file and, for invalid content, the line.
  public init(path: String) throws(RSSIError) {
    let bytes = try contents(ofFile: path, atMost: Site.maximumFileLength + 1)
    do throws(RSSIError) {
      self = try Site(toml: bytes, path: path)
    } catch {
      throw KnownFile.misplaced(path, for: "a site file", of: [.site]) ?? error
    }
  }
}
