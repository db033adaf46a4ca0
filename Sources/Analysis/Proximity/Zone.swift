/// How near a beacon is, in the words of beacon apps.
package enum Zone: UInt8, CaseIterable, Comparable, Sendable {
  case immediate
  case near
  case far
  /// It is heard, but it is not known from how far.
  case unknown

  package static func < (a: Zone, b: Zone) -> Bool { a.rawValue < b.rawValue }
}

extension Zone: CustomStringConvertible {
  package var description: String {
    switch self {
    case .immediate: "immediate"
    case .near: "near"
    case .far: "far"
    case .unknown: "unknown"
    }
  }
}
