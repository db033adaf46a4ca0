import Proximity

/// Beacons as a table, the nearest first; what there is no room for is left out, the last first.
struct BeaconList {
  let beacons: [ScreenBeacon]
  /// From one level of a history to the next.
  let secondsPerLevel: Double
  /// Whether there are columns for what changes although nothing is heard.
  var showsTime = true

  /// Where the columns of a table begin, with their widths; those that are missing have no room.
  private struct Columns {
    var name = 0..<0
    var zone: Range<Int>?
    var metres: Range<Int>?
    var interval: Range<Int>?
    var level: Range<Int>?
    var silence: Range<Int>?
    var history: Range<Int>?

    init(width: Int, longestName: Int, showsTime: Bool) {
      var rest = width - 3 - 8
      func fits(_ columns: Int) -> Bool {
        guard rest >= columns + 1 else { return false }
        rest -= columns + 1
        return true
      }
      // What matters most first.
      let (metres, zone, level) = (fits(6), fits(9), fits(5))
      let history = showsTime && fits(8)
      // Most names are short: they come before the rest.
      let shortName = max(min(longestName - 8, 4, rest / 2), 0)
      rest -= shortName
      let (interval, silence) = (fits(13), showsTime && fits(7))
      // What is left is for names and histories.
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
      if history { self.history = next(historyWidth) }
      if silence { self.silence = next(7) }
    }
  }

  /// How many beacons there is room for.
  static func visible(in area: ScreenArea) -> Int { area.rows >= 3 ? area.rows - 1 : area.rows }

  func draw(on canvas: inout Canvas, in area: ScreenArea, offset: Int) {
    guard !area.isEmpty else { return }
    var rows = area
    let head = area.rows >= 3 ? rows.takeTop(1) : nil
    let first = min(max(offset, 0), max(beacons.count - rows.rows, 0))
    // Of thousands only those that are seen cost anything.
    let shown = beacons.dropFirst(first).prefix(rows.rows)
    let longestName = shown.lazy.map { PrintableText($0.name).columns }.max() ?? 0
    let columns = Columns(width: area.columns, longestName: longestName, showsTime: showsTime)
    let scale = Sparkline(of: shown.lazy.flatMap(\.history))
    if let head { drawHead(columns, scale, on: &canvas, in: head) }
    for (place, beacon) in shown.enumerated() {
      draw(beacon, columns, scale, on: &canvas, row: rows.row + place, rows.column)
    }
    if beacons.isEmpty {
      canvas.put(
        "no beacon in sight", row: rows.row, column: rows.column, width: rows.columns, .quiet)
    }
  }

  private func drawHead(
    _ columns: Columns, _ scale: Sparkline, on canvas: inout Canvas, in area: ScreenArea
  ) {
    func right(_ text: String, _ range: Range<Int>?) {
      guard let range else { return }
      canvas.put(
        text, row: area.row, endingAt: area.column + range.upperBound, width: range.count, .quiet)
    }
    func left(_ text: String, _ range: Range<Int>?) {
      guard let range else { return }
      canvas.put(
        text, row: area.row, column: area.column + range.lowerBound, width: range.count, .quiet)
    }
    left("beacon", columns.name)
    left("zone", columns.zone)
    right("metres", columns.metres)
    right("95 %", columns.interval)
    right("dBm", columns.level)
    right("heard s", columns.silence)
    guard let history = columns.history else { return }
    let (low, high) = (fixed(scale.scale.lowerBound, 0), fixed(scale.scale.upperBound, 0))
    let seconds = fixed(Double(history.count) * secondsPerLevel, 0)
    let words = ["\(low)…\(high) dBm, last \(seconds) s", "last \(seconds) s"]
    left(words.first { $0.count <= history.count } ?? "", history)
  }

  private func draw(
    _ beacon: ScreenBeacon, _ columns: Columns, _ scale: Sparkline, on canvas: inout Canvas,
    row: Int, _ start: Int
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
    let name = PrintableText(beacon.name, isUnicode: canvas.isUnicode).abbreviated(
      to: columns.name.count, isUnicode: canvas.isUnicode)
    left(name, columns.name, beacon.zone == .unknown ? .quiet : .plain)
    left("\(beacon.zone)", columns.zone, style)
    right(metres(beacon.distance), columns.metres, beacon.distance == nil ? .quiet : .strong)
    right(metres(beacon.interval), columns.interval)
    right(fixed(beacon.level, 1), columns.level)
    right(fixed(beacon.silence, 1), columns.silence)
    guard let history = columns.history else { return }
    let line = scale.text(beacon.history, width: history.count, isUnicode: canvas.isUnicode)
    left(line, history, style)
  }
}
