/// Levels over time as bars, in one row or several; blank if nothing was heard.
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
    rows(levels, width: width, height: 1, isUnicode: isUnicode)[0]
  }

  /// Returns the newest levels at the right end of rows of a width, the highest row first.
  ///
  /// - Precondition: `height` is positive.
  func rows(_ levels: [Double], width: Int, height: Int, isUnicode: Bool) -> [String] {
    let bars = isUnicode ? Self.bars : Self.asciiBars
    let shown = levels.suffix(max(width, 0))
    let blank = String(repeating: " ", count: max(width, 0) - shown.count)
    // The number of steps of each bar; the lowest level has one.
    let steps = shown.map { level -> Int in
      guard level.isFinite else { return 0 }
      let share = (level - scale.lowerBound) / (scale.upperBound - scale.lowerBound)
      return min(Int(min(max(share, 0), 1) * Double(bars.count * height)) + 1, bars.count * height)
    }
    return (0..<height).reversed().map { row in
      blank
        + steps.map { steps in
          let step = min(steps - row * bars.count, bars.count)
          return step > 0 ? bars[step - 1] : " "
        }.joined()
    }
  }
}
