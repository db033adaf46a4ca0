import Advertising
package import Sightings
import TracePipelines
import TraceStore

/// The user's knowledge while recording, written into the trace as truth.
public struct RecordLabels: Sendable {
  /// A place in metres; z may be unknown.
  public struct Place: Equatable, Sendable {
    /// The x coordinate, in metres.
    public var x: Double
    /// The y coordinate, in metres.
    public var y: Double
    /// The height, in metres; NaN if it is unknown.
    public var z: Double

    /// Creates a place from coordinates in metres.
    public init(x: Double, y: Double, z: Double = .nan) {
      (self.x, self.y, self.z) = (x, y, z)
    }
  }

  /// The place of the receiver.
  public var at: Place?
  /// The places of beacons, by identity.
  public var beaconAt: [(identity: String, place: Place)] = []
  /// Nodes with known places, such as those of a site.
  var anchors: KnownAnchors?
  /// The floors of the building; empty for one plane.
  var floors: [Floor] = []
  /// The rooms of nodes, by name or identity; an empty one for each receiver of the source.
  public var rooms: [(node: String, room: String)] = []
  /// A Boolean value that is true if rooms may be marked while recording.
  var marksRooms = false
  /// The distance of every kept beacon from the receiver, in metres.
  public var distance: Double?
  /// The orientation of the device.
  public var pose = ""

  /// Creates labels without truth.
  public init() {}

  var isEmpty: Bool {
    at == nil && beaconAt.isEmpty && rooms.isEmpty && distance == nil && pose.isEmpty
  }

  /// The occasional tables of a trace with these labels.
  var tables: OccasionalTables {
    var tables: OccasionalTables = floors.isEmpty ? [] : .floors
    if marksRooms || !rooms.isEmpty { tables.insert(.rooms) }
    return tables
  }

  /// Marks the rooms of nodes that have none yet, from a time on.
  func markRooms<Sink: SightingSink & ~Copyable>(
    in builder: inout TraceBuilder<Sink>, from time: Int64
  ) throws {
    for (node, room) in rooms {
      let nodes: [(NodeRole, UInt32)] =
        node.isEmpty
        ? builder.catalogue.receivers.indices.map { (.receiver, UInt32($0)) }
        : [(.beacon, try builder.add(node, role: .beacon))]
      for (role, index) in nodes {
        let mark = RoomMark(
          time: time, role: role, node: index, trace: builder.currentTrace, room: room)
        if !builder.catalogue.rooms.contains(where: mark.isSameNode) { builder.append(mark) }
      }
    }
  }

  /// Gives identities that were sent from addresses at known places the places of these.
  func placeSenders<Sink: SightingSink & ~Copyable>(in builder: inout TraceBuilder<Sink>) {
    let places =
      beaconAt
      + (anchors?.beacons ?? []).map {
        ($0.id, Place(x: $0.x, y: $0.y, z: $0.z))
      }
    let written = WrittenBeacons(places.map(\.0))
    guard written.hasAddresses else { return }
    for sender in builder.catalogue.senders {
      let node = builder.catalogue.beacons[Int(sender.beacon)]
      guard !node.isAnchor,
        let number = written.number(of: node.id, sentFrom: [sender.address])
      else { continue }
      let place = places[number].1
      builder.update(.beacon, sender.beacon) { ($0.x, $0.y, $0.z) = (place.x, place.y, place.z) }
    }
  }

  /// Writes the labels that are known from the start into a new builder.
  func begin<Sink: SightingSink & ~Copyable>(_ builder: inout TraceBuilder<Sink>) throws {
    builder.standing = distance.map { ($0, pose) }
    for floor in floors { _ = try builder.add(floor) }
    for (role, nodes) in [(NodeRole.beacon, anchors?.beacons), (.receiver, anchors?.receivers)] {
      for node in nodes ?? [] {
        let index = try builder.add(node.id, role: role)
        let floor = floors.isEmpty ? nil : anchors?.floor(of: node)?.name
        let number = try builder.floor(named: floor ?? "")
        builder.update(role, index) {
          ($0.x, $0.y, $0.z, $0.floor) = (node.x, node.y, node.z, number)
        }
      }
    }
    for (identity, place) in beaconAt {
      let index = try builder.add(identity, role: .beacon)
      builder.update(.beacon, index) { ($0.x, $0.y, $0.z) = (place.x, place.y, place.z) }
    }
  }
}

/// The place of a node, as a user marks it.
package struct TruthMark: Equatable, Sendable {
  /// A place that a user knows.
  package enum Place: Equatable, Sendable {
    /// Coordinates in metres, of which z may be NaN, and the name of the floor in a building.
    case position(x: Double, y: Double, z: Double = .nan, floor: String? = nil)
    /// The name of a room; empty after leaving one.
    case room(String)
  }

  package var node: String
  package var role: NodeRole
  package var place: Place

  package init(node: String, role: NodeRole, at place: Place) {
    (self.node, self.role, self.place) = (node, role, place)
  }
}
