import Foundation
import TestSupport
import Testing

@Suite("A recording at a known distance")
struct ImportDistanceTests {
  private let folder: TemporaryDirectory
  private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

  init() throws { folder = try TemporaryDirectory() }

  @Test func `is imported as a capture labels it, and fitted`() throws {
    let (imported, captured) = (folder.path("imported.h5"), folder.path("captured.h5"))
    let labels = ["--distance", "1.8288m", "--pose", "upright"]
    let written = try runProgram(builtProgram, ["import", walk, "-o", imported] + labels)
    #expect(written.exitCode == 0, "\(written.error)")
    #expect(written.output.contains("8 stays"))
    let replay = ["capture", "replay:\(walk)", "--speed", "max", "--trace", "walk-1"]
    #expect(try runProgram(builtProgram, replay + ["-o", captured] + labels).exitCode == 0)
    func rows(_ path: String) throws -> [[Substring]] {
      try rssi("export", path, "--format", "csv").output.split(separator: "\n")
        .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    }
    let found = try rows(imported)
    #expect(found == (try rows(captured)))
    #expect(found.count == 1065)
    #expect(found.dropFirst().allSatisfy { $0.last == "1.8288" })
    let lines = try rssi("import", walk, "--distance", "1.8288m", "--pose", "upright", "-o", "-")
    #expect(lines.output.contains(#""distance_m":1.8288"#))
    // A stay is a position, whose mean level is that of 1.8288 m: by hand, with n = 2.
    let fit = try rssi(
      "fit", imported, "--model", "fixed-exponent", "--per-position", "packets", "--json")
    #expect(fit.exitCode == 0, "\(fit.error)")
    let pooled = try #require(json(fit.output)["pooled"] as? [String: Any])
    let levels = found.dropFirst().compactMap { Double($0[4]) }
    let mean = levels.reduce(0, +) / Double(levels.count)
    let power = try #require(pooled["measured_power_dbm"] as? Double)
    #expect(abs(power - (mean + 20 * log10(1.8288))) < 0.001)
  }

  @Test func `inputs without such a label`() throws {
    let output = folder.path("x.h5")
    let table = try folder.write(
      "time_s,receiver,beacon,rssi_dbm\n1,phone,tag,-60\n", to: "table.csv")
    let refused = try rssi("import", table, "--distance", "2m", "-o", output)
    #expect(refused.exitCode == 64)
    #expect(refused.error.contains("distance_m"))
    #expect(try rssi("import", walk, "--pose", "upright", "-o", output).exitCode == 64)
    #expect(try rssi("import", walk, "--distance", "5mm", "-o", output).exitCode == 64)
    #expect(
      try rssi(
        "import", walk, "--distance", "2m", "--pose", String(repeating: "a", count: 65), "-o",
        output
      ).exitCode == 64)
    #expect(try folder.names() == ["table.csv"])
  }

  @Test func `calibrate names the fit`() throws {
    let result = try rssi("calibrate", walk, "--distance", "2m", "--all-beacons")
    #expect(result.exitCode == 65)
    #expect(result.error.contains("fixed-exponent"))
  }
}
