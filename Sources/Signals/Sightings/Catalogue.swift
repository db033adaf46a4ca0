public import Advertising

/// The tables that the indices of sightings point into.
public struct Catalogue: Sendable {
  public var beacons: [Node] = []
  /// Beacons that changed since the tables were handed on last, among those that were there then.
  public var revisedBeacons = 0..<0
  public var receivers: [Node] = []
  /// Names of the continuous recordings.
  public var traces: [String] = []
  public var advertisers: [DeviceAddress] = []
  /// Which addresses sent the frames of beacons that name themselves; rows are only ever added. A
  /// trace file does not keep them: `TraceReader.senders(among:)`.
  package var senders: [BeaconSender] = []
  public var dwells: [Dwell] = []
  public var truth: [TruthPoint] = []
  /// True mean levels of links; rows are only ever added.
  package var levels: [TruthLevel] = []
  /// When receivers lost something.
  public var gaps: [Gap] = []
  /// How the clock that gave the times ran.
  package var clock: [ClockReading] = []
  /// The parts of a session that the rows are from; a trace of its own has none.
  package var parts: [SessionPart] = []
  /// How far the parts' clocks were from the session's time.
  package var offsets: [SessionOffset] = []
  /// In a merged trace, how the clock of each part ran.
  package var partClocks: [PartClockReading] = []
  /// How much of a broker's stream the rows cover, whenever rows were flushed.
  package var positions: [StreamPosition] = []
  /// What of the input did not become a sighting, by reason, in order of the reasons' names.
  package var rejected: [Rejected] = []

  public init() {}

  /// Notes that a beacon changed.
  mutating func revise(_ beacon: Int) {
    revisedBeacons =
      revisedBeacons.isEmpty
      ? beacon..<beacon + 1
      : min(revisedBeacons.lowerBound, beacon)..<max(revisedBeacons.upperBound, beacon + 1)
  }
}

/// An address from which a beacon that names itself was sent.
package struct BeaconSender: Hashable, Sendable {
  /// Its row in the table of beacons.
  package var beacon: UInt32
  /// 48 bits.
  package var address: UInt64

  package init(beacon: UInt32, address: UInt64) { (self.beacon, self.address) = (beacon, address) }
}

/// A beacon or a receiver.
public struct Node: Equatable, Sendable {
  public var id: String
  /// What kind of identity a beacon has, or what kind of radio a receiver is.
  public var kind: String
  /// A name for people; may be empty.
  public var name: String = ""
  /// Coordinates in metres; NaN where unknown. A node with x and y is an anchor.
  public var x = Double.nan
  public var y = Double.nan
  public var z = Double.nan
  /// RSSI at 1 m in dBm as the beacon states it; NaN where it states none.
  public var measuredPower = Float.nan
  /// How a receiver listens; a beacon has none.
  package var radio: Radio {
    get { if case .known(let radio) = listening { radio } else { Radio() } }
    set { listening = Radio.isSame(newValue, Radio()) ? .unknown : .known(newValue) }
  }
  /// Apart, so that the row of a beacon is short.
  private var listening = Listening.unknown

  private indirect enum Listening: Equatable, Sendable {
    case unknown
    case known(Radio)
  }

  public init(id: String, kind: String) {
    self.id = id
    self.kind = kind
  }

  public var isAnchor: Bool { x.isFinite && y.isFinite }

  /// Whether two nodes are the same, what is not known being the same as what is not known.
  public static func isSame(_ a: Node, _ b: Node) -> Bool {
    a.id == b.id && a.kind == b.kind && a.name == b.name && Sightings.isSame(a.x, b.x)
      && Sightings.isSame(a.y, b.y) && Sightings.isSame(a.z, b.z)
      && Sightings.isSame(a.measuredPower, b.measuredPower) && Radio.isSame(a.radio, b.radio)
  }
}

/// A stay of one link at one known distance.
public struct Dwell: Equatable, Sendable {
  public var beacon: UInt32
  public var receiver: UInt16
  public var trace: UInt16
  /// First and last sighting, nanoseconds since the Unix epoch.
  public var start: Int64
  public var end: Int64
  /// How far the beacon was from the receiver, metres.
  public var distance: Double
  public var pose: String = ""

  public init(
    beacon: UInt32, receiver: UInt16, trace: UInt16, start: Int64, end: Int64, distance: Double
  ) {
    self.beacon = beacon
    self.receiver = receiver
    self.trace = trace
    self.start = start
    self.end = end
    self.distance = distance
  }
}

/// Whether two numbers are equal, or both not known.
func isSame<Number: FloatingPoint>(_ a: Number, _ b: Number) -> Bool {
  a == b || a.isNaN && b.isNaN
}

/// Where a node was at an instant; in between it moved straight.
public struct TruthPoint: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  public var role: NodeRole
  /// Index among the nodes of that role.
  public var node: UInt32
  public var trace: UInt16
  /// Metres; z is NaN where unknown.
  public var x: Double
  public var y: Double
  public var z: Double

  public init(
    time: Int64, role: NodeRole, node: UInt32, trace: UInt16, x: Double, y: Double, z: Double
  ) {
    self.time = time
    self.role = role
    self.node = node
    self.trace = trace
    self.x = x
    self.y = y
    self.z = z
  }
}

extension TruthPoint {
  /// Whether two points are the same, heights that are not known being the same.
  public static func isSame(_ a: TruthPoint, _ b: TruthPoint) -> Bool {
    a.time == b.time && a.isSamePlace(as: b)
  }

  /// Whether it is of the same node in the same trace and at the same place.
  func isSamePlace(as other: TruthPoint) -> Bool {
    role == other.role && node == other.node && trace == other.trace && x == other.x
      && y == other.y && Sightings.isSame(z, other.z)
  }
}

/// On which side of a link a node is.
public enum NodeRole: UInt8, Sendable {
  case receiver = 0
  case beacon = 1
}
