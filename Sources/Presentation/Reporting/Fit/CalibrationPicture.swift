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
  /// Of what is drawn.
  private let grouping: Grouping
  private let curves: FittedCurves
  /// What panels span, metres.
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
    if reduction != .samples {
      title += ", the \(reduction.rawValue) of each"
    }
    if calibration.groups.count > Self.mostGroups {
      title += "; \(calibration.groups.count) groups: curve of all, residuals of each"
    }
    return title
  }
}
