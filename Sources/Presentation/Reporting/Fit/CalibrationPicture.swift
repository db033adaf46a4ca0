import NumericalMethods
import PathLoss
package import Plotting
import RealModule
import Support
package import TracePipelines

/// A calibration: the readings with the fitted curves, what they lie above them, and the constants
/// of the groups with their intervals.
package struct CalibrationPicture {
  private let calibration: Calibration
  private let groups: [PicturedGroup]
  /// Nil where times are not known.
  private let timed: [TimedReading]?
  /// The grouping of the curves.
  private let grouping: Grouping
  private let curves: FittedCurves
  /// The range of the panels in metres.
  private let distances: ClosedRange<Double>

  /// Groups that are drawn one by one; more are drawn as one.
  static let mostGroups = 6

  package init(_ fit: FitResult) {
    let (calibration, readings, grouping) = (fit.calibration, fit.readings, fit.grouping)
    self.calibration = calibration
    timed = readings.timed?.readings
    let members = grouping.split(readings.stations)
    let isApart = (1...Self.mostGroups).contains(members.count)
    let curves = FittedCurves(calibration, by: grouping)
    groups =
      isApart
      ? zip(calibration.groups, members).map { PicturedGroup($0, $1.stations, curves: curves) }
      : [PicturedGroup(calibration.pooled, readings.stations, curves: curves)]
    self.curves = curves
    self.grouping = isApart ? grouping : Grouping()
    let all = readings.stations.map(\.distance)
    let near = all.min() ?? 1
    let far = all.max() ?? 1
    let margin = max(0.03 * Double.log10(far / near), 0.03)
    distances = near * Double.exp10(-margin)...far * Double.exp10(margin)
  }

  package var chart: Chart {
    let scatter = ScatterPanels(
      groups: groups, packets: packets(600), distances: distances,
      perPosition: reduction.rawValue)
    var residuals = [
      ResidualPanel(groups: groups, packets: packets(400), distances: distances).panel
    ]
    if let timed {
      residuals.append(
        ResidualsInTime(
          groups: groups, readings: timed, grouping: grouping, curves: curves, limit: 400
        ).panel)
    }
    var rows = ScatterPanels.rows(groups.count) + [residuals.count]
    var panels = scatter.panels + residuals
    if calibration.groups.count > 1 {
      panels += ConstantsPanels(calibration).panels
      rows.append(2)
    }
    return Chart(title: title, panels: panels, arrangement: .rows(rows), width: 1100)
  }

  /// Single readings of each group, about so many over all groups: more would hide each other.
  private func packets(_ limit: Int) -> [PicturedPackets] {
    let decades = Double.log10(distances.upperBound / distances.lowerBound)
    return groups.map {
      PicturedPackets(
        $0.stations, curves: curves, limit: max(limit / groups.count, 100), spread: 0.006 * decades)
    }
  }

  private var reduction: PositionReduction { calibration.settings.perPosition ?? .samples }

  private var title: String {
    let samples = calibration.stations.reduce(0) { $0 + $1.samples }
    var title = "\(calibration.model), \(calibration.estimator): \(counted(samples, "reading"))"
    title += " at \(counted(calibration.pooled.positions, "position"))"
    if reduction.isOneNumber {
      title += ", the \(reduction.rawValue) of each"
    }
    if calibration.groups.count > Self.mostGroups {
      title += "; \(calibration.groups.count) groups: curve of all, residuals of each"
    }
    return title
  }
}

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

  /// Returns the range of the axis: all values, and intervals up to four times the median width.
  /// Wider ones are cut off.
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
