public import Geometry

/// The floors of a building, with the ways between them.
///
/// A position in a building is a floor with a place in the plane of that floor. Each floor may have
/// coordinates of its own.
public struct Building: Equatable, Sendable {
  /// A storey, with the area in which people walk.
  public struct Floor: Equatable, Sendable {
    /// The name, such as `F1`.
    public var name: String
    /// The number of storeys above the ground floor; `nil` if it is unknown.
    public var level: Int?
    /// The outline of the area in which people walk; `nil` for anywhere near the survey.
    public var outline: Polygon?
    /// The parts of the area that are closed to people.
    public var closed: [Polygon]
    /// Places of interest that may attract an estimate.
    public var spots: [Point] = []

    /// Creates a floor.
    public init(
      name: String, level: Int? = nil, outline: Polygon? = nil, closed: [Polygon] = []
    ) {
      (self.name, self.level) = (name, level)
      (self.outline, self.closed) = (outline, closed)
    }
  }

  /// Stairs, a lift or an escalator.
  public struct Connection: Equatable, Sendable {
    /// A place at which people enter and leave the connection.
    public struct End: Equatable, Sendable {
      /// The index of the floor.
      public var floor: Int
      public var place: Point

      /// Creates an end on a floor, at a place in metres.
      public init(floor: Int, place: Point) { (self.floor, self.place) = (floor, place) }
    }

    /// The ends, of which each leads to each other.
    public var ends: [End]

    /// Creates a connection between at least two ends.
    public init(ends: [End]) { self.ends = ends }
  }

  /// The floors; surveys, anchors and answers refer to them by index.
  public var floors: [Floor]
  /// The known connections.
  public var connections: [Connection]

  /// Creates a building.
  public init(floors: [Floor], connections: [Connection] = []) {
    (self.floors, self.connections) = (floors, connections)
  }
}
