import Inputs
import NumericalMethods
import PathLoss
import Support
import TraceStore

/// Where a calibration is written: into a trace where the output is one already, else into a file.
enum CalibrationOutput {
  case file(String)
  case trace(TraceReader)

  /// - Throws: a `RSSIError` for a name that says trace where there is none.
  init(_ path: String) throws {
    if path != "-", (try? InputKind(path: path)) == .trace {
      self = .trace(try TraceReader(path: path))
      return
    }
    guard ![".h5", ".hdf5"].contains(where: path.lowercased().hasSuffix) else {
      throw RSSIError(
        .usage,
        "\(path) is no trace yet: `rssi import` makes one to write the calibration into; or name a "
          + ".json file"
      )
    }
    self = .file(path)
  }

  /// - Parameters:
  ///   - text: the calibration as its file has it.
  ///   - inputs: the files that were read.
  func write(_ calibration: Calibration, as text: String, inputs: [String]) throws {
    switch self {
    case .file(let path): try writeOutput(text, to: path)
    case .trace(let reader):
      // The trace first, so that it can be told from what only its calibration is from.
      var step = try ToolIdentity.program.provenance(of: "fit", inputs: [reader.path] + inputs)
      var seen: Set<String> = []
      step.inputs = step.inputs.filter { seen.insert($0.sha256).inserted }
      let stored = StoredCalibration(
        model: calibration.model, estimator: calibration.estimator, by: calibration.by,
        gauge: calibration.hierarchical?.gauge,
        groups: calibration.groups.map(StoredConstants.init), document: Array(text.utf8))
      try TraceStore.write(stored, into: reader, at: reader.path, adding: step)
    }
  }
}

extension StoredConstants {
  fileprivate init(_ group: PathLossGroup) {
    self.init(key: group.key)
    beacon = group.beacon ?? ""
    receiver = group.receiver ?? ""
    series = group.series ?? ""
    samples = UInt64(group.samples)
    positions = UInt64(group.positions)
    distances = UInt64(group.distances)
    hasConverged = group.estimation.hasConverged
    errorBasis = group.errorBasis?.rawValue ?? ""
    measuredPower = group.measuredPower ?? .nan
    powerError = group.powerError ?? .nan
    powerLow = group.powerInterval?.lower ?? .nan
    powerHigh = group.powerInterval?.upper ?? .nan
    powerFreedom = group.powerFreedom ?? .nan
    exponent = group.exponent ?? .nan
    exponentError = group.exponentError ?? .nan
    exponentLow = group.exponentInterval?.lower ?? .nan
    exponentHigh = group.exponentInterval?.upper ?? .nan
    exponentFreedom = group.exponentFreedom ?? .nan
    covariance = group.powerExponentCovariance ?? .nan
    sigma = group.sigma ?? .nan
    sigmaLow = group.sigmaInterval?.lower ?? .nan
    sigmaHigh = group.sigmaInterval?.upper ?? .nan
    positionDeviation = group.positionDeviation ?? .nan
    packetDeviation = group.packetDeviation ?? .nan
    nearest = group.distanceRange?.lower ?? .nan
    farthest = group.distanceRange?.upper ?? .nan
    breakpoint = group.twoSlope?.breakpoint ?? .nan
    farExponent = group.twoSlope?.farExponent ?? .nan
  }
}
