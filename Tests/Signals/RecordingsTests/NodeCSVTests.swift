import Recordings
import Sightings
import TestSupport
import Testing

@Suite struct NodeCSVTests {
  private func read(_ rows: String) throws -> Reading {
    try Reading("node,role,x_m,y_m,z_m,name,measured_power_dbm\n" + rows) {
      try NodeCSV.read($0, into: &$1)
    }
  }

  @Test func everyFieldIsTaken() throws {
    let catalogue = try read(
      "b1,beacon,1,-2.5,,\"Door,\nnorth\",-59\nphone,receiver,,,,,\n\nphone,beacon,0,0,1.5,,\n"
    ).catalogue
    #expect(catalogue.beacons.map(\.id) == ["b1", "phone"])
    #expect(catalogue.beacons.map(\.x) == [1, 0])
    #expect(catalogue.beacons.map(\.y) == [-2.5, 0])
    #expect(catalogue.beacons.map { "\($0.z)" } == ["nan", "1.5"])
    #expect(catalogue.beacons.map(\.name) == ["Door,\nnorth", ""])
    #expect(catalogue.beacons.map { "\($0.measuredPower)" } == ["-59.0", "nan"])
    #expect(catalogue.receivers.map(\.id) == ["phone"])
    #expect(catalogue.receivers.map(\.isAnchor) == [false])
  }

  @Test(arguments: [
    (",beacon,1,2,,,", "line 4: the node has no name"),
    ("c,lamp,1,2,,,", "line 4: the role is \"lamp\", not beacon or receiver"),
    ("c,beacon,1,,,,", "line 4: one of x_m and y_m is empty: give both or none"),
    ("c,beacon,one,2,,,", "line 4: x_m \"one\" is not a number"),
    ("c,beacon,1,2,,", "line 4: it has 6 fields, the header 7"),
    ("c,beacon,1,2,,\"x,", "line 4: its quotes do not match"),
    (String(repeating: "c", count: 70_000), "line 4: it is longer than 65536 bytes"),
    ("a,beacon,1,2,,,", "line 4: the beacon \"a\" is there twice"),
  ])
  func aBadRowIsNamedByItsLine(_ row: String, _ expected: String) {
    #expect(problem { _ = try read("a,beacon,1,2,,\"two\nlines\",\n\(row)\n") } == expected)
  }

  @Test func aTableWithoutRows() {
    #expect(problem { _ = try read("") } == "it has a header but no rows")
  }
}
