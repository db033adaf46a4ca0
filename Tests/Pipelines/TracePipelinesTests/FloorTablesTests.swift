import Foundation
import Geometry
import Sightings
import Sites
import Support
import TestSupport
import Testing
import TraceStore

@testable import TracePipelines

@Suite("Floors from tables to traces and back")
struct FloorTablesTests {
  private let folder: TemporaryDirectory
  private let log = NoteLog()

  init() throws { folder = try TemporaryDirectory() }

  /// Imports a walk on one floor, with an anchor and truth on it.
  ///
  /// - Parameters:
  ///   - trace: The name of the trace, which the beacon of the walk contains.
  ///   - nodes: More rows of nodes.
  ///   - sightings: More rows of sightings.
  ///   - truth: The rows of truth; `nil` for two on the floor.
  private func importWalk(
    _ trace: String, floor: String, nodes: String = "", sightings: String = "",
    truth: String? = nil, start: Int = 0
  ) throws -> TraceReader {
    let rows = (start..<start + 3).map { "\(trace),\($0),phone,\(trace)-b,-6\($0 % 10),\(floor)\n" }
    let files = [
      ("rssi.csv", "trace,time_s,receiver,beacon,rssi_dbm,floor\n" + rows.joined() + sightings),
      (
        "nodes.csv",
        "node,role,x_m,y_m,floor\n\(trace)-b,beacon,1,2,\(floor)\nphone,receiver,,,\n" + nodes
      ),
      (
        "truth.csv",
        "trace,time_s,node,x_m,y_m,floor\n"
          + (truth
            ?? "\(trace),\(start),phone,0,0,\(floor)\n\(trace),\(start + 2),phone,2,0,\(floor)\n")
      ),
    ]
    let paths = try files.map { try folder.write($1, to: "\(trace)-\($0)") }
    let request = ImportRequest(
      files: [paths[0]], output: folder.path("\(trace).h5"), nodes: paths[1], truth: [paths[2]])
    _ = try ImportStage(request).run(in: StageContext(log: log))
    return try TraceReader(path: request.output)
  }

  private func merge(_ readers: [TraceReader]) throws -> TraceReader {
    let request = MergeRequest(readers.map(\.path), to: folder.path("all.h5"))
    _ = try MergeStage(request).run()
    return try TraceReader(path: request.output)
  }

  private func refusal(_ body: () throws -> Void) -> String {
    #expect(throws: RSSIError.self) { try body() }.map(\.description) ?? ""
  }

  /// The names of the floors of nodes, traces and truth, in words.
  private func words(_ catalogue: Catalogue) -> [String] {
    let nodes = (catalogue.beacons + catalogue.receivers).map {
      "\($0.id): \(catalogue.floorName($0.floor) ?? "-")"
    }
    let traces = catalogue.traces.indices.map {
      "\(catalogue.traces[$0]): \(catalogue.floorName(catalogue.traceFloors[UInt16($0)]) ?? "-")"
    }
    let truth = catalogue.truth.map {
      "\($0.time / 1_000_000_000) s: \(catalogue.floorName($0.floor) ?? "-")"
    }
    return nodes.sorted() + traces.sorted() + truth.sorted()
  }

