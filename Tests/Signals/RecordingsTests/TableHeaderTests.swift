import TestSupport
import Testing

@testable import Recordings

@Suite struct TableHeaderTests {
  private func header(_ line: String) throws -> TableHeader {
    var row = TableRow()
    let bytes = Array(line.utf8)
    let isWhole = row.split(bytes.span)
    #expect(isWhole)
    return try TableHeader(
      row, required: ["time_s", "rssi_dbm"], optional: ["pose"], path: "t.csv")
  }

  @Test func `columns are found in any order`() throws {
    let header = try header("pose,rssi_dbm,time_s")
    #expect(header.width == 3)
    #expect(header["time_s"] == 2)
    #expect(header["rssi_dbm"] == 1)
    let without = try self.header("time_s,rssi_dbm")
    #expect(without["pose"] == nil)
  }

  @Test(arguments: [
    ("time_s", "rssi_dbm\" is missing"),
    ("time_s,rssi_dbm,colour", "column \"colour\""),
    ("time_s,rssi_dbm,time_s", "is there twice"),
    ("time_ms,rssi_dbm", "mean \"time_s\"?"),
    ("time_s,rssi", "mean \"rssi_dbm\"?"),
    ("time_s,rssi_dbm,", "column \"\""),
    ("time_s,rssi_dbn", "mean \"rssi_dbm\"?"),
    ("time_s,rssi_dbm,psoe", "mean \"pose\"?"),
  ])
  func `every problem is named`(_ line: String, _ expected: String) throws {
    let text = try #require(problem { _ = try header(line) })
    #expect(text.contains(expected))
    #expect(text.contains("time_s, rssi_dbm"))
  }

  @Test(arguments: [
    ("time_s;rssi_dbm", "by semicolons"), ("time_s\trssi_dbm", "separated by tabs"),
    ("node,role,x_m,y_m,z_m", "use `nodes`"),
    ("trace,time_s,node,x_m,y_m", "positions: use"),
    ("trace,time_s,receiver,beacon,true_rssi_dbm", "levels: use `truth`"),
  ])
  func `one cause of all problems is named alone`(_ line: String, _ cause: String) throws {
    let text = try #require(problem { _ = try header(line) })
    #expect(text.contains(cause) && !text.contains("is missing"), "\(text)")
  }

  @Test func `all problems are named at once`() throws {
    let text = try #require(problem { _ = try header("a,a,b") })
    for part in [
      "column \"a\"", "\"a\" is there twice", "column \"b\"",
      "time_s\" is missing", "rssi_dbm\" is missing",
    ] {
      #expect(text.contains(part))
    }
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
