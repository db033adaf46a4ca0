import Foundation
import TestSupport
import Testing

@Suite("The table of calibrated beacons")
struct CalibrateTableTests {
  private static let beacons = [
    "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:3:65535",
    "altbeacon:00112233445566778899AABBCCDDEEFF00010002",
    "eddystone-uid:00112233445566778899:0A0B0C0D0E0F", "eddystone-url:https://example.com/a,b",
    "eddystone-eid:0011223344556677", "addr:11:22:33:44:55:66", "a \"tag\"",
  ]

  private func recording(_ folder: TemporaryDirectory) throws -> String {
    var lines = ["time_s,receiver,beacon,rssi_dbm,distance_m,pose"]
    for (index, name) in Self.beacons.enumerated() {
      for pose in 1...3 {
        for packet in 0..<12 {
          let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
          lines.append("\(1_700_000_000 + packet),phone,\(quoted),\(-50 - index - pose),1,\(pose)")
        }
      }
    }
    return try folder.write(lines.joined(separator: "\n") + "\n", to: "bench.csv")
  }

  /// Each beacon asked for by name, an address among them, which `--all-beacons` leaves alone.
  private func calibrated(_ bench: String, _ table: String) throws -> ProgramResult {
    try runProgram(
      builtProgram,
      ["calibrate", bench, "--table", table] + Self.beacons.flatMap { ["--beacon", $0] })
  }

  @Test func `holds what flashing tools need`() throws {
    let folder = try TemporaryDirectory()
    let table = folder.path("beacons.csv")
    let result = try calibrated(try recording(folder), table)
    try #require(result.exitCode == 0, "\(result.error)")
    let check = try runPython(
      """
      import sys, pandas as pd
      t = pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False).set_index("node")
      assert list(t.columns) == ["role", "x_m", "y_m", "z_m", "kind", "uuid", "major", "minor",
          "namespace", "instance", "measured_power_dbm", "measured_power_byte_hex",
          "eddystone_tx_power_dbm"], t.columns
      names = sys.argv[2:]
      assert set(t.index) == set(names) and (t.role == "beacon").all()
      assert (t[["x_m", "y_m", "z_m"]] == "").all(axis=None)
      kinds = ["ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-eid", "other", "other"]
      for i, (name, kind) in enumerate(zip(names, kinds)):
          row, power = t.loc[name], -52 - i
          assert row.kind == kind and float(row.measured_power_dbm) == power
          assert int(row.measured_power_byte_hex, 16) == power % 256
          assert int(row.eddystone_tx_power_dbm) == power + 41
      row = t.loc[names[0]]
      assert (row.uuid, row.major, row.minor) == ("5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365", "3", "65535")
      row = t.loc[names[2]]
      assert (row.namespace, row.instance) == ("00112233445566778899", "0A0B0C0D0E0F")
      assert (t.drop(names[0])[["uuid", "major", "minor"]] == "").all(axis=None)
      assert (t.drop(names[2])[["namespace", "instance"]] == "").all(axis=None)
      """, [table] + Self.beacons)
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `is a table of nodes`() throws {
    let folder = try TemporaryDirectory()
    let (bench, table) = (try recording(folder), folder.path("beacons.csv"))
    try #require(try calibrated(bench, table).exitCode == 0)
    let trace = folder.path("trace.h5")
    let result = try rssi("import", bench, "--nodes", table, "-o", trace)
    #expect(result.exitCode == 0 && result.error.isEmpty, "\(result.error)")
    let check = try runPython(
      """
      import sys, h5py
      with h5py.File(sys.argv[1]) as f:
          powers = dict(zip(f["beacons/id"].asstr(), f["beacons/measured_power_dbm"]))
      assert [powers[name] for name in sys.argv[2:]] == list(range(-52, -59, -1)), powers
      """, [trace] + Self.beacons)
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `goes to standard output alone`() throws {
    let folder = try TemporaryDirectory()
    let bench = try recording(folder)
    let result = try rssi("calibrate", bench, "--beacon", Self.beacons[0], "--table", "-")
    #expect(result.exitCode == 0)
    #expect(
      result.output.hasPrefix("node,role,x_m") && result.output.split(separator: "\n").count == 2)
    for options in [
      ["--table", "-", "--json"], ["--table", bench], ["-o", "x", "--table", "./x"],
    ] {
      let refused = try runProgram(
        builtProgram, ["calibrate", bench, "--all-beacons"] + options, directory: folder.url)
      #expect(refused.exitCode == 64 && refused.output.isEmpty, "\(options)")
    }
    #expect(try folder.names() == ["bench.csv"])
  }
}
