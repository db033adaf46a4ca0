// Lists the beacons of a recording of `btmon -w`, hcidump or Android's HCI log:
//
//     swift run decode-beacons notebooks-data/example/walk-1.btsnoop

import Foundation
import RSSIKit

/// Keeps the levels of each beacon; a recording is decoded into it packet by packet.
struct HeardBeacons: RecordingSink {
  private(set) var levels: [String: [Double]] = [:]
  private(set) var gaps = 0

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) {
    let identity = BeaconIdentity(BeaconFrame(payload: payload), address: report.address)
    levels["\(identity)", default: []].append(Double(report.rssi))
  }

  mutating func lost(_ loss: Loss) { gaps += 1 }
}

guard let path = CommandLine.arguments.dropFirst().first else {
  print("usage: decode-beacons RECORDING")
  exit(64)
}
do {
  var reader = try BTSnoopReader(path: path)
  var heard = HeardBeacons()
  let counts = try reader.decode(into: &heard)
  for (identity, levels) in heard.levels.sorted(by: { $0.key < $1.key }) {
    let mean = levels.reduce(0, +) / Double(levels.count)
    print("\(identity): \(levels.count) packets, mean \(String(format: "%.1f", mean)) dBm")
  }
  // Every packet is counted: it has reports, is of another kind, or was refused.
  print(
    "\(counts.packets) packets: \(counts.packetsWithReports) with reports, "
      + "\(counts.otherEvents.total) other, \(counts.rejectedPackets) refused; \(heard.gaps) gaps")
} catch {
  print("\(error)")
  exit(65)
}
