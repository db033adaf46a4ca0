import NumericalMethods
package import PathLoss
import Support
package import TraceStore

extension Calibration {
  /// Reads a calibration file, or the calibration in a trace.
  ///
  /// - Throws: `RSSIError` that names the problem.
  package init(path: String) throws {
    guard let text = try document(of: path), let head = try? DocumentHead(json: text),
      head.format == "rssi-calibration"
    else {
      throw KnownFile.misplaced(path, for: "a calibration", of: [.calibration])
        ?? RSSIError(.badInput, "\(path) is not a calibration file: write one with `rssi fit`")
    }
    guard head.version == 1 else {
      throw RSSIError(
        .badInput,
        "\(path) is a calibration of format \(head.version), this rssi reads format 1: "
          + "update rssi")
    }
    do {
      self = try Calibration(json: text)
    } catch {
      throw RSSIError(
        .badInput, "\(path) is a damaged calibration (\(decodingProblem(error))): fit it again")
    }
  }

  /// Stores the calibration in a trace.
  ///
  /// - Parameters:
  ///   - document: the calibration as its file has it.
  ///   - inputs: the files that were fitted.
  package func store(
    in trace: TraceReader, document: String, inputs: [String], by tool: ToolIdentity
  ) throws {
    // The trace comes first, because later inputs are origins of its calibration only.
    var step = try tool.provenance(of: "fit", inputs: [trace.path] + inputs)
    var seen: Set<String> = []
    step.inputs = step.inputs.filter { seen.insert($0.sha256).inserted }
    // The current heading: fitting takes a while, and other stages may have changed it.
    let trace = try TraceReader(path: trace.path, toRewriteAt: trace.path)
    try TraceStore.write(stored(as: document), into: trace, at: trace.path, adding: step)
  }

  /// Returns the calibration as a trace stores it.
  ///
  /// - Parameter document: the calibration as its file has it.
  func stored(as document: String) -> StoredCalibration {
    StoredCalibration(
      model: model, estimator: estimator, by: by, gauge: hierarchical?.gauge,
      groups: groups.map(StoredConstants.init), document: Array(document.utf8))
  }
}

/// Returns the JSON of a calibration; nil for a file of another kind.
private func document(of path: String) throws -> [UInt8]? {
  switch try InputKind(path: path) {
  case .stream: return try contents(ofFile: path, atMost: .max)
  case .trace:
    guard let stored = try TraceReader(path: path).calibration() else {
      throw RSSIError(
        .badInput, "\(path) is a trace without a calibration: store one in it with `rssi fit`")
    }
    return stored.document
  default: return nil
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
    successiveDeviation = group.successiveDeviation ?? .nan
    packetDeviation = group.packetDeviation ?? .nan
    nearest = group.distanceRange?.lower ?? .nan
    farthest = group.distanceRange?.upper ?? .nan
    breakpoint = group.twoSlope?.breakpoint ?? .nan
    farExponent = group.twoSlope?.farExponent ?? .nan
  }
}

/// Returns the trace to add a calibration to; nil if the output is a separate file.
///
/// - Throws: `RSSIError` of kind `usage` for the name of a trace that does not exist.
package func traceOfCalibration(_ path: String) throws -> TraceReader? {
  if path != "-", (try? InputKind(path: path)) == .trace { return try TraceReader(path: path) }
  guard ![".h5", ".hdf5"].contains(where: path.lowercased().hasSuffix) else {
    throw RSSIError(
      .usage,
      "\(path) does not exist, and a calibration is added to an existing trace: write it first "
        + "(`rssi import FILE -o \(path)`), or name a new .json file")
  }
  return nil
}
