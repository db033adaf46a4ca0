/// A class of distance, in the words of beacon apps.
public enum Zone: UInt8, CaseIterable, Comparable, Sendable {
  /// A distance of at most half a metre by default.
  case immediate
  /// A longer distance, of at most three metres by default.
  case near
  /// A longer distance still.
  case far
  /// An unknown distance of a beacon that is heard.
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

/// Where one zone ends and the next begins.
package struct ZoneBorders: Equatable, Sendable {
  /// Metres up to which a beacon is immediate.
  package var immediate: Double
  /// Metres up to which it is near; beyond, it is far.
  package var near: Double

  /// Half a metre and three metres are what beacon apps mean: Apple's words are "so close" for the
  /// one and "approximately 1 to 3 metres" for the other (Apple, "Getting Started with iBeacon",
  /// 2014).
  package init(immediate: Double = 0.5, near: Double = 3) {
    self.immediate = immediate
    self.near = near
  }

  /// The zone of a distance in metres.
  package func zone(of distance: Double) -> Zone {
    if distance <= immediate { return .immediate }
    return distance <= near ? .near : .far
  }

  /// The borders of a zone in metres: nearer than the first, or farther than the second, is
  /// another.
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

  /// Wherever it is heard from, even where it is not known.
  package static let all = ZoneSet(Zone.allCases)

  package func contains(_ zone: Zone) -> Bool { rawValue & 1 << zone.rawValue != 0 }
}
