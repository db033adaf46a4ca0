import PathLoss

/// Calibrations whose readings are put together, as if all had been fitted at once.
struct MergedCalibrations {
  /// What all of the calibrations have in common.
  struct Agreed {
    var model: String
    var estimator: String
    var settings: FitSettings
  }

  let readings: FitReadings
  /// Nil where they differ.
  let agreed: Agreed?
  /// Nil where they differ.
  let grouping: Grouping?

  /// - Throws: a `Failure` where a file is no calibration, has no readings, or has readings that another
  ///   has too.
  init(_ paths: [String]) throws {
    var parts: [Calibration] = []
    var readings = FitReadings()
    var owners: [String: String] = [:]
    for path in paths {
      let part = try Calibration(path: path)
      guard !part.stations.isEmpty else {
        throw Failure(
          Failure.badInput,
          "\(path) holds no readings to merge, only constants: fit its recordings again with this version")
      }
      for digest in Set(part.inputs.map(\.sha256)) {
        if let owner = owners[digest] {
          throw Failure(
            Failure.badInput,
            "\(owner) and \(path) were fitted on the same file \(part.inputs.first { $0.sha256 == digest }?.name ?? ""): it would count twice")
        }
        owners[digest] = path
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
      parts.append(part)
    }
    readings.stations = merged(parts.map(\.stations))
    self.readings = readings
    let first = parts[0]
    if let other = parts.first(where: {
      $0.settings.filtered != first.settings.filtered || $0.settings.minDistance != first.settings.minDistance
    }) {
      throw Failure(
        Failure.badInput,
        "the calibrations are of different levels or distances (\(other.commandLine)): fit all with the same --filtered and --min-distance")
    }
    agreed =
      parts.allSatisfy {
        $0.model == first.model && $0.estimator == first.estimator && $0.settings == first.settings
      } ? Agreed(model: first.model, estimator: first.estimator, settings: first.settings) : nil
    grouping = parts.allSatisfy { $0.by == first.by } ? Grouping(argument: first.by) : nil
  }
}
