import Advertising
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@testable import TracePipelines

@Suite("Traces as one")
struct TraceMergeTests {
  private let folder: TemporaryDirectory
  private let log = NoteLog()

  init() throws { folder = try TemporaryDirectory() }

  private func merge(
    _ inputs: [String], to name: String = "all.h5",
    _ change: (inout MergeRequest) -> Void = { _ in }
  ) throws -> TraceReader {
    var request = MergeRequest(inputs, to: folder.path(name))
    change(&request)
    let tool = ToolIdentity(version: "1", commandLine: "rssi \(name)")
    _ = try MergeStage(request).run(in: StageContext(tool: tool, log: log))
    return try TraceReader(path: request.output)
  }

  private func cut(_ input: String, _ from: String?, _ to: String?, _ name: String) throws -> String
  {
    try merge([input], to: name) { request in
      request.stage = "export"
      (request.selection.from, request.selection.to) = (
        from.flatMap(TimeBound.init), to.flatMap(TimeBound.init)
      )
    }.path
  }

  @Test func `a trace that is cut by time and merged again is the trace`() throws {
    let whole = try TraceReader(path: SampleWalk().write(in: folder, "whole.h5"))
    let parts = [
      try cut(whole.path, nil, "+3s", "a.h5"), try cut(whole.path, "+3s", "+7s", "b.h5"),
      try cut(whole.path, "+7s", nil, "c.h5"),
    ]
    let all = try merge([parts[2], parts[0], parts[1]])
    #expect(try rows(of: all) == rows(of: whole))
    #expect(all.start == whole.start && all.note == whole.note)
    let (one, other) = (all.catalogue, whole.catalogue)
    // A beacon that was never received is in no part.
    #expect(other.beacons.map(\.id) == ["unused", "a", "b"])
    #expect(Set(one.beacons.map(\.id)) == ["a", "b"])
    #expect(
      Set(one.truth.map { [Double($0.time), $0.x, $0.y] })
        == Set(other.truth.map { [Double($0.time), $0.x, $0.y] }))
    #expect(one.truth.count == other.truth.count)
    #expect(one.levels.count == other.levels.count)
    #expect(one.stays.map(\.start).sorted() == other.stays.map(\.start).sorted())
    #expect(one.gaps == other.gaps)
    #expect(one.clock.sorted { $0.time < $1.time } == other.clock)
    #expect(try all.calibration()?.document == whole.calibration()?.document)
    #expect(all.filterChain("x") == ["x", "in", "words"])
    #expect(try all.filter("x").links.map(\.samples) == whole.filter("x").links.map(\.samples))
    // The steps that all parts have in common are there once, and each part has its digest.
    #expect(
      all.provenance.map(\.stage) == ["import", "filter", "export", "export", "export", "merge"])
    #expect(all.provenance.last?.inputs.map(\.name) == [parts[2], parts[0], parts[1]])
    #expect(log.notes == [])
  }

  @Test func `only what selected rows point to is kept`() throws {
    let whole = try SampleWalk().write(in: folder, "whole.h5")
    let part = try merge([whole], to: "part.h5") { $0.selection.receivers = ["door"] }
    #expect(part.catalogue.receivers.map(\.id) == ["door"])
    #expect(part.catalogue.beacons.map(\.id) == ["b"])
    #expect(part.payloads().count == 1 && part.catalogue.advertisers.count == 1)
    #expect(
      part.catalogue.gaps.isEmpty && part.catalogue.stays.isEmpty && part.catalogue.truth.isEmpty)
    #expect(try rows(of: part) == rows(of: TraceReader(path: whole)).filter { $0.contains("door") })
  }

  @Test func `repeated sightings and files are refused`() throws {
    let whole = try SampleWalk().write(in: folder, "whole.h5")
    let copy = folder.path("copy.h5")
    try copyFile(whole, to: copy, named: copy)
    #expect(refusal([whole, copy]).contains("have the same content"))
    let early = try cut(whole, nil, "+5s", "early.h5")
    let late = try cut(whole, "+4s", nil, "late.h5")
    #expect(
      refusal([late, early]).contains("contain the same sightings, such as that at 2023-11-14T"))
    #expect(try !folder.names().contains { $0 == "all.h5" || $0.hasSuffix(".partial") })
  }

  /// Rows that one trace has twice were received twice, and so were those of other receivers.
  @Test func `equal levels are not repetitions`() throws {
    let one = try SampleWalk(receivers: ["hall"]).write(in: folder, "one.h5")
    let other = try SampleWalk(receivers: ["yard"]).write(in: folder, "other.h5")
    let all = try merge([one, other])
    #expect(all.count == 2 * (try TraceReader(path: one).count))
    #expect(try rows(of: all).map { $0.split(separator: " ")[0] }.isSorted)
    // Clocks of different machines are not one.
    #expect(all.catalogue.clock.isEmpty)
    #expect(
      log.notes == ["readings of the clocks are left out: the traces are of several machines"])
  }

  @Test func `places that contradict are refused by name`() throws {
    let one = try SampleWalk(place: (1, 2)).write(in: folder, "one.h5")
    let other = try SampleWalk(start: 60, place: (1, 3)).write(in: folder, "other.h5")
    #expect(
      refusal([one, other]).hasPrefix("a is at (1, 2) m in \(one), and at (1, 3) m in \(other)"))
    let unknown = try SampleWalk(start: 60, place: nil).write(in: folder, "unknown.h5")
    #expect(try merge([one, unknown]).catalogue.beacons.first { $0.id == "a" }?.y == 2)
  }

  @Test func `two calibrations are refused`() throws {
    let one = try SampleWalk().write(in: folder, "one.h5")
    let other = try SampleWalk(start: 60, calibration: "{\"b\":1}").write(in: folder, "other.h5")
    #expect(refusal([one, other]).contains("have different calibrations"))
    #expect(try merge([one, other]) { $0.withoutCalibration = true }.calibration() == nil)
    let without = try SampleWalk(start: 120, calibration: nil).write(in: folder, "without.h5")
    #expect(try merge([one, without]).calibration() != nil)
  }

  @Test func `a filter that a trace lacks is left out`() throws {
    let one = try SampleWalk().write(in: folder, "one.h5")
    let other = try SampleWalk(start: 60, filter: nil).write(in: folder, "other.h5")
    #expect(try merge([one, other]).filterNames() == [])
    #expect(log.notes.count == 1 && log.notes[0].contains("filter x"))
  }

  private func refusal(_ inputs: [String]) -> String {
    #expect(throws: RSSIError.self) { try merge(inputs) }.map(\.description) ?? ""
  }

  /// Each row in words, by names, with its filtered level.
  private func rows(of reader: TraceReader) throws -> [String] {
    let catalogue = reader.catalogue
    var block = SightingColumns(capacity: 0)
    try reader.read(0..<reader.count, into: &block)
    let levels = try reader.filteredLevels("x", rows: 0..<reader.count)
    let payloads = reader.payloads()
    return try (0..<block.count).map { row in
      let stay = Int(block.stay[row])
      let sender = Int(block.advertiser[row])
      return [
        "\(block.time[row])", catalogue.beacons[Int(block.beacon[row])].id,
        catalogue.receivers[Int(block.receiver[row])].id, catalogue.traces[Int(block.trace[row])],
        "\(block.rssi[row])", "\(levels.rssi[row])", "\(levels.variance[row])",
        "\(block.channel[row])", "\(Array(try payloads[block.payload[row]]))",
        sender < catalogue.advertisers.count ? "\(catalogue.advertisers[sender])" : "-",
        stay < catalogue.stays.count ? "\(catalogue.stays[stay].distance)" : "-",
      ].joined(separator: " ")
    }
  }
}

