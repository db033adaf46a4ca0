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
