import RealModule

/// A property of cells that their errors may depend on.
public enum ErrorFactor: String, CaseIterable, Sendable {
  /// The recording.
  case trace
  /// The place, or the block of a recording.
  case unit
  /// The moving device.
  case device
  /// The site: recordings with a common anchor.
  case site
}

/// The moving device of a recording, and its site.
package struct RecordingOrigin: Equatable, Sendable {
  /// The name of the device.
  package var device: String
  /// The number of the site.
  package var site: Int

  package init(device: String, site: Int) { (self.device, self.site) = (device, site) }
}

/// The figures of two algorithms in one cell: a recording, or the part of a place or block in it.
struct ComparedCell {
  /// The level of each factor that is known.
  var levels: [ErrorFactor: Int]
  /// The logarithms of both figures.
  var logarithms: (Double, Double)

  /// The smallest figure, in metres: a smaller one is as good, and 0 has no logarithm.
  private static let least = 0.01

  /// Returns the cells in which both algorithms answered; none without origins.
  static func all(
    _ first: ComparedErrors, _ second: ComparedErrors, traces: [EvaluatedTrace],
    origins: [RecordingOrigin]
  ) -> [ComparedCell] {
    var devices: [String: Int] = [:]
    for origin in origins { devices[origin.device] = devices[origin.device] ?? devices.count }
    return traces.enumerated().flatMap { unit, trace -> [ComparedCell] in
      let recordings = Dictionary(grouping: trace.questions.indices) {
        trace.questions[$0].recording ?? -1
      }
      return recordings.sorted { $0.key < $1.key }.compactMap { recording, questions in
        guard origins.indices.contains(recording),
          let figures = first.figures(with: second, trace: unit, of: questions)
        else { return nil }
        let origin = origins[recording]
        return ComparedCell(
          levels: [
            .trace: recording, .unit: unit, .device: devices[origin.device] ?? 0,
            .site: origin.site,
          ],
          logarithms: (.log(max(figures.0, least)), .log(max(figures.1, least))))
      }
    }
  }
}
