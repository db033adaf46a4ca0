/// A beacon or a receiver.
public struct Node: Equatable, Sendable {
  /// The identity of a beacon, or the name of a receiver.
  public var id: String
  /// The kind of a beacon's identity, or of a receiver's radio.
  public var kind: String
  /// The display name, cut to the limit of a trace; may be empty.
  public var name: String = "" { didSet { name = TextLimit.nodeName.fitted(name) } }
  /// The x coordinate, in metres; NaN if it is unknown.
  public var x = Double.nan
  /// The y coordinate, in metres; NaN if it is unknown.
  public var y = Double.nan
  /// The height above the floor, in metres; NaN if it is unknown.
  public var z = Double.nan
  /// The row of the floor in the catalogue; `nil` if it is unknown.
  public var floor: UInt16?
  /// The RSSI at 1 m in dBm that the beacon advertises; NaN if there is none.
  public var measuredPower = Float.nan
  /// The radio of a receiver; a beacon has none.
  package var radio: Radio {
    get { if case .known(let radio) = listening { radio } else { Radio() } }
    set { listening = Radio.isSame(newValue, Radio()) ? .unknown : .known(newValue) }
  }
  /// Stored separately, so that the row of a beacon is short.
  private var listening = Listening.unknown

  private indirect enum Listening: Equatable, Sendable {
    case unknown
    case known(Radio)
  }

  /// Creates a node at an unknown place.
  public init(id: String, kind: String) {
    self.id = id
    self.kind = kind
  }

  /// A Boolean value that is true if x and y are known.
  public var isAnchor: Bool { x.isFinite && y.isFinite }

  /// Returns a Boolean value that is true if two nodes are equal, including unknown values.
  public static func isSame(_ a: Node, _ b: Node) -> Bool {
    a.id == b.id && a.kind == b.kind && a.name == b.name && Sightings.isSame(a.x, b.x)
      && Sightings.isSame(a.y, b.y) && Sightings.isSame(a.z, b.z) && a.floor == b.floor
      && Sightings.isSame(a.measuredPower, b.measuredPower) && Radio.isSame(a.radio, b.radio)
  }
}

/// The side of a link that a node is on.
public enum NodeRole: UInt8, Sendable {
  /// The side that receives.
  case receiver = 0
  /// The side that transmits.
  case beacon = 1
}

extension NodeRole: CustomStringConvertible {
  /// The name in tables and reports.
  public var description: String { self == .receiver ? "receiver" : "beacon" }
}

/// The radio of a receiver and the kind of its values; texts are cut to the limits of a trace.
package struct Radio: Equatable, Sendable {
  /// The place of the radio, such as `hci0`, `/dev/ttyACM0` or `mqtt://broker/ruuvi/#`; may be
  /// empty.
  package var adapter = "" { didSet { adapter = TextLimit.adapter.fitted(adapter) } }
  /// The controller's address, version and manufacturer; may be empty.
  package var controller = "" { didSet { controller = TextLimit.controller.fitted(controller) } }
  /// The scan type, `passive` or `active`; empty if unknown.
  package var scan = "" { didSet { scan = TextLimit.scan.fitted(scan) } }
  /// The time between the starts of scan windows, in seconds; NaN if unknown.
  package var interval = Float.nan
  /// The duration of a scan window, in seconds; NaN if unknown.
  package var window = Float.nan
  /// The physical layers of the scan, such as `1m` or `1m,coded`; empty if unknown.
  package var phys = "" { didSet { phys = TextLimit.phys.fitted(phys) } }
  package var rssiKind = RSSIKind.raw
  package var timeKind = TimeKind.recorded

  package init() {}

  /// Returns a Boolean value that is true if two radios are equal, including unknown values.
  package static func isSame(_ a: Radio, _ b: Radio) -> Bool {
    a.adapter == b.adapter && a.controller == b.controller && a.scan == b.scan
      && Sightings.isSame(a.interval, b.interval) && Sightings.isSame(a.window, b.window)
      && a.phys == b.phys && a.rssiKind == b.rssiKind && a.timeKind == b.timeKind
  }

  /// The kind of a receiver's levels.
  package enum RSSIKind: String, CaseIterable, Sendable {
    /// The level of one advertisement, as the controller measured it.
    case raw
    /// The level of the last of several advertisements; the others are lost.
    case last
    /// A level smoothed by the receiver, which cannot be undone.
    case filtered
  }

  /// The kind of a receiver's times.
  package enum TimeKind: String, CaseIterable, Sendable {
    /// The time at which the kernel got the event from the controller.
    case kernel
    /// The time at which this program read it.
    case host
    /// The gateway's own time, in whole seconds.
    case gatewaySeconds = "gateway-s"
    /// The gateway's own time, in milliseconds or better.
    case gatewayMilliseconds = "gateway-ms"
    /// The time at which the message arrived from the broker.
    case arrival
    /// The time in a recording or a table.
    case recorded
  }
}

/// Returns a Boolean value that is true if two numbers are equal, or both unknown.
package func isSame<Number: FloatingPoint>(_ a: Number, _ b: Number) -> Bool {
  a == b || a.isNaN && b.isNaN
}
