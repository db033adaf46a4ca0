import NumericalMethods
import PathLoss
import Plotting

/// The constants of each group with their 95 % intervals: measured power, and the exponent beside
/// it.
struct ConstantsPanels {
  private let groups: [PathLossGroup]
  private let all: Int
  private let pooled: PathLossGroup

  /// Rows that are shown; a picture of more would be too long to read.
  static let mostRows = 40

  init(_ calibration: Calibration) {
    groups = Array(calibration.groups.prefix(Self.mostRows))
    all = calibration.groups.count
    pooled = calibration.pooled
  }

  var panels: [Panel] {
    var panels = [
      panel(
        "P (dBm at 1 m)", groups.map(\.measuredPower), groups.map(\.powerInterval),
        pooled.measuredPower, decimals: 1, hasLabels: true)
    ]
    panels.append(
      panel(
        "n", groups.map(\.exponent), groups.map(\.exponentInterval), pooled.exponent, decimals: 2,
        hasLabels: false))
    panels[0].title =
      all > groups.count
      ? "measured power, 95 %; first \(groups.count) of \(all)" : "measured power, 95 % intervals"
    panels[1].title = "exponent, 95 % intervals"
    return panels
  }

  private func panel(
    _ label: String, _ values: [Double?], _ intervals: [Interval?], _ reference: Double?,
    decimals: Int, hasLabels: Bool
  ) -> Panel {
    Panel(
      x: Axis(
        "\(label); dashed: all readings", range: Self.range(values, intervals, reference),
        mark: reference),
      bars: Bars(
        labels: groups.map(\.key), values: values.map { $0 ?? .nan },
        low: intervals.map { $0?.lower ?? .nan }, high: intervals.map { $0?.upper ?? .nan },
        decimals: decimals, style: .points, showsLabels: hasLabels))
  }

  /// What the axis spans: all values, and intervals as far as they are no more than four times as
  /// wide as the one in the middle. The rest of a wider one is cut off, or it would leave the
  /// others no width.
  private static func range(
    _ values: [Double?], _ intervals: [Interval?], _ reference: Double?
  ) -> ClosedRange<Double>? {
    let known = zip(values, intervals).compactMap { value, ends in
      value.map { (value: $0, low: ends?.lower ?? $0, high: ends?.upper ?? $0) }
    }
    let widths = known.map { $0.high - $0.low }.filter { $0 > 0 }.sorted()
    let most = widths.isEmpty ? 0 : 2 * widths[widths.count / 2]
    let low = known.map { max($0.low, $0.value - most) } + [reference].compactMap(\.self)
    let high = known.map { min($0.high, $0.value + most) } + [reference].compactMap(\.self)
    guard let least = low.min(), let greatest = high.max(), least < greatest else { return nil }
    let margin = 0.04 * (greatest - least)
    return least - margin...greatest + margin
  }
}
