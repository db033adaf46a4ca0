import PathLoss
import Support

/// Calibrations whose readings are put together, as if all had been fitted at once.
struct MergedCalibrations {
  /// What all of the calibrations have in common.
  struct Agreed {
    var model: String
    var estimator: String
    var settings: FitSettings
  }

  let readings: FitReadings
  /// Which readings the calibrations are of, whatever else they differ in.
  let chosen: FitSettings
  /// Whether all readings have weights.
  let isWeighted: Bool
  /// Nil where they differ.
  let agreed: Agreed?
  /// Nil where they differ.
  let grouping: Grouping?

  /// - Throws: a `RSSIError` where a file is no calibration, has no readings, or has readings that
  ///   another has too.
  init(_ paths: [String]) throws {
    var parts: [Calibration] = []
    var readings = FitReadings()
    var stays: [Station.Key: (path: String, span: ClosedRange<Int64>?)] = [:]
    var owners: [String: (path: String, series: Set<String>)] = [:]
    for path in paths {
      let part = try Calibration(path: path)
      guard !part.stations.isEmpty else {
        throw RSSIError(
          .badInput,
          "\(path) holds no readings to merge, only constants: fit its recordings again with this "
            + "version"
        )
      }
      // One file may have been fitted in parts that have no series in common.
      let series = Set(part.settings.series)
      for input in part.inputs where input.madeInto == nil {
        if let owner = owners[input.sha256],
          owner.path == path || series.isEmpty || owner.series.isEmpty
            || !owner.series.isDisjoint(with: series)
        {
          throw RSSIError(
            .badInput,
            "\(owner.path) and \(path) were fitted on the same file \(input.name): it would count "
              + "twice"
          )
        }
        owners[input.sha256, default: (path, [])].series.formUnion(series)
      }
      readings.inputs += part.inputs
      readings.excluded.merge(part.excluded, uniquingKeysWith: +)
      for group in part.groups {
        for doubt in group.diagnostics where doubt.code == "doubtful-receiver" {
          // The sentence begins with the receiver's name.
          for station in part.stations where doubt.message.hasPrefix(station.receiver + " ") {
            readings.doubts[station.receiver] = doubt.message
          }
        }
      }
      for station in part.stations where station.span != nil {
        if let owner = stays[station.key], owner.span == station.span {
          throw RSSIError(
            .badInput,
            "\(owner.path) and \(path) both hold the stay of \(station.beacon) at "
              + "\(station.receiver), \(station.distance) m (\(station.series)): it would count "
              + "twice"
          )
        }
        stays[station.key] = (path, station.span)
      }
      parts.append(part)
    }
    readings.stations = merged(parts.map(\.stations))
    self.readings = readings
    let first = parts[0]
    if let other = parts.first(where: {
      $0.settings.filtered != first.settings.filtered
        || $0.settings.minDistance != first.settings.minDistance
    }) {
      throw RSSIError(
        .badInput,
        "the calibrations are of different levels or distances (\(other.commandLine)): fit all "
          + "with the same --filtered and --min-distance"
      )
    }
    var chosen = FitSettings()
    chosen.filtered = first.settings.filtered
    chosen.minDistance = first.settings.minDistance
    chosen.series = Set(parts.flatMap(\.settings.series)).sorted()
    if parts.contains(where: \.settings.series.isEmpty) { chosen.series = [] }
    self.chosen = chosen
    isWeighted = parts.allSatisfy { $0.estimator == PathLossEstimator.weighted.rawValue }
    // Each part may be of series of its own.
    func common(_ settings: FitSettings) -> FitSettings {
      var settings = settings
      settings.series = chosen.series
      return settings
    }
    agreed =
      parts.allSatisfy {
        $0.model == first.model && $0.estimator == first.estimator
          && common($0.settings) == common(first.settings)
      }
      ? Agreed(model: first.model, estimator: first.estimator, settings: common(first.settings))
      : nil
    if let odd = zip(paths, parts).first(where: { Grouping(argument: $1.by) == nil }) {
      throw RSSIError(
        .badInput, "\(odd.0) is a damaged calibration (by: \"\(odd.1.by)\"): fit it again")
    }
    grouping = parts.allSatisfy { $0.by == first.by } ? Grouping(argument: first.by) : nil
  }
}
