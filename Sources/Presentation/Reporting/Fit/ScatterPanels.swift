import NumericalMethods
import PathLoss
import Plotting
import RealModule

/// Readings against distance with the fitted curve, one panel per group.
struct ScatterPanels {
  let groups: [PicturedGroup]
  let packets: [PicturedPackets]
  /// The range of all panels in metres.
  let distances: ClosedRange<Double>
  /// The contribution of each position to the fit.
  let perPosition: String

  /// Means that may have whiskers: those of more would be a thicket.
  private static let mostWhiskers = 60

  /// Returns the number of panels in each row.
  static func rows(_ panels: Int) -> [Int] {
    switch panels {
    case ...3: [panels]
    case 4: [2, 2]
    default: [3, panels - 3]
    }
  }

  var panels: [Panel] {
    let range = levels
    return groups.indices.map { index in
      var panel = Panel(
        title: title(groups[index]),
        x: Axis("distance (m)", range: distances, scale: .logarithmic),
        y: Axis("level (dBm)", range: range),
        series: series(groups[index], packets[index], within: range))
      panel.height = groups.count == 1 ? 380 : groups.count == 2 ? 320 : 270
      return panel
    }
  }

  /// The range of levels and bands in dBm; bands of few positions are cut off to leave room.
  private var levels: ClosedRange<Double> {
    let all = groups.flatMap { $0.stations.flatMap { $0.levels.map(\.level) } }
    let low = all.min() ?? -100
    let high = all.max() ?? 0
    let room = 0.35 * (high - low)
    var ends = (low: low, high: high)
    for group in groups {
      guard let line = group.curve?.line else { continue }
      for distance in group.fit.distanceRange.map({ [$0.lower, $0.upper] }) ?? [] {
        let (level, _, half) = line.level(atDistance: distance)
        ends.low = min(ends.low, max(level - half, low - room))
        ends.high = max(ends.high, min(level + half, high + room))
      }
    }
    let margin = max(0.03 * (ends.high - ends.low), 1)
    return ends.low - margin...ends.high + margin
  }

  private func series(
    _ group: PicturedGroup, _ packets: PicturedPackets, within range: ClosedRange<Double>
  ) -> [Series] {
    let colour = group.name
    var series: [Series] = []
    let places = places(group)
    if let line = group.curve?.line {
      let levels = places.map { line.level(atDistance: $0) }
      func band(_ name: String, _ half: (Int) -> Double) -> Series {
        func within(_ level: Double) -> Double {
          min(max(level, range.lowerBound), range.upperBound)
        }
        return Series(
          name,
          .band(
            x: places, low: places.indices.map { within(levels[$0].level - half($0)) },
            high: places.indices.map { within(levels[$0].level + half($0)) }), colourName: colour)
      }
      let isReduced = perPosition == "mean" || perPosition == "median"
      series.append(
        band("95 % of \(isReduced ? "positions" : "packets")") { levels[$0].prediction })
      series[0].isPale = true
      series.append(band("95 % of the curve") { levels[$0].confidence })
    }
    series.append(
      Series(name(packets), .points(x: packets.distances, y: packets.levels), role: .raw))
    if let curve = group.curve {
      series.append(
        Series(
          curve.words, .line(x: places, y: places.map { curve.level(atDistance: $0) }),
          colourName: colour))
    }
    return series + means(group)
  }

  private func title(_ group: PicturedGroup) -> String {
    if groups.count == 1, group.name == "pooled" { return "" }
    return group.curve == nil ? group.name + ": not fitted" : group.name
  }

  private func name(_ packets: PicturedPackets) -> String {
    guard self.packets.contains(where: { $0.step > 1 }) else { return "packets" }
    return groups.count > 1 ? "packets, thinned out" : "packets, one in \(packets.step)"
  }

  /// Returns the distances at which the curve is drawn, including its bend.
  private func places(_ group: PicturedGroup) -> [Double] {
    guard let range = group.fit.distanceRange else { return [] }
    let near = Double.log10(range.lower) - 0.01
    let far = Double.log10(range.upper) + 0.01
    let places = (0...120).map { Double.exp10(near + (far - near) * Double($0) / 120) }
    return (places + (group.fit.twoSlope.map { [$0.breakpoint] } ?? [])).sorted()
  }

  private func means(_ group: PicturedGroup) -> [Series] {
    let means = group.means
    let isFew = means.count <= Self.mostWhiskers
    var series: [Series] = []
    if isFew {
      let spread = means.filter { $0.deviation != nil }
      series.append(
        Series(
          "",
          .whiskers(
            x: spread.map(\.distance), low: spread.map { $0.level - ($0.deviation ?? 0) },
            high: spread.map { $0.level + ($0.deviation ?? 0) }), colourName: group.name))
    }
    series.append(
      Series(
        group.pooling.words + (isFew ? " ± 1 sd" : ""),
        .points(x: means.map(\.distance), y: means.map(\.level)),
        colourName: group.name))
    return series
  }
}
