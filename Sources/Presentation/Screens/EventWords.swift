package import Proximity

extension ProximityEvent {
  /// What happened, for people.
  ///
  /// - Parameters:
  ///   - beacon: what people call it.
  ///   - region: the name of the region, for events of regions.
  ///   - range: metres within which the beacon is reached.
  package func words(of beacon: String, region: String?, range: Double? = nil) -> String {
    let place = region.map { $0 == "all" ? "" : " \($0)" } ?? ""
    switch kind {
    case .enter: return beacon + (place.isEmpty ? " came" : " came into" + place) + whereabouts
    case .exit(.unheard): return beacon + " left" + place + ", not heard any more"
    case .exit(.zone): return beacon + " left" + place + whereabouts
    case .exit(.end): return beacon + (place.isEmpty ? "" : " in" + place) + ": the recording ended"
    case .regionEnter: return "\(region ?? "region"): somebody is there"
    case .regionExit: return "\(region ?? "region"): nobody is there any more"
    case .zone(let before): return "\(beacon) is \(zone) now, was \(before)" + whereabouts
    case .rangeReached:
      return beacon + " reached" + (range.map { ", within \(metres($0)) m" } ?? "") + whereabouts
    case .rangeLeft: return beacon + " out of range again" + whereabouts
    case .levelChange(let before):
      return "\(beacon): level changed from \(fixed(before, 0)) dBm" + whereabouts
    }
  }

  package var style: ScreenStyle {
    switch kind {
    case .exit, .regionExit, .rangeLeft: .quiet
    case .rangeReached: .strong
    case .enter, .regionEnter, .zone, .levelChange: ScreenStyle(zone)
    }
  }

  private var whereabouts: String {
    var parts: [String] = []
    if case .zone = kind {} else if zone != .unknown { parts.append("\(zone)") }
    if let distance { parts.append(metres(distance.distance) + " m") }
    if level.isFinite { parts.append(fixed(level, 0) + " dBm") }
    return parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
  }
}
