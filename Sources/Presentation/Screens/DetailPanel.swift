/// The details of one beacon, line by line; the least important are left out first.
struct DetailPanel {
  /// The beacon; nil if it is not heard any more.
  let beacon: ScreenBeacon?

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    guard let beacon else {
      canvas.put(
        "this beacon is not in sight any more", row: area.row, column: area.column,
        width: area.columns, .quiet)
      return
    }
    var rest = area
    let lines = Self.lines(of: beacon)
    let width = (lines.map(\.label.count).max() ?? 0) + 2
    for (index, (label, value)) in lines.enumerated() where !value.isEmpty {
      // In a narrow panel the identity needs no label, others no alignment.
      let indent = area.columns >= 40 ? width : index == 0 ? 0 : label.count + 1
      // The identity must be complete here.
      for (place, part) in wrapped(value, to: area.columns - indent).enumerated() {
        let row = rest.takeTop(1)
        guard !row.isEmpty else { return }
        if place == 0 {
          canvas.put(label, row: row.row, column: row.column, width: indent, .quiet)
        }
        canvas.put(
          part, row: row.row, column: row.column + indent, width: row.columns - indent,
          index == 0 ? .strong : .plain)
      }
    }
    _ = rest.takeTop(1)
    drawLevels(of: beacon, on: &canvas, in: rest.takeTop(1))
  }

  private func drawLevels(
    of beacon: ScreenBeacon, on canvas: inout Canvas, in row: ScreenArea
  ) {
    guard !row.isEmpty else { return }
    let line = Sparkline(of: beacon.history)
    let scale = "\(bounded(line.scale.lowerBound, 0))…\(bounded(line.scale.upperBound, 0)) dBm "
    let width = row.columns - scale.count
    guard width >= 8 else { return }
    canvas.put(scale, row: row.row, column: row.column, .quiet)
    canvas.put(
      line.text(beacon.history, width: width, isUnicode: canvas.isUnicode), row: row.row,
      column: row.column + scale.count, width: width, ScreenStyle(beacon.zone))
  }

  private static func lines(of beacon: ScreenBeacon) -> [(label: String, value: String)] {
    let detail = beacon.detail
    var distance = beacon.distance.map { metres($0) + " m" } ?? "not known"
    if let interval = beacon.interval { distance += " (95 % \(metres(interval)) m)" }
    var level = bounded(beacon.level, 1) + " dBm"
    if detail.deviation.isFinite {
      level += ", standard deviation \(bounded(detail.deviation, 1)) dB"
    }
    let last = detail.last.map { "\(screenClock($0)) UTC, " } ?? ""
    return [
      ("beacon \(beacon.mark)", beacon.name.identity),
      ("name", beacon.name.given ?? ""),
      ("level", level),
      ("distance", distance),
      ("rate", "\(bounded(beacon.rate, 1))/s, \(detail.sightings) sightings"),
      ("zone", "\(beacon.zone)"),
      ("last seen", "\(last)\(bounded(beacon.silence, 1)) s ago"),
      ("first seen", detail.first.map { "\(screenClock($0)) UTC" } ?? ""),
      (
        "channels",
        detail.channels.isEmpty
          ? "not reported by the receiver" : detail.channels.map(String.init).joined(separator: " ")
      ),
      ("kind", detail.kind),
      ("receiver", beacon.name.receiver),
      ("trace", detail.trace),
    ]
  }
}
