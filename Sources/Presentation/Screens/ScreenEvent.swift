package import Proximity

/// An event, as a line of a screen.
package struct ScreenEvent: Equatable, Sendable {
  package var event: ProximityEvent
  package var beacon: BeaconName
  /// The name of the region, for events of regions.
  package var region: String?

  package init(_ event: ProximityEvent, of beacon: BeaconName, region: String?) {
    (self.event, self.beacon, self.region) = (event, beacon, region)
  }
}

/// The events of a watch, the newest first.
struct EventPanel {
  let events: [ScreenEvent]
  let names: ScreenNames

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    guard !area.isEmpty else { return }
    var rows = area
    let head = rows.takeTop(1)
    canvas.put("events", row: head.row, column: head.column, width: head.columns, .quiet)
    for (place, line) in events.suffix(rows.rows).reversed().enumerated() {
      let (row, event) = (rows.row + place, line.event)
      let taken = canvas.put(
        screenClock(event.time), row: row, column: rows.column, width: rows.columns, .quiet)
      let words = event.words(
        of: names.words(of: line.beacon), region: line.region, range: event.range)
      canvas.put(
        words, row: row, column: rows.column + taken + 1, width: rows.columns - taken - 1,
        event.style)
    }
  }
}

extension ProximityEvent {
  /// Returns the event in words.
  ///
  /// - Parameters:
  ///   - beacon: the name of the beacon.
  ///   - region: the name of the region, for events of regions.
  ///   - range: the distance within which the beacon is reached, in metres.
  package func words(of beacon: String, region: String?, range: Double? = nil) -> String {
    let place = region.map { $0 == "all" ? "" : " \($0)" } ?? ""
    switch kind {
    case .enter: return beacon + (place.isEmpty ? " appeared" : " entered" + place) + whereabouts
    case .exit(.unheard): return beacon + " left" + place + ", not heard any more"
    case .exit(.zone): return beacon + " left" + place + whereabouts
    case .exit(.end): return beacon + (place.isEmpty ? "" : " in" + place) + ": the recording ended"
    case .regionEnter: return "region \(region ?? "all"): entered"
    case .regionExit: return "region \(region ?? "all"): left"
    case .zone(let before): return "\(beacon) is \(zone) now, was \(before)" + whereabouts
    case .rangeReached:
      return beacon + " reached" + (range.map { ", within \(metres($0)) m" } ?? "") + whereabouts
    case .rangeLeft: return beacon + " out of range again" + whereabouts
    case .levelChange(let before):
      return "\(beacon): level changed from \(bounded(before, 0)) dBm" + whereabouts
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
    if level.isFinite { parts.append(bounded(level, 0) + " dBm") }
    return parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
  }
}
