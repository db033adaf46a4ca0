import Foundation
import TestSupport
import Testing

@Suite("Several files of one walk become one trace")
struct JoinedTraceTests {
  private let folder: TemporaryDirectory
  private let example = repositoryRoot.appending(path: "notebooks-data/example").path

  init() throws { folder = try TemporaryDirectory() }

  /// Splits the first walk into three recordings, by a rule of each record's number, and merges
  /// what `rssi` imports of each by hand.
  private func split(by rule: String) throws -> [String] {
    let made = try runPython(
      """
      import struct, sys
      log = open(sys.argv[1] + '/walk-1.btsnoop', 'rb').read()
      records, offset = [], 16
      while offset < len(log):
          length, = struct.unpack_from('>I', log, offset + 4)
          records.append(log[offset:offset + 24 + length])
          offset += 24 + length
      for part in range(3):
          kept = [record for n, record in enumerate(records) if \(rule) == part]
          open(sys.argv[2] + '/%d.btsnoop' % part, 'wb').write(log[:16] + b''.join(kept))
      """, [example, folder.url.path])
    #expect(made.exitCode == 0, "\(made.error)")
    return (0..<3).map { folder.path("\($0).btsnoop") }
  }

  private func rows(_ trace: String) throws -> [[Substring]] {
    try rssi("export", trace, "--format", "csv").output.split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  @Test func `rotated logs are in order of time, whatever their order`() throws {
    let parts = try split(by: "n * 3 // len(records)")
    let trace = folder.path("walk.h5")
    let result = try rssi(
      "import", parts[2], parts[0], parts[1], "--receiver", "phone", "--trace", "walk-1",
      "--nodes", example + "/nodes.csv", "--truth", example + "/truth.csv", "-o", trace, "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(try folder.names().allSatisfy { !$0.hasPrefix(".") })

    let whole = folder.path("whole.h5")
    let plain = try rssi(
      "import", example + "/walk-1.btsnoop", "--receiver", "phone", "--nodes",
      example + "/nodes.csv", "--truth", example + "/truth.csv", "-o", whole, "--json")
    #expect(try rows(trace) == rows(whole))
    for key in ["sightings", "packets", "reports"] {
      let (one, other) = (try json(result.output)[key], try json(plain.output)[key])
      #expect(String(describing: one) == String(describing: other), "\(key)")
    }
    let truth = try runPython(
      """
      import sys, h5py
      for path in sys.argv[1:]:
          with h5py.File(path) as file:
              table = file['truth/positions']
              print([table[name][:].tolist() for name in ('time_s', 'node', 'trace', 'x_m')])
      """, [trace, whole]
    ).output.split(separator: "\n")
    #expect(truth.count == 2 && truth[0] == truth[1])
  }

  @Test func `three receivers are merged as rssi merge would, with a name for each`() throws {
    let parts = try split(by: "n % 3")
    let trace = folder.path("walk.h5")
    let named = zip(parts, [37, 38, 39]).map { "\($0)@receiver=r\($1)" }
    let result = try rssi("import", named[0], named[1], named[2], "--trace", "walk", "-o", trace)
    #expect(result.exitCode == 0 && result.error.isEmpty, "\(result.error)")

    var imported: [String] = []
    for (part, channel) in zip(parts, [37, 38, 39]) {
      imported.append(folder.path("\(channel).h5"))
      let one = try rssi("import", part, "--receiver", "r\(channel)", "-o", imported.last ?? "")
      #expect(one.exitCode == 0)
    }
    let merged = folder.path("merged.h5")
    #expect(try rssi("merge", imported[0], imported[1], imported[2], "-o", merged).exitCode == 0)
    let (mine, its) = (try rows(trace), try rows(merged))
    #expect(mine.map { $0.dropFirst() } == its.map { $0.dropFirst() })
    #expect(
      Set(mine.map { $0[0] }) == ["walk"] && Set(mine.map { $0[2] }) == ["r37", "r38", "r39"])
    #expect(mine.map { Double($0[1]) ?? .nan } == mine.map { Double($0[1]) ?? .nan }.sorted())

    // A span counts from the first sighting of all.
    let part = folder.path("part.h5")
    let selected = try rssi(
      "import", named[2], named[1], named[0], "--trace", "walk", "--from", "+2s", "--to", "+5s",
      "-o", part)
    #expect(selected.exitCode == 0, "\(selected.error)")
    let start = try #require(Double(mine[0][1]))
    let wanted = mine.filter { (start + 2..<start + 5).contains(Double($0[1]) ?? .nan) }
    #expect(try rows(part) == wanted)
    let lines = try rssi("import", named[0], named[1], named[2], "--trace", "walk", "-o", "-")
      .output
    #expect(lines.split(separator: "\n").count == mine.count)
  }

  @Test func `files that overlap are named, and a table of several traces is refused`() throws {
    let parts = try split(by: "n * 3 // len(records)")
    let copy = folder.path("copy.btsnoop")
    let joined =
      try Data(contentsOf: URL(filePath: parts[0]))
      + Data(contentsOf: URL(filePath: parts[1])).dropFirst(16)
    try joined.write(to: URL(filePath: copy))
    let overlapping = try rssi(
      "import", parts[0], copy, "--trace", "walk", "-o", folder.path("x.h5"))
    #expect(overlapping.exitCode == 0)
    #expect(overlapping.error.contains("warning: \(parts[0]) and \(copy) have "))

    let table = try folder.write(
      "trace,time_s,receiver,beacon,rssi_dbm\na,1700000000,r,b,-60\nb,1700000001,r,b,-61\n",
      to: "two.csv")
    let several = try rssi("import", table, parts[0], "--trace", "w", "-o", folder.path("y.h5"))
    #expect(several.exitCode == 65 && several.error.contains("several traces (a, b)"))
    let named = try rssi("import", table + "@receiver=r", "-o", folder.path("y.h5"))
    #expect(named.exitCode == 64 && named.error.contains("--columns \"receiver='r'\""))
    #expect(try folder.names().allSatisfy { !$0.hasPrefix(".") && $0 != "y.h5" })
  }
}
