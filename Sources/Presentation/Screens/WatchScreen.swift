package import Proximity

/// All that a screen shows of a watch, as a value.
package struct WatchScreen: Equatable, Sendable {
  /// Where it is heard, such as hci0.
  package var source: String
  /// The time of what is shown, such as 14:03:22.
  package var clock = ""
  /// Sightings a second.
  package var rate = 0.0
  /// The nearest first.
  package var beacons: [ScreenBeacon] = []
  package var borders: ZoneBorders
  /// From one level of a history to the next.
  package var secondsPerLevel: Double
  /// The newest last.
  package var events: [ScreenEvent] = []
  /// What a person has to know now; empty where there is nothing.
  package var message = ""
  /// The search for one beacon, where there is one.
  package var seek: SeekState?
  /// Whether keys can be pressed.
  package var hasKeys: Bool

  package init(source: String, borders: ZoneBorders, secondsPerLevel: Double, hasKeys: Bool) {
    (self.source, self.borders) = (source, borders)
    (self.secondsPerLevel, self.hasKeys) = (secondsPerLevel, hasKeys)
  }

  /// How many beacons the list has room for.
  package func visible(_ size: ScreenSize, _ controls: ScreenControls) -> Int {
    BeaconList.visible(in: layout(size, controls).list)
  }

  package func canvas(
    _ size: ScreenSize, _ controls: ScreenControls, isUnicode: Bool = true
  ) -> Canvas {
    var canvas = Canvas(size: size, isUnicode: isUnicode)
    let layout = layout(size, controls)
    if let area = layout.header { drawHeader(on: &canvas, in: area) }
    if let area = layout.seek, let seek { SeekPanel(seek: seek).draw(on: &canvas, in: area) }
    BeaconList(beacons: beacons, secondsPerLevel: secondsPerLevel)
      .draw(on: &canvas, in: layout.list, offset: controls.offset)
    if let area = layout.radar {
      Radar(borders: borders, beacons: beacons).draw(on: &canvas, in: area)
    }
    if let area = layout.events { drawEvents(on: &canvas, in: area) }
    if let area = layout.status { drawStatus(controls, layout, on: &canvas, in: area) }
    return canvas
  }

  /// The list alone as plain text.
  ///
  /// - Parameter showsTime: whether with what changes although nothing is heard.
  package func list(columns: Int, showsTime: Bool = true, isUnicode: Bool = true) -> [String] {
    var canvas = Canvas(
      size: ScreenSize(columns: columns, rows: max(beacons.count + 1, 3)), isUnicode: isUnicode)
    BeaconList(beacons: beacons, secondsPerLevel: secondsPerLevel, showsTime: showsTime)
      .draw(on: &canvas, in: canvas.area, offset: 0)
    return Array(canvas.lines.prefix(beacons.count + 1))
  }

  private func layout(_ size: ScreenSize, _ controls: ScreenControls) -> ScreenLayout {
    ScreenLayout(size, showsRadar: controls.showsRadar, isSeeking: seek != nil)
  }

  private func drawHeader(on canvas: inout Canvas, in area: ScreenArea) {
    canvas.paint(area, .heading)
    var right = "\(beacons.count) in sight  \(fixed(rate, rate < 9.95 ? 1 : 0))/s"
    if !clock.isEmpty { right += "  \(clock) UTC" }
    right += " "
    let end = area.column + area.columns
    canvas.put(right, row: area.row, endingAt: end, width: area.columns, .heading)
    canvas.put(
      " rssi watch  \(source)", row: area.row, column: area.column,
      width: area.columns - PrintableText(right).columns - 1, .heading)
  }

  private func drawEvents(on canvas: inout Canvas, in area: ScreenArea) {
    guard area.rows > 0 else { return }
    var rows = area
    let head = rows.takeTop(1)
    canvas.put("events", row: head.row, column: head.column, width: head.columns, .quiet)
    for (place, event) in events.suffix(rows.rows).reversed().enumerated() {
      let row = rows.row + place
      let taken = canvas.put(
        event.clock, row: row, column: rows.column, width: rows.columns, .quiet)
      canvas.put(
        event.text, row: row, column: rows.column + taken + 1, width: rows.columns - taken - 1,
        event.style)
    }
  }

  private func drawStatus(
    _ controls: ScreenControls, _ layout: ScreenLayout, on canvas: inout Canvas,
    in area: ScreenArea
  ) {
    if !message.isEmpty {
      canvas.put(message, row: area.row, column: area.column, width: area.columns, .strong)
      return
    }
    let visible = BeaconList.visible(in: layout.list)
    var words = hasKeys ? "q quit  r radar" : "Ctrl-C ends"
    if hasKeys, beacons.count > visible {
      let last = min(controls.offset + visible, beacons.count)
      words += "  ↑↓ scroll  \(controls.offset + 1)–\(last) of \(beacons.count)"
    }
    canvas.put(words, row: area.row, column: area.column, width: area.columns, .quiet)
  }
}
