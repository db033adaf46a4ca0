import PathLoss
import Support

/// Calibrations whose readings are combined, as if all had been fitted at once.
struct MergedCalibrations {
  /// The settings that all of the calibrations share.
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
  /// The file that each calibration was fitted on, or the first of several, with its stations.
  let files: [(name: String, stations: [Station])]
  /// The selection of the readings, apart from all other settings.
  let chosen: FitConfiguration
  /// A Boolean value that is true if all readings have weights.
  let isWeighted: Bool
  /// The common settings; nil if the calibrations differ.
  let agreed: Agreed?
  /// The common grouping; nil if the calibrations differ.
  let grouping: Grouping?

  init(paths: [String]) throws {
    try self.init(paths.map { Part(path: $0, calibration: try Calibration(path: $0)) })
  }

  /// - Parameter parts: one or more calibrations.
  /// - Throws: `RSSIError` if a calibration has no readings, or readings that another has too.
  init(_ parts: [Part]) throws(RSSIError) {
    let calibrations = parts.map(\.calibration)
    let first = calibrations[0]
    if let part = parts.first(where: \.calibration.stations.isEmpty) {
      throw RSSIError(
        .badInput,
        "\(part.path) has no readings to merge, only constants: fit its recordings again with "
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
        // The sentence begins with the receiver's name, which may be part of another name.
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

  /// - Throws: `RSSIError` if the calibrations are of different levels or distances.
  private static func chosen(_ parts: [Calibration]) throws(RSSIError) -> FitConfiguration {
    let first = parts[0].settings
    if let other = parts.first(where: {
      $0.settings.filtered != first.filtered || $0.settings.minDistance != first.minDistance
    }) {
      throw RSSIError(
        .badInput,
        "the calibrations have different levels or distances (\(other.commandLine)): fit all "
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

  /// - Parameter series: the series of all parts; each part may have its own.
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

/// Refuses calibrations that were fitted on one file, unless they are parts of one fit without
/// common series.
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

/// Refuses calibrations that contain one stay, as after an import from two formats.
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