  @Test func `merging unites floors by name`() throws {
    let one = try importWalk("w1", floor: "F2")
    let other = try importWalk("w2", floor: "F1", start: 10)
    let third = try importWalk("w3", floor: "F2", start: 20)
    let all = try merge([one, other, third]).catalogue
    #expect(all.floors.map(\.name) == ["F2", "F1"] && all.floors.map(\.level) == [2, 1])
    #expect(
      words(all) == [
        "phone: -", "w1-b: F2", "w2-b: F1", "w3-b: F2", "w1: F2", "w2: F1", "w3: F2", "0 s: F2",
        "10 s: F1", "12 s: F1", "2 s: F2", "20 s: F2", "22 s: F2",
      ])
    #expect(log.notes == [])
  }

  @Test func `an exported table has the floor of the trace`() throws {
    let reader = try importWalk("w1", floor: "\"up, stairs\"")
    let table = folder.path("table.csv")
    try ExportStage(ExportRequest([reader.path], to: table)).run()
    let text = String(decoding: try contents(ofFile: table, atMost: 1 << 20), as: UTF8.self)
    #expect(text.hasPrefix("trace,time_s,receiver,beacon,rssi_dbm,channel,distance_m,floor\n"))
    #expect(text.contains("w1,0.000000,phone,w1-b,-60,,,\"up, stairs\"\n"))
    let again = folder.path("again.h5")
    _ = try ImportStage(ImportRequest(files: [table], output: again)).run()
    #expect(try TraceReader(path: again).catalogue.traceFloors == [0: 0])
    // A part of a trace keeps its floors.
    let part = folder.path("part.h5")
    var request = try ExportRequest([reader.path], to: part)
    request.selection.traces = ["w1"]
    try ExportStage(request).run()
    #expect(try words(TraceReader(path: part).catalogue).contains("w1-b: up, stairs"))
  }

  @Test func `traces that contradict are refused by name`() throws {
    let one = try importWalk("w1", floor: "F1", nodes: "door,beacon,5,5,F1\n")
    let other = try importWalk("w2", floor: "F2", nodes: "door,beacon,5,5,F2\n", start: 10)
    #expect(
      refusal { _ = try merge([one, other]) }
        == "door is on floor \"F1\" in \(one.path), and on floor \"F2\" in \(other.path); import one of "
        + "them again with the floor of the other")
  }

  @Test func `a walk over floors needs truth with them`() throws {
    let stairs = "w1,5,phone,w1-b,-60,F2\n"
    let walk = try importWalk(
      "w1", floor: "F1", sightings: stairs, truth: "w1,0,phone,0,0,F1\nw1,2,phone,2,0,F2\n")
    #expect(walk.catalogue.traceFloors.isEmpty)
    #expect(walk.catalogue.truth.map(walk.catalogue.floor(of:)) == [0, 1])
    #expect(
      refusal {
        _ = try importWalk("w1", floor: "F1", sightings: stairs, truth: "w1,0,phone,0,0,\n")
      }.contains("trace \"w1\" is on floor \"F1\" and on floor \"F2\""))
  }

  @Test func `waypoints out of order and at impossible speed are named`() throws {
    _ = try importWalk(
      "w1", floor: "F1",
      truth: "w1,0,phone,0,0,F1\nw1,2,phone,40,0,F1\nw1,1,phone,1,0,F1\nw1,2.5,phone,900,0,F2\n")
    #expect(
      log.notes.map { $0.split(separator: ",")[0] } == [
        "warning: true positions of phone in trace \"w1\" are out of order",
        "warning: phone in trace \"w1\" moves at 39 m/s before 1970-01-01T00:00:02Z",
      ], "\(log.notes)")
  }

  private func site(_ floors: String) throws -> Site {
    try Site(
      toml: Array(
        (floors
          + "[[anchors]]\nnode = \"w1-b\"\nrole = \"beacon\"\nx_m = 3\ny_m = 4\nfloor = \"F2\"\n")
          .utf8),
      path: "site.toml")
  }

  @Test func `a site places anchors on floors`() throws {
    var catalogue = try importWalk("w1", floor: "F1").catalogue
    catalogue.beacons[0].x = .nan
    catalogue.beacons[0].floor = nil
    let floors =
      "[[floors]]\nname = \"F2\"\nheight_m = 4\n[[floors]]\nname = \"F1\"\nshift = [1, 2]\n"
    let placed = try site(floors).placing(catalogue)
    #expect(placed.floors.map(\.name) == ["F1", "F2"])
    #expect(placed.beacons[0].floor == 1 && placed.beacons[0].x == 3)
    #expect(placed.floors[1].height == 4 && placed.floors[0].shiftY == 2)
    let strange = try site(floors.replacingOccurrences(of: "F1", with: "attic"))
    #expect(
      refusal { _ = try strange.placing(catalogue) }
        .contains("the site has no floor \"F1\", which the trace has; its floors are F2, attic"))
    // The level that the trace took from the name yields.
    let lower = try site(floors + "level = 0\n")
    #expect(try lower.placing(catalogue).floors.map(\.level) == [0, 2])
    catalogue.floors[0].height = 3
    let higher = try site(floors + "height_m = 4\n")
    #expect(
      refusal { _ = try higher.placing(catalogue) }
        .contains("the height of floor \"F1\" is 3.0 m in the trace, and 4.0 m in the site"))
  }

  @Test func `anchors of a table and of a site are on the same floors`() throws {
    let table = try folder.write(
      "node,role,x_m,y_m,floor\nt,beacon,1,2,F1\nu,receiver,1,2,F2\n", to: "nodes.csv")
    let known = try KnownAnchors(
      Catalogue(), nodes: table,
      site: site("[[floors]]\nname = \"F2\"\n[[floors]]\nname = \"F1\"\n"))
    #expect(known.floors.map(\.name) == ["F2", "F1"])
    #expect(known.beacons.map(\.id) == ["t", "w1-b"])
    #expect(known.beacons.map(\.floor) == [1, 0] && known.receivers.map(\.floor) == [0])
  }
}
