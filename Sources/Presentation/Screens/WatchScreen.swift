package import Proximity

/// The content of a screen of a watch.
package struct WatchScreen: Equatable, Sendable {
  /// The effect of a pause.
  package enum Pause: Equatable, Sendable {
    /// The replay of the recording pauses.
    case replay
    /// Only the screen pauses; with the number of sightings received since then.
    case screen(received: Int)
  }

  /// The source, such as hci0.
  package var source: String
  /// The time of the content, such as 14:03:22.
  package var clock = ""
  /// The number of sightings per second.
  package var rate = 0.0
  /// The beacons, in any order.
  package var beacons: [ScreenBeacon] = []
  package var borders: ZoneBorders
  /// The time between two levels of a history, in seconds.
  package var secondsPerLevel: Double
  /// The events, the newest last.
  package var events: [ScreenEvent] = []
  /// A message to the user; empty if there is none.
  package var message = ""
  /// The search for one beacon; nil if there is none.
  package var seek: SeekState?
  package var pause: Pause?
  /// A Boolean value that is true if the screen takes keys.
  package var hasKeys: Bool

  package init(source: String, borders: ZoneBorders, secondsPerLevel: Double, hasKeys: Bool) {
    (self.source, self.borders) = (source, borders)
    (self.secondsPerLevel, self.hasKeys) = (secondsPerLevel, hasKeys)
  }

  /// Takes a key.
  package func press(_ key: Key, _ size: ScreenSize, _ controls: inout ScreenControls) {
    let list = list(size, controls)
    controls.press(key, shown: list.beacons.map(\.number), visible: list.visible)
  }

  /// Draws everything, after moving the selection to the current places of beacons.
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

  /// Returns the list alone as plain text, the nearest first.
  ///
  /// - Parameter showsTime: true to show values that change without sightings.
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

  /// The beacons that match the search, in the chosen order.
  private func list(_ size: ScreenSize, _ controls: ScreenControls) -> BeaconList {
    let found =
      controls.search.isEmpty ? beacons : beacons.filter { $0.name.matches(controls.search) }
    let names = [beacons.map(\.name), events.compactMap(\.beacon), [seek?.name].compactMap(\.self)]
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
    if var area = layout.events {
      // Events take the rows that the list leaves, but for one between them.
      let spare = max(layout.list.rows - list.usedRows - 1, 0)
      area.row -= spare
      area.rows += spare
      EventPanel(events: events, names: list.names).draw(on: &canvas, in: area)
    }
  }

  private func drawHeader(on canvas: inout Canvas, in area: ScreenArea) {
    canvas.paint(area, .heading)
    var right = "\(beacons.count) in sight  \(bounded(rate, rate < 9.95 ? 1 : 0))/s"
    if !clock.isEmpty { right += "  \(clock) UTC" }
    right += " "
    let end = area.column + area.columns
    canvas.put(right, row: area.row, endingAt: end, width: area.columns, .heading)
    canvas.put(
      " rssi watch  \(source)", row: area.row, column: area.column,
      width: area.columns - PrintableText(right).columns - 1, .heading)
  }
}

/// The arrangement of a screen by its size: with less room, first the radar is left out, then the
/// header and the events; a row of the list and the status always remain.
///
/// From 100 columns the radar is to the right of list and events, from 50 × 20 next to the events
/// below the list; otherwise there is none.
struct ScreenLayout: Equatable {
  private(set) var header: ScreenArea?
  private(set) var seek: ScreenArea?
  private(set) var list: ScreenArea
  private(set) var radar: ScreenArea?
  private(set) var events: ScreenArea?
  private(set) var status: ScreenArea
  /// The area between header and status, for a single panel.
  let body: ScreenArea

  /// The size below which only a message fits.
  static let least = ScreenSize(columns: 18, rows: 3)

  static func fits(_ size: ScreenSize) -> Bool {
    size.columns >= least.columns && size.rows >= least.rows
  }

