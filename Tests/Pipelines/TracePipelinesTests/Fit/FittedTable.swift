import Foundation
import PathLoss
import Support
import Synchronization
import TestSupport
import TraceStore

@testable import TracePipelines

/// A log that keeps its notes.
final class KeptNotes: ActivityLog {
  private let kept = Mutex<[String]>([])

  var notes: [String] { kept.withLock { $0 } }

  func note(_ text: String) { kept.withLock { $0.append(text) } }
}

/// A table of readings without noise: −60 dBm at 1 m, exponent 2.
struct FittedTable {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes a table with three stays of each series and returns its path.
  func write(
    _ name: String, series: [String], distances: [Double] = [1, 10, 100], beacon: String = "left"
  ) throws -> String {
    var text = "series,time_s,receiver,beacon,distance_m,rssi_dbm,channel\n"
    var time = 1_700_000_000
    for series in series {
      for distance in distances {
        for _ in 0..<4 {
          let level = -60 - 20 * log10(distance)
          text += "\(series),\(time),phone,\(beacon),\(distance),\(Int(level.rounded())),37\n"
          time += 1
        }
      }
    }
    let path = folder.path(name)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  func fit(
    _ inputs: [String], log: any ActivityLog = SilentLog(),
    _ change: (inout FitRequest) -> Void = { _ in }
  ) throws -> FitResult {
    var request = FitRequest()
    request.inputs = inputs
    change(&request)
    return try FitStage(request).run(
      in: StageContext(tool: ToolIdentity(version: "1.2.3", commandLine: "tests"), log: log))
  }
}
