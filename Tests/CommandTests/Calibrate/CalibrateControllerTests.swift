import Foundation
import TestSupport
import Testing

/// Against bumble, an independent Bluetooth stack, whose beacons are all heard at -50 dBm.
@Suite(
  "A guided bench on a controller",
  .enabled(if: hasBumble, "needs bumble: run scripts/bootstrap test")
)
struct CalibrateControllerTests {
  private static let beacon = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2"

  /// Runs a bench while bumble advertises.
  private func listen(
    _ body: (_ source: String, _ bumble: RunningProgram) throws -> ProgramResult
  ) throws -> ProgramResult {
    let port = try "\(reservedPort())"
    let bumble = try RunningProgram(
      pythonPath, [repositoryRoot.appending(path: "Tests/Rig/bumble/advertise.py").path, port])
    try #require(bumble.waits { bumble.output.contains("ready") }, "\(bumble.error)")
    defer { bumble.send(SIGKILL) }
    return try body("h4:tcp:127.0.0.1:\(port)", bumble)
  }

  @Test func `takes poses in the time of the machine`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("bench.h5")
    let result = try listen { source, _ in
      try onTerminal([
        "calibrate", source, "--beacon", Self.beacon, "--pose", "upright", "--pose", "flat",
        "--duration", "3s", "--countdown", "1s", "--record", trace, "--precision", "0.5",
      ])
    }
    #expect(result.exitCode == 0, "\(result.output)")
    for words in [
      "1/2 upright at 1 m", "2/2 flat at 1 m", "step back: 1 s", "trimmed -50.00 dBm",
      "-50 dBm at 1 m, byte", "0xCE", "-9 dBm at 0 m",
      "-50.00 ± 2.59 dBm", "takes for ± 0.5 dB",
      "9.00 dB higher",
      "9.0 dB below",
    ] {
      #expect(result.output.contains(words), "\(words) in \(result.output)")
    }
    // The trace has the poses as stays, and what was heard between them.
    let check = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          stays, time = f["truth/distances"], f["sightings/time_s"][:]
          assert [p.rstrip(b"\\0") for p in stays["pose"]] == [b"upright", b"flat"], stays["pose"][:]
          assert stays["end_s"][0] < stays["start_s"][1]
          inside = sum(((time >= a) & (time <= b)).sum() for a, b in zip(stays["start_s"], stays["end_s"]))
          assert 20 <= inside < len(time)
          assert set(f["sightings/rssi_dbm"][:]) == {-50}
      """, [trace])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `a controller that is gone does not take back what is complete`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("bench.h5")
    let result = try listen { source, bumble in
      let program = try RunningProgram(
        builtProgram,
        [
          "calibrate", source, "--beacon", Self.beacon, "--yes", "--poses", "2", "--duration", "3s",
          "--countdown", "2s", "--json", "--record", trace,
        ])
      #expect(program.waits { program.error.contains("2/2 pose 2") })
      bumble.send(SIGKILL)
      return program.wait()
    }
    #expect(result.exitCode == 69 && result.error.contains("is gone"), "\(result.error)")
    let report = try json(result.output)
    let warnings = try #require(report["warnings"] as? [String])
    #expect(warnings.contains { $0.hasPrefix("1 of 2 poses") })
    let beacon = try #require((report["beacons"] as? [[String: Any]])?.first)
    #expect(beacon["measured_power_dbm"] as? Double == -50)
    // So does its trace, which is closed as whole.
    let again = try rssi("calibrate", trace, "--json")
    #expect(again.exitCode == 0, "\(again.error)")
  }

  @Test func `a second beacon ends it before the pose is over`() throws {
    let result = try listen { source, _ in
      try rssi("calibrate", source, "--yes", "--countdown", "0s", "--duration", "10m")
    }
    #expect(result.exitCode == 65)
    #expect(result.error.contains("beacons were heard") && result.error.contains("eddystone-uid:"))
  }
}

/// A Boolean value that is true if there is an independent Bluetooth stack.
let hasBumble = (try? runPython("import bumble.controller").exitCode) == 0
