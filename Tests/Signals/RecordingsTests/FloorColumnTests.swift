import Recordings
import Sightings
import TestSupport
import Testing

@Suite("The column floor of every table")
struct FloorColumnTests {
  private func floors(_ indices: [UInt16?], _ catalogue: Catalogue) -> [String] {
    indices.map { $0.map { catalogue.floors[Int($0)].name } ?? "" }
  }

  @Test(arguments: ["floor", "Floor", "storey"])
  func `nodes`(header: String) throws {
    let catalogue = try Reading(
      "node,role,x_m,y_m,\(header)\nb1,beacon,1,2,F1\nb2,beacon,1,2,\nphone,receiver,,,B2\n"
        + "b3,beacon,,,nan\nb4,beacon,1,1,F1\n"
    ) {
      var map = ColumnMap()
      if header != "floor" { map = try ColumnMap("nodes:floor=\(header)") }
      try NodeCSV.read($0, map, into: &$1)
    }.catalogue
    #expect(catalogue.floors.map(\.name) == ["F1", "B2"])
    #expect(catalogue.floors.map(\.level) == [1, -2])
    #expect(floors(catalogue.beacons.map(\.floor), catalogue) == ["F1", "", "", "F1"])
    #expect(floors(catalogue.receivers.map(\.floor), catalogue) == ["B2"])
  }

  @Test func `a node on two floors`() {
    let said = problem {
      _ = try Reading("node,role,x_m,y_m,floor\nb1,beacon,1,2,F1\nb1,beacon,1,2,F2\n") {
        try NodeCSV.read($0, into: &$1)
      }
    }
    #expect(
      said
        == "line 3: beacon \"b1\" is on floor \"F2\", and on floor \"F1\" in an earlier line: keep the "
        + "line of the floor where it is")
  }

  private func truth(_ rows: String) throws -> Catalogue {
    try Reading("trace,time_s,node,x_m,y_m,floor\n" + rows) { path, builder in
      _ = try builder.add("phone", role: .receiver)
      try TruthCSV.read(path, into: &builder)
    }.catalogue
  }

  @Test func `truth`() throws {
    let catalogue = try truth(
      "w,1,phone,1,2,F1\nw,2,phone,1,2,F2\nw,3,phone,1,2,\nw,4,phone,1,3,F1\n")
    #expect(floors(catalogue.truth.map(\.floor), catalogue) == ["F1", "F2", "", "F1"])
    let name = String(repeating: "x", count: 65)
    let said = problem { _ = try truth("w,1,phone,1,2,\(name)\n") } ?? ""
    #expect(said.hasPrefix("line 2: the floor \"xxx") && said.contains("64 bytes at most"))
  }

  @Test func `sightings name the floor of their trace`() throws {
    let catalogue = try readTable(
      "trace,time_s,receiver,beacon,rssi_dbm,floor\na,1,r,b,-60,F1\na,2,r,b,-61,F1\n"
        + "b,3,r,b,-60,\nb,4,r,b,-60,2\nc,5,r,b,-60,\n"
    ).catalogue
    #expect(catalogue.floors.map(\.name) == ["F1", "2"])
    #expect(catalogue.traceFloors == [0: 0, 1: 1])
  }

  @Test func `scans name the floor of their place`() throws {
    let catalogue = try readTable(
      "rssi_dbm,beacon,x_m,y_m,FLOOR\n-60,b,1,2,F1\n-70,c,1,2,F1\n-60,b,1,2,F2\n-60,b,,,F3\n"
    ).catalogue
    #expect(Set(floors(catalogue.truth.map(\.floor), catalogue)) == ["F1", "F2"])
    #expect(floors([catalogue.traceFloors[0]], catalogue) == ["F3"])
  }

  /// A level of a table of sightings is that of the signal, as before.
  @Test func `a level is none`() throws {
    let catalogue = try readTable("time_s,receiver,beacon,level\n1,r,b,-60\n").catalogue
    #expect(catalogue.floors.isEmpty)
  }
}
