/// A beacon or a receiver.
public struct Node: Equatable, Sendable {
  /// The identity of a beacon, or the name of a receiver.
  public var id: String
  /// The kind of a beacon's identity, or of a receiver's radio.
  public var kind: String
  /// A name for people, cut to what a trace keeps; may be empty.
  public var name: String = "" { didSet { name = TextLimit.nodeName.fitted(name) } }
  /// The x coordinate, in metres; NaN if it is unknown.
  public var x = Double.nan
  /// The y coordinate, in metres; NaN if it is unknown.
  public var y = Double.nan
  /// The height, in metres; NaN if it is unknown.
  public var z = Double.nan
  /// RSSI at 1 m in dBm as the beacon states it; NaN where it states none.
  public var measuredPower = Float.nan
  /// The radio of a receiver; a beacon has none.
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

  /// Creates a node at an unknown place.
  public init(id: String, kind: String) {
    self.id = id
    self.kind = kind
  }

  /// A Boolean value that is true if x and y are known.
  public var isAnchor: Bool { x.isFinite && y.isFinite }

  /// Returns true if two nodes are the same; unknown values are equal.
  public static func isSame(_ a: Node, _ b: Node) -> Bool {
    a.id == b.id && a.kind == b.kind && a.name == b.name && Sightings.isSame(a.x, b.x)
      && Sightings.isSame(a.y, b.y) && Sightings.isSame(a.z, b.z)
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

/// The radio of a receiver and the nature of its numbers; texts are cut to what a trace keeps.
package struct Radio: Equatable, Sendable {
  /// The place of the radio, such as `hci0`, `/dev/ttyACM0` or `mqtt://broker/ruuvi/#`; may be
  /// empty.
  package var adapter = "" { didSet { adapter = TextLimit.adapter.fitted(adapter) } }
  /// The statements of the controller: address, version, manufacturer; may be empty.
  package var controller = "" { didSet { controller = TextLimit.controller.fitted(controller) } }
  /// `passive` or `active`; empty where it is not known.
  package var scan = "" { didSet { scan = TextLimit.scan.fitted(scan) } }
  /// Seconds from one scan window to the next; NaN where it is not known.
  package var interval = Float.nan
  /// Seconds of listening in each interval; NaN where it is not known.
  package var window = Float.nan
  /// Physical layers listened to, such as `1m` or `1m,coded`; empty where they are not known.
  package var phys = "" { didSet { phys = TextLimit.phys.fitted(phys) } }
  package var rssiKind = RSSIKind.raw
  package var timeKind = TimeKind.recorded

  package init() {}

  /// Returns true if two are the same; unknown values are equal.
  package static func isSame(_ a: Radio, _ b: Radio) -> Bool {
    a.adapter == b.adapter && a.controller == b.controller && a.scan == b.scan
      && Sightings.isSame(a.interval, b.interval) && Sightings.isSame(a.window, b.window)
      && a.phys == b.phys && a.rssiKind == b.rssiKind && a.timeKind == b.timeKind
  }

  /// The nature of a receiver's levels.
  package enum RSSIKind: String, CaseIterable, Sendable {
    /// One advertisement, as the controller measured it.
    case raw
    /// The last of several advertisements; the others are lost.
    case last
    /// Smoothed by the receiver, which cannot be undone.
    case filtered
  }

  /// The nature of a receiver's times.
  package enum TimeKind: String, CaseIterable, Sendable {
    /// The kernel got the event from the controller.
    case kernel
    /// This program read it.
    case host
    /// The gateway's own, in whole seconds.
    case gatewaySeconds = "gateway-s"
    /// The gateway's own, in milliseconds or better.
    case gatewayMilliseconds = "gateway-ms"
    /// The message arrived from the broker.
    case arrival
    /// As a recording or a table has it.
    case recorded
  }
}

/// Returns true if two numbers are equal, or both not known.
func isSame<Number: FloatingPoint>(_ a: Number, _ b: Number) -> Bool {
  a == b || a.isNaN && b.isNaN
}
