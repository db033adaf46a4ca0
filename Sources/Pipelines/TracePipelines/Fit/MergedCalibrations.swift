import PathLoss
import Support

/// Calibrations whose readings are put together, as if all had been fitted at once.
struct MergedCalibrations {
  /// What all of the calibrations have in common.
  struct Agreed {
    var model: String
    var estimator: String
    var configuration: FitConfiguration
  }

  /// A calibration, and the file that holds it.
  struct Part {
    var path: String
    var calibration: Calibration
  }

  let readings: FitReadings
  /// By calibration, the file that it was fitted on, or the first of several.
  let files: [(name: String, stations: [Station])]
  /// Which readings the calibrations are of, whatever else they differ in.
  let chosen: FitConfiguration
  /// A Boolean value that is true if all readings have weights.
  let isWeighted: Bool
  /// Nil where they differ.
  let agreed: Agreed?
  /// Nil where they differ.
  let grouping: Grouping?

  init(paths: [String]) throws {
    try self.init(paths.map { Part(path: $0, calibration: try Calibration(path: $0)) })
  }

  /// - Parameter parts: one or more.
  /// - Throws: `RSSIError` where a calibration has no readings, or has readings that another has
  ///   too.
  init(_ parts: [Part]) throws(RSSIError) {
    let calibrations = parts.map(\.calibration)
    let first = calibrations[0]
    if let part = parts.first(where: \.calibration.stations.isEmpty) {
      throw RSSIError(
        .badInput,
        "\(part.path) holds no readings to merge, only constants: fit its recordings again with "
          + "this version")
    }
    try requireDifferentFiles(parts)
    try requireDifferentStays(parts)
    readings = Self.readings(calibrations)
    files = parts.map {
      ($0.calibration.inputs.first { $0.madeInto == nil }?.name ?? $0.path, $0.calibration.stations)
    }
    chosen = try Self.chosen(calibrations)
    isWeighted = calibrations.allSatisfy { $0.estimator == PathLossEstimator.weighted.rawValue }
    agreed = Self.agreed(calibrations, of: chosen.series)
    for part in parts where Grouping(part.calibration.by) == nil {
      throw RSSIError(
        .badInput,
        "\(part.path) is a damaged calibration (by: \"\(part.calibration.by)\"): fit it again")
    }
    grouping = calibrations.allSatisfy { $0.by == first.by } ? Grouping(first.by) : nil
  }

  private static func readings(_ parts: [Calibration]) -> FitReadings {
    var readings = FitReadings()
    for part in parts {
      // One file may have been fitted in parts.
      readings.inputs += part.inputs.filter { !readings.inputs.contains($0) }
      readings.excluded.merge(part.excluded, uniquingKeysWith: +)
      for doubt in part.groups.flatMap(\.diagnostics) where doubt.code == doubtfulReceiver {
        // The sentence begins with the receiver's name, of which another name may be a part.
        let names = part.stations.map(\.receiver).filter { doubt.message.hasPrefix($0 + " ") }
        if let name = names.max(by: { $0.utf8.count < $1.utf8.count }) {
          readings.doubts[name] = doubt.message
        }
      }
    }
    readings.stations = merged(parts.map(\.stations))
    let samples = parts.compactMap(\.sample)
    if samples.count == parts.count {
      var sample = ReadingSample(capacity: ReadingSample.capacityOfCalibration)
      for one in samples { sample.merge(one) }
      sample.sort()
      readings.sample = sample
    }
    return readings
  }

  /// - Throws: where the calibrations are of different levels or distances.
  private static func chosen(_ parts: [Calibration]) throws(RSSIError) -> FitConfiguration {
    let first = parts[0].settings
    if let other = parts.first(where: {
      $0.settings.filtered != first.filtered || $0.settings.minDistance != first.minDistance
    }) {
      throw RSSIError(
        .badInput,
        "the calibrations are of different levels or distances (\(other.commandLine)): fit all "
          + "with the same `filtered` and `minDistance`")
    }
    var chosen = FitConfiguration()
    chosen.filtered = first.filtered
    chosen.minDistance = first.minDistance
    if !parts.contains(where: \.settings.series.isEmpty) {
      chosen.series = Set(parts.flatMap(\.settings.series)).sorted()
    }
    return chosen
  }

  /// - Parameter series: those of all parts: each may be of series of its own.
  private static func agreed(_ parts: [Calibration], of series: [String]) -> Agreed? {
    func common(_ part: Calibration) -> FitConfiguration {
      var settings = part.settings
      settings.series = series
      return settings
    }
    let first = parts[0]
    guard
      parts.allSatisfy({
        $0.model == first.model && $0.estimator == first.estimator && common($0) == common(first)
      })
    else { return nil }
    return Agreed(model: first.model, estimator: first.estimator, configuration: common(first))
  }
}

/// Refuses calibrations that were fitted on one file; but one file may have been fitted in parts
/// that have no series in common.
private func requireDifferentFiles(_ parts: [MergedCalibrations.Part]) throws(RSSIError) {
  var owners: [String: (path: String, series: Set<String>)] = [:]
  for part in parts {
    let series = Set(part.calibration.settings.series)
    for input in part.calibration.inputs where input.madeInto == nil {
      if let owner = owners[input.sha256],
        owner.path == part.path || series.isEmpty || owner.series.isEmpty
          || !owner.series.isDisjoint(with: series)
      {
        throw RSSIError(
          .badInput,
          "\(owner.path) and \(part.path) were fitted on the same file \(input.name): it would "
            + "count twice")
      }
      owners[input.sha256, default: (part.path, [])].series.formUnion(series)
    }
  }
}

/// Refuses calibrations that both hold one stay, such as in a recording in two formats.
private func requireDifferentStays(_ parts: [MergedCalibrations.Part]) throws(RSSIError) {
  var stays: [Station.Key: (path: String, span: ClosedRange<Int64>?)] = [:]
  for part in parts {
    for station in part.calibration.stations where station.span != nil {
      if let owner = stays[station.key], owner.span == station.span {
        throw RSSIError(
          .badInput,
          "\(owner.path) and \(part.path) both hold the stay of \(station.beacon) at "
            + "\(station.receiver), \(station.distance) m (\(station.series)): it would count twice"
        )
      }
      stays[station.key] = (part.path, station.span)
    }
  }
}
