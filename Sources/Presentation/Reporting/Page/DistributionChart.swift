import Evaluation
import NumericalMethods
import RealModule
import Support

/// The distribution functions of all algorithms' errors in one picture, over the questions asked: a
/// curve ends at the share that was answered.
struct DistributionChart {
  static let frame = (
    left: 58.0, right: 884.0, top: 14.0, bottom: 392.0, width: 900.0, height: 440.0
  )

  let isLogarithmic: Bool
  let lower: Double
  let upper: Double
  private let curves: [AnswerErrors]

  init(_ curves: [AnswerErrors], isLogarithmic: Bool) {
    self.curves = curves
    self.isLogarithmic = isLogarithmic
    // The axis is as long as the curves that are shown at first.
    let samples = curves.prefix(PageSections.firstCurves).map { SortedSample($0.sorted) }
    if isLogarithmic {
      let low = samples.compactMap { $0.quantile(0.02) }.filter { $0 > 0 }.min() ?? 0.1
      let high = samples.compactMap { $0.quantile(0.99) }.filter(\.isFinite).max() ?? 10
      lower = Double.pow(10, max(-2, Double.log10(low).rounded(.down)))
      upper = max(lower * 10, Double.pow(10, min(6, Double.log10(max(high, 1e-3)).rounded(.up))))
    } else {
      lower = 0
      let best = samples.compactMap { $0.quantile(0.75) }.min() ?? 1
      let widest = samples.compactMap { $0.quantile(0.99) }.filter(\.isFinite).max() ?? 1
      upper = NiceScale.ceiling(max(min(widest, 6 * best), 1e-3))
    }
  }

  func x(_ error: Double) -> Double {
    let share =
      isLogarithmic
      ? Double.log10(max(error, lower * 1e-3) / lower) / Double.log10(upper / lower) : error / upper
    return Self.frame.left + min(max(share, 0), 1) * (Self.frame.right - Self.frame.left)
  }

  func y(_ share: Double) -> Double {
    Self.frame.bottom - share * (Self.frame.bottom - Self.frame.top)
  }

  var html: HTML {
    let frame = Self.frame
    return """
      <svg class="chart distribution" data-log="\(isLogarithmic ? "1" : "0")" data-lower="\(decimal(lower, 6))" data-upper="\(decimal(upper, 6))" \
      viewBox="0 0 900 440" role="img" aria-label="Share of all epochs with an error below each length">
      \(grid)<text class="title" x="\(decimal((frame.left + frame.right) / 2, 0))" y="434" text-anchor="middle">error in metres\(isLogarithmic ? ", logarithmic" : "")</text>
      \(curves.reversed().map(band))\(curves.reversed().map(curve))<line class="cursor" y1="14" y2="392" visibility="hidden"/></svg>

      """
  }

  private var grid: HTML {
    let frame = Self.frame
    let levels: [HTML] = [0.0, 0.25, 0.5, 0.75, 1].map { share in
      let y = decimal(y(share), 1)
      return
        "<line class=\"grid\" x1=\"58\" x2=\"884\" y1=\"\(y)\" y2=\"\(y)\"/><text x=\"50\" y=\"\(y)\" dy=\"0.35em\" text-anchor=\"end\">\(decimal(share * 100, 0))<tspan class=\"unit\">\u{2009}%</tspan></text>"
    }
    let lengths: [HTML] = ticks.enumerated().map { index, tick in
      let x = decimal(x(tick.value), 1)
      let minor: HTML = index.isMultiple(of: 2) ? "" : " class=\"minor\""
      return
        "<line class=\"grid\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(decimal(frame.top, 0))\" y2=\"\(decimal(frame.bottom, 0))\"/><text\(minor) x=\"\(x)\" y=\"412\" text-anchor=\"middle\">\(tick.label)</text>"
    }
    return "\(levels)\(lengths)"
  }

  private var ticks: [(value: Double, label: String)] {
    guard isLogarithmic else {
      let ticks = NiceScale.ticks(to: upper, atMost: 10)
      let step = ticks.count > 1 ? ticks[1] : upper
      return ticks.map { ($0, NiceScale.label($0, step: step)) }
    }
    let first = Int(Double.log10(lower).rounded())
    let last = Int(Double.log10(upper).rounded())
    return (first...last).flatMap { power -> [(Double, String)] in
      [1.0, 2, 5].compactMap { factor in
        let value = factor * Double.pow(10, Double(power))
        return value <= upper * 1.0001 && (last - first <= 4 || factor == 1)
          ? (value, NiceScale.label(value, step: value)) : nil
      }
    }
  }

  /// The band of a curve, at the lengths where it is known; nothing without intervals.
  private func band(_ curve: AnswerErrors) -> HTML {
    let points = (curve.one.score.distribution?.points ?? []).filter { $0.length <= upper }
    let edges = points.compactMap { point in
      point.interval.interval.map { (x: decimal(x(point.length), 1), range: $0) }
    }
    guard !edges.isEmpty else { return "" }
    let above = edges.map { "\($0.x) \(decimal(y($0.range.upper), 1))" }
    let below = edges.reversed().map { "\($0.x) \(decimal(y($0.range.lower), 1))" }
    return """
      <path class="band \(PagePalette.colourClass(curve.one.place))" data-algorithm="\(curve.one.place)" \
      d="M\((above + below).joined(separator: "L"))Z"/>
      """
  }

  private func curve(_ curve: AnswerErrors) -> HTML {
    guard curve.asked > 0, !curve.sorted.isEmpty else { return "" }
    var path = ""
    for (error, rank) in curve.steps(atMost: 300) {
      let height = y(Double(rank) / Double(curve.asked))
      guard error <= upper else { break }
      path +=
        path.isEmpty
        ? "M\(decimal(x(error), 1)) \(decimal(y(0), 1))V\(decimal(height, 1))"
        : "L\(decimal(x(error), 1)) \(decimal(height, 1))"
    }
    // A distribution of so many answers is constant from one to the next.
    if !path.isEmpty { path += "H\(decimal(Self.frame.right, 0))" }
    return """
      <path class="curve \(PagePalette.colourClass(curve.one.place))" data-algorithm="\(curve.one.place)" \
      stroke-dasharray="\(PagePalette.dash(curve.one.place))" d="\(path)"/>
      """
  }
}
