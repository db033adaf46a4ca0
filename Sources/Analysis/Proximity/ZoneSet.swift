/// Several zones, such as "near or immediate".
public struct ZoneSet: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public init(_ zones: some Sequence<Zone>) {
    self.init(rawValue: zones.reduce(0) { $0 | 1 << $1.rawValue })
  }

  /// Wherever it is heard from, even where nobody can tell.
  public static let all = ZoneSet(Zone.allCases)

  public func contains(_ zone: Zone) -> Bool { rawValue & 1 << zone.rawValue != 0 }
}
