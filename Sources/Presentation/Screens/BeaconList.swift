import Proximity

/// A table of beacons; columns without room are left out, the last first.
struct BeaconList {
  /// The beacons, in their order.
  let beacons: [ScreenBeacon]
  private(set) var names: ScreenNames
  /// The time between two levels of a history, in seconds.
  let secondsPerLevel: Double
  /// A Boolean value that is true if there are columns for values that change without sightings.
  let showsTime: Bool
  let order: ListOrder
  /// The text in place of an empty list.
  let placeholder: String
  /// The number of the beacon that is selected.
  let selected: Int?
  private let area: ScreenArea

  /// The first columns and widths of the table; missing columns have no room.
  private struct Columns {
    var name = 0..<0
    var zone: Range<Int>?
    var metres: Range<Int>?
    var interval: Range<Int>?
    var level: Range<Int>?
    var rate: Range<Int>?
    var silence: Range<Int>?
    var history: Range<Int>?

    init(width: Int, longestName: Int, showsTime: Bool, order: ListOrder) {
      var rest = width - 3 - 8
      func fits(_ columns: Int) -> Bool {
        guard rest >= columns + 1 else { return false }
        rest -= columns + 1
        return true
      }
      // The most important columns first.
      let (level, metres, zone) = (fits(5), fits(6), fits(9))
      // The column by which the list is sorted must be visible.
      var silence = showsTime && order == .latest && fits(7)
      var rate = showsTime && order == .rate && fits(5)
      // Most names, shortened identities and addresses fit; they have precedence over the rest.
      let shortName = max(min(longestName - 8, 9, rest), 0)
      rest -= shortName
      let history = showsTime && fits(8)
      let interval = fits(13)
      silence = silence || showsTime && fits(7)
      rate = rate || showsTime && fits(5)
      // The rest of the width is for names and histories.
      rest = max(rest, 0)
      let longName = max(min(longestName - 8 - shortName, 44, history ? rest / 2 : rest), 0)
      let historyWidth = min(8 + rest - longName, 120)
      var at = 3
      func next(_ columns: Int) -> Range<Int> {
        defer { at += columns + 1 }
        return at..<at + columns
      }
      name = next(min(8 + shortName + longName, max(width - 3, 0)))
      if zone { self.zone = next(9) }
      if metres { self.metres = next(6) }
      if interval { self.interval = next(13) }
      if level { self.level = next(5) }
      if rate { self.rate = next(5) }
      if history { self.history = next(historyWidth) }
      if silence { self.silence = next(7) }
    }
  }

  /// - Parameters:
  ///   - names: the names of all beacons on the screen.
  ///   - showsTime: true to show values that change without sightings.
  ///   - order: the order of the beacons, which the head marks.
  init(
    _ beacons: [ScreenBeacon], _ names: ScreenNames, secondsPerLevel: Double, in area: ScreenArea,
    showsTime: Bool = true, order: ListOrder = .nearest, selected: Int? = nil,
    placeholder: String = "no beacon in sight"
  ) {
    (self.beacons, self.names, self.secondsPerLevel) = (beacons, names, secondsPerLevel)
    (self.area, self.showsTime, self.order, self.selected) = (area, showsTime, order, selected)
    self.placeholder = placeholder
    // Identities are complete if each has room for its own.
    self.names.isShort = false
    self.names.isShort = longestName(of: beacons) > columns(for: beacons).name.count
  }

  /// The number of beacons for which there is room.
  var visible: Int { max(area.rows - headRows, min(area.rows, 1)) }

  /// The rows that the beacons and the head take.
  var usedRows: Int { min(headRows + max(beacons.count, 1) * rowsPerBeacon, area.rows) }

  /// The rows of a beacon: rows that no beacon needs make the histories taller.
  private var rowsPerBeacon: Int {
    guard visible >= beacons.count, columns(for: beacons).history != nil else { return 1 }
    return min(max(visible / max(beacons.count, 1), 1), 4)
  }

  /// The rows for the UUID of all iBeacons, if names leave it out, and for the titles of the
  /// columns.
  private var headRows: Int { hasUUID ? 2 : area.rows >= 3 ? 1 : 0 }
  private var hasUUID: Bool { names.commonUUID != nil && area.rows >= 6 && area.columns >= 41 }

