/// The order of a list of beacons.
package enum ListOrder: CaseIterable, Equatable, Sendable {
  /// The nearest first; beacons at unknown distances last, the strongest of them first.
  case nearest
  case strongest
  /// The latest heard first.
  case latest
  /// The highest rate first.
  case rate
  case name

  var words: String {
    switch self {
    case .nearest: "nearest"
    case .strongest: "strongest"
    case .latest: "last heard"
    case .rate: "rate"
    case .name: "name"
    }
  }

  var next: ListOrder {
    let all = Self.allCases
    let place = all.firstIndex(of: self).map { all.index(after: $0) } ?? all.startIndex
    return place < all.endIndex ? all[place] : .nearest
  }

  /// Returns the beacons in this order; equal ones stay in their order.
  func sorted(_ beacons: [ScreenBeacon]) -> [ScreenBeacon] {
    switch self {
    case .nearest:
      sorted(beacons) { beacon in
        (beacon.distance ?? .infinity, beacon.distance == nil ? -beacon.level : 0)
      }
    case .strongest: sorted(beacons) { (-$0.level, 0) }
    case .latest: sorted(beacons) { ($0.silence, 0) }
    case .rate: sorted(beacons) { (-$0.rate, 0) }
    case .name:
      beacons.map { (key: $0.name.full.lowercased(), beacon: $0) }.sorted {
        ($0.key, $0.beacon.number) < ($1.key, $1.beacon.number)
      }.map(\.beacon)
    }
  }

  /// Returns the beacons by a value, the smallest first and unknown ones last.
  private func sorted(
    _ beacons: [ScreenBeacon], by key: (ScreenBeacon) -> (Double, Double)
  ) -> [ScreenBeacon] {
    beacons.map { beacon in
      let (first, second) = key(beacon)
      let isKnown = (!first.isNaN, !second.isNaN)
      return (
        key: (isKnown.0 ? first : .infinity, isKnown.1 ? second : .infinity, beacon.number),
        beacon: beacon
      )
    }.sorted { $0.key < $1.key }.map(\.beacon)
  }
}
