package import Proximity

/// Something that happened, as a line of a screen.
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