  init(_ size: ScreenSize, showsRadar: Bool, isSeeking: Bool) {
    list = ScreenArea(row: 0, column: 0, rows: size.rows, columns: size.columns)
    status = list.takeBottom(1)
    let isLarge = size.columns >= 40 && size.rows >= 10
    if isLarge { header = list.takeTop(1) }
    body = list
    if isSeeking {
      // The search has precedence, but leaves some of the list.
      seek = list.takeTop(min(SeekPanel.rows, list.rows - (list.rows >= 8 ? 3 : 1)))
    }
    guard isLarge else { return }
    if showsRadar, list.columns >= 100, list.rows >= 10 {
      // As wide as it is high, with characters twice as high as wide, and a gap.
      radar = list.takeRight(min((list.rows - 1) * 2 + 2, list.columns * 2 / 5))
      list.columns -= 2
      events = list.takeBottom(min(max(list.rows / 4, 3), 12))
    } else if showsRadar, list.rows >= 18, list.columns >= 50 {
      var lower = list.takeBottom(list.rows * 11 / 20)
      radar = lower.takeRight(min((lower.rows - 1) * 2 + 2, lower.columns / 2))
      lower.columns -= 1
      events = lower
    } else if list.rows >= 8 {
      events = list.takeBottom(min(max(list.rows / 4, 2), 12))
    }
  }
}

/// The status of the screen, and the keys for which there is room.
struct StatusLine {
  let controls: ScreenControls
  let message: String
  let pause: WatchScreen.Pause?
  let hasKeys: Bool
  /// The places of the visible beacons, counted from 1; nil if all are visible.
  let places: ClosedRange<Int>?
  /// The number of beacons in the list, and in sight.
  let listed: Int
  let inSight: Int

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    var at = area.column
    func room() -> Int { area.column + area.columns - at }
    if let state, !state.isEmpty {
      at += canvas.put(state, row: area.row, column: at, width: room(), .strong) + 2
    }
    for hint in hints where hint.count <= room() {
      at += canvas.put(hint, row: area.row, column: at, width: room(), .quiet) + 2
    }
  }

  private var state: String? {
    if controls.isTyping { return "/\(controls.search)_" }
    switch pause {
    case .replay: return "PAUSED, replay stopped"
    case .screen(let received): return "PAUSED, receiving: \(received) more"
    case nil: break
    }
    return message.isEmpty ? nil : message
  }

  private var hints: [String] {
    if controls.showsHelp { return ["any key closes the help"] }
    let count = "\(listed) of \(inSight)"
    if controls.isTyping { return [count, "Enter keep", "Esc clear"] }
    if pause != nil { return ["Space resume", "? help", "q quit"] }
    guard message.isEmpty else { return [] }
    let position = places.map { "\($0.lowerBound)–\($0.upperBound) of \(listed)" }
    guard hasKeys else { return ["Ctrl-C ends"] + [position].compactMap(\.self) }
    if controls.showsDetail { return ["Esc back", "? help", "Up, Down next", "Space pause"] }
    let search = controls.search.isEmpty ? nil : "/\(controls.search): \(count)"
    return [
      "q quit", "? help", search, position, "s sort: \(controls.order.words)", "Enter detail",
      "Space pause", "/ search", "r radar",
    ].compactMap(\.self)
  }
}

/// The keys, in the order of their importance.
struct HelpPanel {
  private static let keys: [(key: String, does: String)] = [
    ("?", "this help; any key closes it"),
    ("q, Ctrl-C", "quit"),
    ("Space", "pause, resume"),
    ("Up, Down", "select; also PgUp PgDn Home End"),
    ("Enter", "details of one beacon"),
    ("s", "sort by the next column"),
    ("/", "search names and identities"),
    ("Esc", "back, end of a search"),
    ("r", "radar off, on"),
    ("Ctrl-Z", "to the shell; fg returns"),
  ]

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    let width = Self.keys.map(\.key.count).max() ?? 0
    for (place, line) in Self.keys.prefix(area.rows).enumerated() {
      let row = area.row + place
      canvas.put(line.key, row: row, column: area.column, width: area.columns, .strong)
      // In a narrow panel, the key and its meaning follow each other.
      let indent = (area.columns >= 40 ? width : line.key.count) + 2
      canvas.put(
        line.does, row: row, column: area.column + indent, width: area.columns - indent)
    }
  }
}
