import Plotting

/// What readings lie above the curve of their group, against distance.
struct ResidualPanel {
  let groups: [PicturedGroup]
  let packets: [PicturedPackets]
  /// What the panel spans, metres.
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
