// Measures the power of each beacon and the path-loss exponent from readings at known distances:
//
//     swift run fit-bench notebooks-data/example/distances.csv

import Foundation
import RSSIKit

/// Writes notes of the library to standard error.
struct Console: ActivityLog {
  func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

func text(_ value: Double?, _ interval: Interval?, _ unit: String) -> String {
  guard let value, let interval else { return "not determined" }
  return String(
    format: "%.2f%@, 95 %% interval %.2f to %.2f", value, unit, interval.lower, interval.upper)
}

guard let path = CommandLine.arguments.dropFirst().first else {
  print("usage: fit-bench READINGS")
  exit(64)
}
do {
  var request = FitRequest()
  request.inputs = [path]
  request.by = Grouping([.beacon])
  let calibration = try FitStage(request).run(in: StageContext(log: Console()))
    .calibration
  for beacon in calibration.groups {
    print("\(beacon.key): \(text(beacon.measuredPower, beacon.powerInterval, " dBm")) at 1 m")
  }
  let pooled = calibration.pooled
  print("all beacons: \(text(pooled.measuredPower, pooled.powerInterval, " dBm")) at 1 m")
  print("exponent: \(text(pooled.exponent, pooled.exponentInterval, ""))")
  for warning in pooled.warnings { print("warning: \(warning)") }
  // What `rssi eval --calibration` and `rssi locate --calibration` read.
  let json = JSONEncoder()
  json.outputFormatting = [.prettyPrinted, .sortedKeys]
  try json.encode(calibration).write(to: URL(filePath: "bench.json"))
} catch {
  print("\(error)")
  exit(65)
}
