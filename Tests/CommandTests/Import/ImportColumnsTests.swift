import Foundation
import TestSupport
import Testing

@Suite("A table of another program")
struct ImportColumnsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func rows(_ path: String) throws -> String {
    try rssi("export", path, "--format", "csv").output
  }

  /// The same table as pandas reads it: times in nanoseconds, identities and levels.
  private func expected(_ path: String, _ script: String) throws -> String {
    try runPython(
      """
      import sys, pandas as pd
      t = \(script)
      for time, beacon, level in zip(t.time, t.beacon, t.level):
          print(time, beacon, level)
      """, [path]
    ).output
  }

  @Test(arguments: [
    (
      "timestamp;mac;RSSI\n1700000000123;C0:FF:EE:00:00:01;-63,5\n1700000000223;C0:FF:EE:00:00:02;-70,25\n",
      "pd.read_csv(sys.argv[1], sep=';', decimal=',').assign(time=lambda t: t.timestamp * 10**6, "
        + "beacon=lambda t: t.mac, level=lambda t: t.RSSI)"
    ),
    (
      "# log\n,Time,device,rssi\n0,2024-05-01 12:00:00.125+02:00,a,-60\n1,2024-05-01T10:00:01Z,b,-61\n",
      "pd.read_csv(sys.argv[1], comment='#').assign(time=lambda t: pd.to_datetime(t.Time, utc=True, "
        + "format='ISO8601').dt.as_unit('ns').astype('int64'), beacon=lambda t: t.device, level=lambda t: t.rssi)"
    ),
  ])
  func `is read as pandas reads it, and the printed map forces the same`(
    _ text: String, _ script: String
  ) throws {
    let table = try folder.write(text, to: "app.csv")
    let read = try rssi("import", table, "-o", folder.path("a.h5"))
    #expect(read.exitCode == 0, "\(read.error)")
    let lines = try rows(folder.path("a.h5")).split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let time = (Double(fields[1]) ?? .nan) * 1000
      return "\(Int64(time.rounded())) \(fields[3]) \(Double(fields[4]) ?? .nan)"
    }
    let wanted = try expected(table, script).split(separator: "\n").map { line in
      let fields = line.split(separator: " ")
      return "\((Int64(fields[0]) ?? 0) / 1_000_000) \(fields[1]) \(Double(fields[2]) ?? .nan)"
    }
    #expect(lines.map { $0.lowercased() } == wanted.map { $0.lowercased() })

    let line = try #require(read.error.split(separator: "\n").first)
    let map = try #require(line.components(separatedBy: "--columns ").last)
    let forced = try rssi("import", table, "--columns", map, "-o", folder.path("b.h5"))
    #expect(forced.exitCode == 0 && !forced.error.contains("read with"), "\(forced.error)")
    #expect(try rows(folder.path("a.h5")) == rows(folder.path("b.h5")))
  }

  @Test func `of distances and levels alone is fitted`() throws {
    let pairs = try folder.write(
      "distance;rssi\n1;-60\n2;-66\n4;-72\n8;-78\n16;-84\n", to: "pairs.csv")
    let fit = try rssi("fit", pairs, "--json")
    let pooled = try #require(json(fit.output)["pooled"] as? [String: Any])
    // 6 dB per doubling, by hand: n = 6 / (10 log10 2).
    let exponent = try #require(pooled["exponent"] as? Double)
    #expect(abs(exponent - 6 / (10 * log10(2))) < 0.001)
  }

  @Test func `with local times needs their zone`() throws {
    let table = try folder.write("time,rssi\n2024-05-01 12:00:00,-60\n", to: "local.csv")
    let refused = try rssi("import", table, "-o", folder.path("a.h5"))
    #expect(refused.exitCode == 65 && refused.error.contains("--time-zone"))
    let read = try rssi(
      "import", table, "--time-zone", "Europe/Berlin", "-o", folder.path("a.h5"))
    #expect(read.output.contains("2024-05-01T10:00:00Z"), "\(read.output)\(read.error)")
  }
}
