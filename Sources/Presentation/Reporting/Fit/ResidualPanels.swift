import PathLoss
import Plotting
import Support
import TracePipelines

/// The residuals of readings against the time since their series began.
struct ResidualsInTime {
  let groups: [PicturedGroup]
  /// In the order in which they were read.
  let readings: [TimedReading]
  /// The grouping of the curves.
  let grouping: Grouping
  let curves: FittedCurves
  /// Single readings that are drawn.
  let limit: Int

  /// One reading: seconds since its series began, and dB above the curve.
  private typealias Residual = (time: Double, residual: Double)

  var panel: Panel {
    let residuals = residuals
    let last = residuals.joined().reduce(0) { max($0, $1.time) }
    let unit = Self.unit(last)
    let drawn = residuals.flatMap(\.self)
    let step = max(1, (drawn.count + limit - 1) / limit)
    // Means over equal parts of the time, of about 10 readings or more.
    let parts = min(max(drawn.count / groups.count / 10, 6), 60)
    let shown = stride(from: 0, to: drawn.count, by: step).map { drawn[$0] }
    var series = [
      Series(
        "", .points(x: shown.map { $0.time / unit.seconds }, y: shown.map(\.residual)), role: .raw)
    ]
    for (group, own) in zip(groups, residuals) {
      let means = Self.means(own, last: last, parts: parts)
      series.append(
        Series(
          groups.count > 1 ? group.name : "mean of \(Self.words(last / Double(parts)))",
          .points(x: means.map { $0.time / unit.seconds }, y: means.map(\.residual)),
          colourName: group.name))
    }
    return Panel(
      title: "residuals against time", x: Axis("time since the start of its series (\(unit.name))"),
      y: Axis("above the curve (dB)", mark: 0), series: series)
  }

  /// The residuals, group by group.
  private var residuals: [[Residual]] {
    var starts: [String: Int64] = [:]
    for reading in readings {
      let series = reading.station.series
      starts[series] = min(starts[series] ?? reading.time, reading.time)
    }
    var numbers: [String: Int] = [:]
    for (number, group) in groups.enumerated() { numbers[group.name] = number }
    var result = [[Residual]](repeating: [], count: groups.count)
    for reading in readings {
      let key = grouping.members(of: reading.station).key
      let residual = curves.residual(reading.level, at: reading.station)
      guard let number = key.isEmpty ? 0 : numbers[key], !residual.isNaN,
        let start = starts[reading.station.series]
      else { continue }
      result[number].append((Double(reading.time - start) * 1e-9, residual))
    }
    return result
  }

  private static func means(_ residuals: [Residual], last: Double, parts: Int) -> [Residual] {
    var sums = [(count: Double, time: Double, residual: Double)](
      repeating: (0, 0, 0), count: parts)
    for one in residuals {
      let part = last > 0 ? min(Int(one.time / last * Double(parts)), parts - 1) : 0
      sums[part].count += 1
      sums[part].time += one.time
      sums[part].residual += one.residual
    }
    return sums.filter { $0.count > 0 }.map { ($0.time / $0.count, $0.residual / $0.count) }
  }

  /// The unit in which a time is read easily.
  private static func unit(_ seconds: Double) -> (name: String, seconds: Double) {
    switch seconds {
    case ..<180: ("s", 1)
    case ..<10_800: ("min", 60)
    case ..<259_200: ("h", 3_600)
    default: ("days", 86_400)
    }
  }

  private static func words(_ seconds: Double) -> String {
    let unit = unit(seconds)
    let value = seconds / unit.seconds
    return "\(decimal(value, value < 10 ? 1 : 0)) \(unit.name)"
  }
}

/// The residuals of readings against distance.
struct ResidualPanel {
  let groups: [PicturedGroup]
  let packets: [PicturedPackets]
  /// The range of the panel in metres.
  let distances: ClosedRange<Double>

  var panel: Panel {
    var series = packets.map {
      Series("", .points(x: $0.distances, y: $0.residuals), role: .raw)
    }
    for group in groups {
      series.append(
        Series(
          groups.count > 1 ? group.name : group.pooling.words,
          .points(x: group.means.map(\.distance), y: group.means.map(\.residual)),
          colourName: group.name))
    }
    return Panel(
      title: "residuals against distance",
      x: Axis("distance (m)", range: distances, scale: .logarithmic),
      y: Axis("above the curve (dB)", mark: 0), series: series)
  }
}
