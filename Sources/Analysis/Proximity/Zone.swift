/// A class of distance, as beacon apps use it.
public enum Zone: UInt8, CaseIterable, Comparable, Sendable {
  /// A distance of at most half a metre by default.
  case immediate
  /// A longer distance, of at most three metres by default.
  case near
  /// A longer distance.
  case far
  /// The unknown distance of an active beacon.
  case unknown

  public static func < (a: Zone, b: Zone) -> Bool { a.rawValue < b.rawValue }
}

extension Zone: CustomStringConvertible {
  public var description: String {
    switch self {
    case .immediate: "immediate"
    case .near: "near"
    case .far: "far"
    case .unknown: "unknown"
    }
  }
}

/// The borders between zones.
package struct ZoneBorders: Equatable, Sendable {
  /// The largest distance of the zone immediate, in metres.
  package var immediate: Double
  /// The largest distance of the zone near, in metres; beyond it is far.
  package var near: Double

  /// Creates borders; the defaults of half a metre and three metres follow Apple's "so close" and
  /// "approximately 1 to 3 metres" (Apple, "Getting Started with iBeacon", 2014).
  package init(immediate: Double = 0.5, near: Double = 3) {
    self.immediate = immediate
    self.near = near
  }

  /// Returns the zone of a distance in metres.
  package func zone(of distance: Double) -> Zone {
    if distance <= immediate { return .immediate }
    return distance <= near ? .near : .far
  }

  /// Returns the inner and outer borders of a zone in metres.
  func limits(of zone: Zone) -> (inner: Double, outer: Double) {
    switch zone {
    case .immediate: (0, immediate)
    case .near: (immediate, near)
    case .far: (near, .infinity)
    case .unknown: (0, .infinity)
    }
  }
}

/// Several zones, such as "near or immediate".
package struct ZoneSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ zones: some Sequence<Zone>) {
    self.init(rawValue: zones.reduce(0) { $0 | 1 << $1.rawValue })
  }

  /// All zones, including an unknown distance.
  package static let all = ZoneSet(Zone.allCases)

  package func contains(_ zone: Zone) -> Bool { rawValue & 1 << zone.rawValue != 0 }
}
