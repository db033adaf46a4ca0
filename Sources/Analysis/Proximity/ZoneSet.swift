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