  func draw(on canvas: inout Canvas, offset: Int) {
    guard !area.isEmpty else { return }
    var rows = area
    if hasUUID, let uuid = names.commonUUID {
      let row = rows.takeTop(1)
      canvas.put("UUID \(uuid)", row: row.row, column: row.column, width: row.columns, .quiet)
    }
    let head = area.rows >= 3 ? rows.takeTop(1) : nil
    let first = min(max(offset, 0), max(beacons.count - rows.rows, 0))
    // Of thousands of beacons, only the visible ones take time.
    let shown = beacons.dropFirst(first).prefix(rows.rows)
    let columns = columns(for: shown)
    let scale = Sparkline(of: shown.lazy.flatMap(\.history))
    if let head { drawHead(columns, scale, on: &canvas, in: head) }
    let height = rowsPerBeacon
    for (place, beacon) in shown.enumerated() {
      let row = rows.row + place * height
      draw(beacon, columns, scale, on: &canvas, row: row, rows.column, height: height)
      if beacon.number == selected {
        canvas.paint(
          ScreenArea(row: row, column: rows.column, rows: height, columns: rows.columns), .heading)
      }
    }
    if beacons.isEmpty {
      canvas.put(
        placeholder, row: rows.row, column: rows.column, width: rows.columns, .quiet)
    }
  }

  private func longestName(of beacons: some Sequence<ScreenBeacon>) -> Int {
    beacons.lazy.map { PrintableText(names.text(of: $0.name)).columns }.max() ?? 0
  }

  private func columns(for shown: some Sequence<ScreenBeacon>) -> Columns {
    Columns(
      width: area.columns, longestName: longestName(of: shown), showsTime: showsTime, order: order)
  }

  private func drawHead(
    _ columns: Columns, _ scale: Sparkline, on canvas: inout Canvas, in area: ScreenArea
  ) {
    func style(_ order: ListOrder?) -> ScreenStyle {
      order == self.order && showsTime ? .strong : .quiet
    }
    func right(_ text: String, _ range: Range<Int>?, _ order: ListOrder? = nil) {
      guard let range else { return }
      canvas.put(
        text, row: area.row, endingAt: area.column + range.upperBound, width: range.count,
        style(order))
    }
    func left(_ text: String, _ range: Range<Int>?, _ order: ListOrder? = nil) {
      guard let range else { return }
      canvas.put(
        text, row: area.row, column: area.column + range.lowerBound, width: range.count,
        style(order))
    }
    left("beacon", columns.name, .name)
    left("zone", columns.zone)
    right("metres", columns.metres, .nearest)
    right("95 %", columns.interval)
    right("dBm", columns.level, .strongest)
    right("1/s", columns.rate, .rate)
    right("heard s", columns.silence, .latest)
    guard let history = columns.history else { return }
    let (low, high) = (bounded(scale.scale.lowerBound, 0), bounded(scale.scale.upperBound, 0))
    let seconds = bounded(Double(history.count) * secondsPerLevel, 0)
    let words = ["\(low)…\(high) dBm, last \(seconds) s", "last \(seconds) s"]
    left(words.first { $0.count <= history.count } ?? "", history)
  }

  private func draw(
    _ beacon: ScreenBeacon, _ columns: Columns, _ scale: Sparkline, on canvas: inout Canvas,
    row: Int, _ start: Int, height: Int
  ) {
    let style = ScreenStyle(beacon.zone)
    func right(_ text: String, _ range: Range<Int>?, _ style: ScreenStyle = .plain) {
      guard let range else { return }
      canvas.put(text, row: row, endingAt: start + range.upperBound, width: range.count, style)
    }
    func left(_ text: String, _ range: Range<Int>?, _ style: ScreenStyle = .plain) {
      guard let range else { return }
      canvas.put(text, row: row, column: start + range.lowerBound, width: range.count, style)
    }
    canvas.put(beacon.mark, row: row, column: start, width: 2, style)
    let name = PrintableText(names.text(of: beacon.name), isUnicode: canvas.isUnicode).abbreviated(
      to: columns.name.count, isUnicode: canvas.isUnicode)
    left(name, columns.name, beacon.zone == .unknown ? .quiet : .plain)
    left("\(beacon.zone)", columns.zone, style)
    right(metres(beacon.distance), columns.metres, beacon.distance == nil ? .quiet : .strong)
    right(metres(beacon.interval), columns.interval)
    right(bounded(beacon.level, 1), columns.level)
    right(bounded(beacon.rate, beacon.rate < 999.95 ? 1 : 0), columns.rate)
    right(bounded(beacon.silence, 1), columns.silence)
    guard let history = columns.history else { return }
    let lines = scale.rows(
      beacon.history, width: history.count, height: height, isUnicode: canvas.isUnicode)
    for (place, line) in lines.enumerated() {
      canvas.put(
        line, row: row + place, column: start + history.lowerBound, width: history.count, style)
    }
  }
}
