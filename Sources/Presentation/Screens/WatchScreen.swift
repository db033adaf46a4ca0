package import Proximity

/// All that a screen shows of a watch, as a value.
package struct WatchScreen: Equatable, Sendable {
  /// What a pause stops.
  package enum Pause: Equatable, Sendable {
    /// The recording that is replayed.
    case replay
    /// The screen alone; sightings that were received since.
    case screen(received: Int)
  }

  /// Where it is heard, such as hci0.
  package var source: String
  /// The time of what is shown, such as 14:03:22.
  package var clock = ""
  /// Sightings a second.
  package var rate = 0.0
  /// In any order.
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
  package var pause: Pause?
  /// Whether keys can be pressed.
  package var hasKeys: Bool

  package init(source: String, borders: ZoneBorders, secondsPerLevel: Double, hasKeys: Bool) {
    (self.source, self.borders) = (source, borders)
    (self.secondsPerLevel, self.hasKeys) = (secondsPerLevel, hasKeys)
  }

  /// Takes a key for what is shown.
  package func press(_ key: Key, _ size: ScreenSize, _ controls: inout ScreenControls) {
    let list = list(size, controls)
    controls.press(key, shown: list.beacons.map(\.number), visible: list.visible)
  }

  /// Draws all, after moving what is chosen to where beacons are now.
  package func canvas(
    _ size: ScreenSize, _ controls: inout ScreenControls, isUnicode: Bool = true
  ) -> Canvas {
    var canvas = Canvas(size: size, isUnicode: isUnicode)
    guard ScreenLayout.fits(size) else {
      let (columns, rows) = (ScreenLayout.least.columns, ScreenLayout.least.rows)
      let words = "Terminal too small: \(columns) × \(rows) needed"
      for (row, line) in wrapped(words, to: size.columns).enumerated() {
        canvas.put(line, row: row, column: 0)
      }
      return canvas
    }
    let layout = layout(size, controls)
    let list = list(size, controls)
    controls.keep(shown: list.beacons.map(\.number), visible: list.visible)
    if let area = layout.header { drawHeader(on: &canvas, in: area) }
    if controls.showsHelp {
      HelpPanel().draw(on: &canvas, in: layout.body)
    } else if controls.showsDetail {
      let selected = beacons.first { $0.number == controls.selected }
      DetailPanel(beacon: selected).draw(on: &canvas, in: layout.body)
    } else {
      drawPanels(layout, list, controls, on: &canvas)
    }
    let last = min(controls.offset + list.visible, list.beacons.count)
    let isWhole = list.beacons.count <= list.visible
    StatusLine(
      controls: controls, message: message, pause: pause, hasKeys: hasKeys,
      places: isWhole ? nil : controls.offset + 1...last, listed: list.beacons.count,
      inSight: beacons.count
    ).draw(on: &canvas, in: layout.status)
    return canvas
  }

  /// The list alone as plain text, the nearest first.
  ///
  /// - Parameter showsTime: whether with what changes although nothing is heard.
  package func list(columns: Int, showsTime: Bool = true, isUnicode: Bool = true) -> [String] {
    // Two more rows for its head.
    var canvas = Canvas(
      size: ScreenSize(columns: columns, rows: max(beacons.count + 2, 3)), isUnicode: isUnicode)
    BeaconList(
      ListOrder.nearest.sorted(beacons), ScreenNames(beacons.lazy.map(\.name)),
      secondsPerLevel: secondsPerLevel, in: canvas.area, showsTime: showsTime
    ).draw(on: &canvas, offset: 0)
    var lines = canvas.lines
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private func layout(_ size: ScreenSize, _ controls: ScreenControls) -> ScreenLayout {
    ScreenLayout(size, showsRadar: controls.showsRadar, isSeeking: seek != nil)
  }

  /// The beacons that are searched for, in the order that is chosen.
  private func list(_ size: ScreenSize, _ controls: ScreenControls) -> BeaconList {
    let found =
      controls.search.isEmpty ? beacons : beacons.filter { $0.name.matches(controls.search) }
    let names = [beacons.map(\.name), events.map(\.beacon), [seek?.name].compactMap(\.self)]
    return BeaconList(
      controls.order.sorted(found), ScreenNames(names.joined()), secondsPerLevel: secondsPerLevel,
      in: layout(size, controls).list, order: controls.order, selected: controls.selected,
      placeholder: beacons.isEmpty ? "no beacon in sight" : "no beacon matches")
  }

  private func drawPanels(
    _ layout: ScreenLayout, _ list: BeaconList, _ controls: ScreenControls,
    on canvas: inout Canvas
  ) {
    if let area = layout.seek, let seek {
      SeekPanel(seek: seek, names: list.names).draw(on: &canvas, in: area)
    }
    list.draw(on: &canvas, offset: controls.offset)
    if let area = layout.radar {
      Radar(borders: borders, beacons: ListOrder.nearest.sorted(list.beacons))
        .draw(on: &canvas, in: area)
    }
    if let area = layout.events {
      EventPanel(events: events, names: list.names).draw(on: &canvas, in: area)
    }
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
}
