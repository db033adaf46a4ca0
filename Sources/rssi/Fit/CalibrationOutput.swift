import Inputs
import PathLoss
import Support
import TracePipelines
import TraceStore

/// Where a calibration is written: into a trace where the output is one already, else into a file.
enum CalibrationOutput {
  case file(String)
  case trace(TraceReader)

  /// - Throws: `RSSIError` for the name of a trace that does not exist.
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
  ///   - document: the calibration as its file has it.
  ///   - inputs: the files that were read.
  func write(_ calibration: Calibration, document: String, inputs: [String]) throws {
    switch self {
    case .file(let path): try writeOutput(document, to: path)
    case .trace(let trace):
      try calibration.store(in: trace, document: document, inputs: inputs, by: .program)
    }
  }
}
