import Support
import TestSupport
import Testing

@testable import Recordings

@Suite struct TableHeaderTests {
  /// The header of a table with a row of numbers.
  private func header(
    _ text: String, _ map: String = "", zone: String? = nil,
    required: [String] = ["time_s", "rssi_dbm"]
  ) throws -> TableHeader {
    let folder = try TemporaryDirectory()
    let path = try folder.write(text, to: "t.csv")
    var columns = try map.isEmpty ? ColumnMap() : ColumnMap(map)
    columns.timeZone = try zone.map { try TimeZoneRules($0) }
    return try TableHeader(
      TableSample(path: path),
      TableHeader.Columns(required: required, optional: ["pose", "distance_m"]), columns,
      path: path)
  }

  @Test func `columns are found in any order`() throws {
    let header = try header("pose,rssi_dbm,time_s\na,-60,1\n")
    #expect(header.width == 3 && header["time_s"] == 2 && header["rssi_dbm"] == 1)
    #expect(header.inferred == nil && header.ignored.isEmpty)
    #expect(try self.header("time_s,rssi_dbm\n1,-60\n")["pose"] == nil)
  }

  @Test(arguments: [
    ("time_s\n1\n", "rssi_dbm\" is missing"), ("time_s,rssi_dbm,time_s\n1,-60,1\n", "time_s"),
    ("time_s,rssi_dbn\n1,-60\n", "mean \"rssi_dbm\"?"),
    ("time,timestamp,rssi\n1,2,-60\n", "\"time\" or \"timestamp\""),
    ("1,-60\n2,-61\n", "no header"),
    ("time,rssi\n2024-05-01 12:00:00,-60\n", "timeZone"),
    ("time,rssi\n01/05/2024 12:00,-60\n", "%d/%m/%Y"),
  ])
  func `what is missing or ambiguous is named, with the map that is left to complete`(
    _ text: String, _ expected: String
  ) throws {
    let error = try #require(throws: RSSIError.self) { _ = try header(text) }
    #expect("\(error)".contains(expected), "\(error)")
    #expect(error.advice?.contains("`columns` time_s=") == true)
  }

  @Test(arguments: [
    ("Timestamp;RSSI\n1700000000123;-60\n", "time_s=Timestamp:ms,rssi_dbm=RSSI"),
    ("ts\trssi_value\n1700000000123456\t-60\n", "time_s=ts:us,rssi_dbm=rssi_value"),
    ("# by a phone\n\ntime_ns,rssi\n1700000000123456789,-60\n", "time_s=time_ns:ns,rssi_dbm=rssi"),
    ("time,rssi\n2024-05-01T12:00:00Z,-60\n", "time_s=time:iso,rssi_dbm=rssi"),
    ("t,RSSI,distance_cm\n0.5,-60,150\n", "time_s=t,rssi_dbm=RSSI,distance_m=distance_cm:cm"),
    ("sep=;\ntime;rssi (dBm)\n1;-60\n", "time_s=time,rssi_dbm=rssi (dBm)"),
  ])
  func `well-known names and units are inferred, and printed as a map`(
    _ text: String, _ map: String
  ) throws {
    let inferred = try #require(try header(text).inferred)
    #expect(inferred.description == map)
    // The printed map reads the table in the same way.
    let forced = try header(text, map)
    #expect(forced.inferred == nil)
    #expect(forced["time_s"] == (try header(text))["time_s"])
  }

  @Test func `a map comes before names, and other columns are listed`() throws {
    let header = try header(
      "time_s,rssi_dbm,when,level,extra\n1,-60,2,-70,x\n", "time_s=when,rssi_dbm=#4,pose='desk'")
    #expect(header["time_s"] == 2 && header["rssi_dbm"] == 3 && header["pose"] == 5)
    #expect(header.ignored == ["time_s", "rssi_dbm", "extra"])
  }

  @Test(arguments: [
    ("time_s=wen,rssi_dbm=level", "mean \"when\"?"), ("time_s=#9,rssi_dbm=level", "#9"),
  ])
  func `a column that the map names wrongly is refused`(_ map: String, _ expected: String) throws {
    let text = try #require(problem { _ = try header("when,level\n1,-60\n", map) })
    #expect(text.contains(expected))
  }

  @Test(arguments: [
    ("node,role,x_m,y_m,z_m", "this is a table of nodes, not a table of sightings"),
    ("trace,time_s,node,x_m,y_m", "table of true positions, not"),
    ("trace,time_s,receiver,beacon,true_rssi_dbm", "table of true levels, not"),
  ])
  func `a table of another kind is named alone`(_ line: String, _ cause: String) throws {
    let text = try #require(problem { _ = try header(line + "\n") })
    #expect(text.contains(cause) && !text.contains("is missing"), "\(text)")
  }

  @Test(arguments: [
    (String(repeating: "x", count: 70_000), "its first line is longer than 65536 bytes"),
    ("time_s,\"rssi", "the quotes in its first line do not match"),
  ])
  func `a first line that is no header`(_ line: String, _ expected: String) throws {
    #expect(problem { _ = try readTable(line + "\n1,2\n") } == expected)
    let nodes = problem {
      _ = try Reading(line + "\n1,2\n") { try NodeCSV.read($0, into: &$1) }
    }
    #expect(nodes == expected)
  }
}
