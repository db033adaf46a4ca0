import Evaluation
import Geometry
package import Plotting
import Sightings
package import TracePipelines

/// A link's levels as received and as each filter returns them, and the errors of the filters.
package struct ComparisonPicture {
  private let comparison: FilterComparison
  private let link: Int

  /// - Parameter link: number of the link in the table of the comparison.
  package init(_ comparison: FilterComparison, link: Int) {
    (self.comparison, self.link) = (comparison, link)
  }

  private var trace: ComparedTrace { comparison.trace }

  /// Lines in a picture: more cannot be distinguished.
  private static let mostLines = 8
  /// Seconds shown: more would be too dense to see a filter follow.
  private static let span = 60.0

  package var chart: Chart {
    let key = trace.keys[link]
    let beacon = comparison.catalogue.beacons[Int(key.beacon)]
    return Chart(
      title:
        "\(beacon.name.isEmpty ? Self.short(beacon.id) : beacon.name) at "
        + "\(comparison.catalogue.receivers[Int(key.receiver)].id)",
      panels: [levels] + [errors].compactMap(\.self))
  }

  /// Returns an identity with the first digits of its UUID.
  private static func short(_ id: String) -> String {
    id.split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.count == 36 ? $0.prefix(4) + "…" : $0 }.joined(separator: ":")
  }

  /// The minute in the middle of the link, or all of it.
  private var rows: [Int] {
    let all = (0..<trace.table.count).filter { Int(trace.table.link[$0]) == link }
      .sorted { trace.table.time[$0] < trace.table.time[$1] }
    guard let first = all.first, let last = all.last else { return [] }
    let middle = trace.table.time[first] / 2 + trace.table.time[last] / 2
    return all.filter { abs(Double(trace.table.time[$0] - middle)) <= Self.span / 2 * 1e9 }
  }

  private var levels: Panel {
    let rows = rows
    let start = rows.first.map { trace.table.time[$0] } ?? 0
    let times = rows.map { Double(trace.table.time[$0] - start) * 1e-9 }
    var series = [
      Series("raw", .points(x: times, y: rows.map { trace.table.rssi[$0] }), role: .raw)
    ]
    if let truth = trace.levels, rows.contains(where: { !truth[$0].isNaN }) {
      series.append(Series("truth", .line(x: times, y: rows.map { truth[$0] }), role: .truth))
    }
    var banded: String?
    let drawn = drawnFilters(atMost: Self.mostLines - series.count + 1)
    for candidate in drawn {
      let said = comparison.trial.levels(candidate)
      let heard = zip(times, rows).filter { !said.rssi[$1].isNaN }
      // One band is enough to see what a variance claims; more would hide each other.
      if banded == nil, heard.contains(where: { !said.variance[$0.1].isNaN }) {
        banded = candidate.name
        series.append(
          Series(candidate.name, band(heard.map { ($0.0, said.rssi[$0.1], said.variance[$0.1]) })))
      }
      series.append(
        Series(candidate.name, .steps(x: heard.map(\.0), y: heard.map { said.rssi[$0.1] })))
    }
    let filters = comparison.sums.count - 1
    return Panel(
      title: [
        drawn.count < filters ? "the best \(drawn.count) of \(filters) filters" : nil,
        banded.map { "band: \($0) ± 2 sd" },
      ].compactMap(\.self).joined(separator: "; "),
      x: Axis("time (s)"), y: Axis("level (dBm)"), series: series)
  }

  /// The filters that are drawn: all of them, or those with the smallest errors.
  private func drawnFilters(atMost count: Int) -> [FilterCandidate] {
    let all = comparison.sums.dropFirst()
    guard all.count > count else { return all.map(\.candidate) }
    func error(_ sums: FilterSums) -> Double {
      let error = sums.score.rootMeanSquare
      return error.isNaN ? .infinity : error
    }
    let best = Set(
      all.indices.sorted { error(all[$0].sums) < error(all[$1].sums) }.prefix(count))
    return all.indices.filter(best.contains).map { all[$0].candidate }
  }

  /// Two standard deviations to either side of levels that hold until the next.
  private func band(_ levels: [(time: Double, rssi: Double, variance: Double)]) -> Series.Shape {
    var x: [Double] = []
    var low: [Double] = []
    var high: [Double] = []
    for (index, level) in levels.enumerated() {
      let deviation = level.variance.squareRoot()
      for time in [level.time, index + 1 < levels.count ? levels[index + 1].time : level.time] {
        x.append(time)
        low.append(level.rssi - 2 * deviation)
        high.append(level.rssi + 2 * deviation)
      }
    }
    return .band(x: x, low: low, high: high)
  }

  /// The panel of errors; nil without scores.
  private var errors: Panel? {
    let ranked = comparison.sums.map { (candidate: $0.candidate, score: $0.sums.score) }
      .filter { !$0.score.rootMeanSquare.isNaN }
      .sorted { $0.score.rootMeanSquare < $1.score.rootMeanSquare }
    guard !ranked.isEmpty else { return nil }
    return Panel(
      title: "errors, all links", x: Axis("RMSE (dB)"),
      bars: Bars(
        labels: ranked.map(\.candidate.name), values: ranked.map(\.score.rootMeanSquare)))
  }
}
