package import Proximity

/// An event, as a line of a screen.
package struct ScreenEvent: Equatable, Sendable {
  /// The subject of an event.
  enum Content: Equatable {
    /// A change of a beacon, with the name of the region for events of regions.
    case change(ProximityEvent, of: BeaconName, region: String?)
    /// A sentence about a node at a place.
    case sentence(String)
  }

  /// The time, in nanoseconds since the Unix epoch.
  let time: Int64
  let content: Content

  package init(_ event: ProximityEvent, of beacon: BeaconName, region: String?) {
    (time, content) = (event.time, .change(event, of: beacon, region: region))
  }

  package init(_ sentence: String, at time: Int64) {
    (self.time, content) = (time, .sentence(sentence))
  }

  /// The beacon that changed; nil for a sentence.
  var beacon: BeaconName? {
    if case .change(_, let beacon, _) = content { beacon } else { nil }
  }

  func words(_ names: ScreenNames) -> String {
    switch content {
    case .change(let event, let beacon, let region):
      event.words(of: names.words(of: beacon), region: region, range: event.range)
    case .sentence(let sentence): sentence
    }
  }

  var style: ScreenStyle {
    switch content {
    case .change(let event, _, _): event.style
    case .sentence: .strong
    }
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
      let row = rows.row + place
      let taken = canvas.put(
        screenClock(line.time), row: row, column: rows.column, width: rows.columns, .quiet)
      canvas.put(
        line.words(names), row: row, column: rows.column + taken + 1,
        width: rows.columns - taken - 1,
        line.style)
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