/// A walk of ten seconds with all that a trace may hold; every second row is of the second
/// receiver, with advertising data, the others are at a distance.
private struct SampleWalk {
  /// Seconds after the first walk.
  var start = 0.0
  var receivers = ["hall", "door"]
  var place: (x: Double, y: Double)? = (1, 2)
  var calibration: String? = "{}"
  var filter: String? = "x"

  func write(in folder: TemporaryDirectory, _ name: String) throws -> String {
    let path = folder.path(name)
    let origin = 1_700_000_000_000_000_000 + seconds(start)
    var heading = TraceHeading(
      provenance: [Provenance(stage: "import", toolVersion: "1", commandLine: "", inputs: [])])
    heading.note = "a walk"
    heading.calibration = calibration.map { text in
      StoredCalibration(
        model: "log-distance", estimator: "least-squares", by: "pooled",
        groups: [StoredConstants(key: "pooled")], document: Array(text.utf8))
    }
    var builder = TraceBuilder(into: try TraceSink(path: path, heading: heading))
    builder.currentTrace = try builder.trace(named: "walk")
    _ = try builder.trace(named: "unused")
    for (adapter, name) in receivers.enumerated() {
      try builder.describe(adapter: UInt16(adapter), name: name, radio: Radio())
    }
    for name in ["unused", "a", "b"] { _ = try builder.add(name, role: .beacon) }
    if let place { builder.update(.beacon, 1) { ($0.x, $0.y) = (place.x, place.y) } }
    for row in 0..<100 {
      let time = origin + Int64(row) * 100_000_001
      let isOdd = row % 2 == 1 && receivers.count > 1
      var sighting = Sighting(
        time: time, beacon: isOdd ? 2 : 1, receiver: isOdd ? 1 : 0, trace: 0,
        rssi: Float(-50 - row % 40))
      sighting.channel = UInt8(37 + row % 3)
      if isOdd {
        sighting.advertiser = builder.number(of: DeviceAddress(bits: 7, type: 1))
        let payload: [UInt8] = [2, 1, 6]
        sighting.payload = builder.number(of: payload.span)
      } else {
        sighting.stay = builder.stay(of: sighting, distance: Double(1 + row / 40))
        let other: [UInt8] = [3, 1, 6, UInt8(row)]
        sighting.payload = builder.number(of: other.span)
      }
      try builder.append(sighting)
    }
    for second in 0...10 {
      let time = origin + seconds(Double(second))
      builder.append(
        TruthPoint(time: time, role: .receiver, node: 0, trace: 0, x: Double(second), y: 1, z: .nan)
      )
      builder.append(TruthLevel(time: time, beacon: 1, receiver: 0, trace: 0, rssi: -60))
      builder.append(
        ClockReading(time: time, monotonic: seconds(Double(second)), isSynchronised: true))
    }
    builder.append(
      Gap(
        start: origin + seconds(2), end: origin + seconds(4), receiver: 0, reason: .silence,
        dropped: 0))
    let catalogue = try builder.complete()
    try builder.takeSink().finish(catalogue)
    guard let filter else { return path }
    let reader = try TraceReader(path: path)
    var writer = try FilteredWriter(
      copying: reader, to: path, name: filter, chain: "\(filter) in words",
      provenance: Provenance(stage: "filter", toolVersion: "1", commandLine: "", inputs: []))
    try writer.append(
      rssi: (0..<reader.count).map { Float($0) / 4 }, variance: (0..<reader.count).map(Float.init))
    var link = FilteredLink(beacon: 1, receiver: 0, samples: UInt64(receivers.count > 1 ? 50 : 100))
    link.q = 2
    try writer.finish(links: [link])
    return path
  }
}

extension [String.SubSequence] {
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
