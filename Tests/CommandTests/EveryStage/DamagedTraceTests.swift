import Foundation
import TestSupport
import Testing

/// Changes to a trace that no program of ours makes, as Python statements about the file `f`.
private let damages = [
  "f['sightings/beacon'][5] = 9999", "f['sightings/receiver'][5] = 999",
  "f['sightings/trace'][5] = 999", "f['sightings/dwell'][5] = 77",
  "f['sightings/payload'][5] = 7777777",
  "f['sightings/advertiser'][5] = 4000000", "f['sightings/time_s'][5] = 8.9e9",
  "f['sightings/time_s'][5] = -1e300", "f['sightings/time_s'][5] = float('nan')",
  "f['sightings/rssi_dbm'][5] = float('inf')", "f['sightings/rssi_dbm'][5] = -3e38",
  "f['truth/positions/trace'][0] = 99", "f['truth/positions/node'][0] = 99",
  "f['truth/positions/role'][0] = 9", "f['truth/positions/time_s'][0] = 8.9e9",
  "f['truth/levels/beacon'][0] = 9999", "f['truth/levels/time_s'][0] = float('nan')",
  "f['truth/levels/rssi_dbm'][0] = float('inf')", "f['truth/levels/rssi_dbm'].resize((0,))",
  "del f['truth/levels']", "f['truth/positions/x_m'][0] = float('inf')",
  "f['payloads/offset'][0] = 2**63",
  "f['payloads/length'][0] = 65535", "f['beacons/x_m'][0] = float('inf')",
  "f['beacons/id'].resize((0,))", "f['receivers/id'].resize((0,))", "f['traces/id'].resize((0,))",
  "f.attrs['start'] = np.bytes_('0000-01-01T00:00:00Z')", "f.attrs['start'] = np.bytes_('soon')",
  "f.attrs['start'] = [np.bytes_('2024-01-01T00:00:00Z')] * 50",
  "f.attrs['format_version'] = np.arange(50, dtype='u2')", "f.attrs['format_version'] = 2",
  "del f['sightings']", "del f['provenance']", "del f['sightings/rssi_dbm']",
]

@Suite("A damaged trace is refused or survived by every stage, never a crash")
struct DamagedTraceTests {
  @Test(.systemRun, arguments: damages)
  func `every stage`(_ damage: String) throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let trace = folder.path("trace.h5")
    let calibration = folder.path("c.json")
    #expect(
      try rssi(
        "import", room + "/walk-1.btsnoop", "--receiver", "phone", "--nodes", room + "/nodes.csv",
        "--truth", room + "/truth.csv", "--truth", room + "/levels.csv", "-o", trace
      ).exitCode == 0)
    #expect(try rssi("fit", room + "/distances.csv", "-o", calibration).exitCode == 0)
    let made = try runPython(
      "import h5py, numpy as np, sys\nwith h5py.File(sys.argv[1], 'r+') as f:\n  " + damage, [trace]
    )
    try #require(made.exitCode == 0, "\(made.error)")
    for arguments in [
      ["info", trace], ["beacons", trace], ["filter", trace, "-o", folder.path("f.h5")],
      ["fit", trace, "--by", "link"],
      ["eval", trace, "--calibration", calibration, "--algorithms", "weighted-centroid"],
      ["export", trace, "--format", "csv"],
      ["export", trace, "--format", "ndjson"], ["export", trace, "--format", "btsnoop"],
    ] {
      let result = try runProgram(
        builtProgram, arguments, environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(
        [0, 65].contains(result.exitCode), "\(arguments) \(result.exitCode): \(result.error)")
      if result.exitCode == 65 { #expect(result.error.contains("rssi: ")) }
    }
  }
}
