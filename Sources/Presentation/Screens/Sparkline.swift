/// Levels over time as a row of bars; blank if nothing was heard.
struct Sparkline {
  /// The levels of the lowest and the highest bar, in dBm.
  let scale: ClosedRange<Double>

  private static let bars = "▁▂▃▄▅▆▇█".map(String.init)
  private static let asciiBars = "_.-=+*#@".map(String.init)

  /// Creates one scale for many lines, so that they can be compared: whole tens, at least 30 dB.
  init(of levels: some Sequence<Double>) {
    let known = levels.filter(\.isFinite).map { min(max($0, -200), 50) }
    let lowest = ((known.min() ?? -90) / 10).rounded(.down) * 10
    let highest = ((known.max() ?? -60) / 10).rounded(.up) * 10
    scale = lowest...max(highest, lowest + 30)
  }

  /// Returns the newest levels at the right end of a row of a width.
  func text(_ levels: [Double], width: Int, isUnicode: Bool) -> String {
    let bars = isUnicode ? Self.bars : Self.asciiBars
    let shown = levels.suffix(max(width, 0))
    let text = shown.map { level -> String in
      guard level.isFinite else { return " " }
      let share = (level - scale.lowerBound) / (scale.upperBound - scale.lowerBound)
      let place = min(max(share, 0), 1) * Double(bars.count)
      return bars[min(Int(place), bars.count - 1)]
    }
    return String(repeating: " ", count: max(width, 0) - shown.count) + text.joined()
  }
}
