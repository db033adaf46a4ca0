import Filtering
import Foundation
import PathLoss
import Support
import TestSupport
import Testing
import TraceStore

@testable import TracePipelines

@Suite("Parts of files")
struct FileShardTests {
  private let folder: TemporaryDirectory
  private let tool = ToolIdentity(version: "1.2.3", commandLine: "rssi beacons")

  init() throws { folder = try TemporaryDirectory() }

  private func table(_ name: String, _ rows: [String]) throws -> String {
    try folder.write(
      "trace,time_s,receiver,beacon,rssi_dbm,channel,distance_m\n" + rows.joined(separator: "\n")
        + "\n", to: name)
  }

  /// Three files that share devices, names, times and fractions of decibels.
  private func tables() throws -> [String] {
    [
      try table("a.csv", ["w,1,r,x,-60.1,37,1", "w,2,r,x,-60.2,38,1", "w,3,r,y,-71,39,2"]),
      try table("b.csv", ["w,3,r,x,-60.7,37,1", "w,9,r,y,-72,38,2", "w,9,r,y,127,,2"]),
      try table("c.csv", ["v,4,r,z,-80.3,37,4", "v,5,r,x,-59.9,38,0.5", "v,6,r,x,,39,0.5"]),
    ]
  }

  private func beacons(
    _ files: [String], _ name: String, share: FileShare? = nil, by tool: ToolIdentity? = nil
  ) throws -> String {
    let path = folder.path(name)
    _ = try BeaconsShard(
      BeaconsRequest(inputs: files), share: share, by: tool ?? self.tool, log: SilentLog()
    ).write(to: path)
    return path
  }

  private func fit(_ files: [String], _ name: String) throws -> String {
    var request = FitRequest()
    request.inputs = files
    let path = folder.path(name)
    _ = try FitStage(request).part(nil, in: StageContext(tool: tool)).write(to: path)
    return path
  }

  /// A comparison of filters on traces that are made of the tables.
  private func filters(_ tables: [String], _ name: String) throws -> String {
    let traces = try tables.map { table in
      let trace = table + ".h5"
      _ = try ImportStage(ImportRequest(files: [table], output: trace)).run(
        in: StageContext(tool: tool))
      return trace
    }
    let request = FilterComparisonRequest(
      inputs: traces, chains: try FilterSpecification.chains("mean,rts"), settling: 0)
    let path = folder.path(name)
    _ = try FilterShard(request, share: nil, by: tool, log: SilentLog()).write(to: path)
    return path
  }

  @Test func `give the devices of one process, in any order of parts and files`() throws {
    let files = try tables()
    let whole = try BeaconsStage(BeaconsRequest(inputs: files)).run(in: StageContext(tool: tool))
    #expect(
      try BeaconsStage(BeaconsRequest(inputs: files.reversed())).run(in: StageContext(tool: tool))
        == whole)
    let (one, rest) = (try beacons([files[2], files[0]], "1"), try beacons([files[1]], "2"))
    let request = BeaconsRequest(inputs: [])
    for parts in [[one, rest], [rest, one]] {
      #expect(try BeaconsShard(merging: parts).devices(request) == whole)
    }
    let shares = try (1...4).map { try beacons(files, "s\($0)", share: FileShare($0, of: 4)) }
    #expect(try BeaconsShard(merging: shares).devices(request) == whole)
  }

  @Test func `are refused by name where they do not go together`() throws {
    let files = try tables()
    let one = try beacons([files[0]], "one")
    let shares = try (1...2).map { try beacons(files, "s\($0)", share: FileShare($0, of: 2)) }
    let other = ToolIdentity(version: "1.3", commandLine: "rssi beacons")
    let kinds = ToolIdentity(version: "1.2.3", commandLine: "rssi beacons --kind other")
    for (parts, words) in [
      ([one, try beacons([files[1]], "v", by: other)], "one of rssi 1.3"),
      ([one, try beacons([files[1]], "k", by: kinds)], "`rssi beacons --kind other`"),
      ([one, try beacons([files[0]], "again")], "a.csv in \(folder.path("again")) are the same"),
      ([shares[0]], "are missing: 2/2"),
      ([shares[0], shares[0]], "both the share 1/2"),
      ([shares[0], try beacons(files, "t", share: FileShare(2, of: 3))], "different shares"),
      ([shares[0], try beacons([files[0]], "o", share: FileShare(2, of: 2))], "different files"),
      ([one, try fit([files[1]], "f")], "not of a list"),
      ([one, files[1]], "part of a list"),
    ] {
      let error = #expect(throws: RSSIError.self) { try BeaconsShard(merging: parts) }
      #expect(error?.kind == .badInput && "\(error!)".contains(words), "\(error!)")
    }
    #expect {
      try beacons(files, "x", share: FileShare(3, of: 2))
    } throws: { ($0 as? RSSIError)?.kind == .usage }
  }

  @Test
  func `that were altered with a right digest are refused or merged, and never trap`() throws {
    let files = try tables()
    let merged = try altered(try beacons(files, "b")) { path in
      _ = try BeaconsShard(merging: [path]).devices(BeaconsRequest(inputs: []))
    }
    #expect(merged > 20, "\(merged)")
    var request = FitRequest()
    request.merge = true
    request.inputs = [try fit(files, "f")]
    let fitted = try altered(request.inputs[0]) { _ in
      _ = try FitStage(request).run(in: StageContext(tool: tool))
    }
    #expect(fitted > 20, "\(fitted)")
    let compared = try altered(try filters(files, "c")) { path in
      _ = try FilterShard(merging: [path]).comparison(log: SilentLog())
    }
    #expect(compared > 20, "\(compared)")
  }

  /// Calls a body after each of many changes of one number of a part, and counts those that passed.
  private func altered(_ path: String, _ body: (String) throws -> Void) throws -> Int {
    let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      .split(separator: "\n").dropLast()
    let values = [
      "0", "-1", "1e300", "-1e300", "9223372036854775807", "-9223372036854775808", "null", "[]",
      "0.5", "68719476735",
    ]
    var generator = SeededGenerator(seed: 3)
    var passed = 0
    for _ in 0..<300 {
      var altered = lines.map(String.init)
      let line = Int.random(in: altered.indices, using: &generator)
      let numbers = altered[line].matches(of: /-?\d+(\.\d+)?(e-?\d+)?/)
      guard let hit = numbers.randomElement(using: &generator) else { continue }
      altered[line].replaceSubrange(
        hit.range, with: try #require(values.randomElement(using: &generator)))
      let text = altered.map { $0 + "\n" }.joined()
      let digest = sha256(Array(text.utf8).span)
      try (text + #"{"sha256":"\#(digest)"}"# + "\n")
        .write(toFile: path, atomically: false, encoding: .utf8)
      do {
        try body(path)
        passed += 1
      } catch let error as RSSIError {
        #expect(error.kind == .badInput, "\(error)")
      }
    }
    return passed
  }
}
