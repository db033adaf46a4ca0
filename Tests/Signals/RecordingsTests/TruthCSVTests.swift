import Recordings
import Sightings
import TestSupport
import Testing

@Suite struct TruthCSVTests {
  private func read(_ rows: String) throws -> Reading {
    try Reading("trace,time_s,node,x_m,y_m,z_m\n" + rows) { path, builder in
      _ = try builder.add("phone", role: .receiver)
      _ = try builder.add("tag", role: .beacon)
      try TruthCSV.read(path, into: &builder)
    }
  }

  @Test func `every field is taken`() throws {
    let catalogue = try read("w,1.5,phone,1,2,3\nw,2,tag,-1,0,\nv,3,phone,1,2,3\n").catalogue
    #expect(catalogue.traces == ["w", "v"])
    #expect(catalogue.truth.map(\.time) == [1_500_000_000, 2_000_000_000, 3_000_000_000])
    #expect(catalogue.truth.map(\.role) == [.receiver, .beacon, .receiver])
    #expect(catalogue.truth.map(\.trace) == [0, 0, 1])
    #expect(catalogue.truth.map(\.x) == [1, -1, 1])
    #expect(catalogue.truth.map(\.y) == [2, 0, 2])
    #expect(catalogue.truth.map { "\($0.z)" } == ["3.0", "nan", "3.0"])
  }

  @Test(arguments: [
    (",1,phone,1,2,", "trace has no name"),
    ("w,noon,phone,1,2,", "time_s \"noon\""),
    (
      "w,1,ghost,1,2,",
      "unknown node \"ghost\""
    ),
    ("w,1,phone,1,,", "x_m or y_m is empty"),
    ("w,1,phone,1,2,up", "z_m \"up\""),
    ("w,1,phone,1,2", "fields, found 5"),
  ])
  func `a bad row is named by its line`(_ row: String, _ expected: String) {
    let said = problem { _ = try read("w,1,phone,1,2,3\n\(row)\n") } ?? ""
    #expect(said.hasPrefix("line 3: ") && said.contains(expected), "\(said)")
  }

  private func readLevels(
    _ rows: String, header: String = "trace,time_s,receiver,beacon,true_rssi_dbm"
  ) throws -> Reading {
    try Reading(header + "\n" + rows) { path, builder in
      _ = try builder.add("phone", role: .receiver)
      for name in ["other", "tag"] { _ = try builder.add(name, role: .beacon) }
      try TruthCSV.read(path, into: &builder)
    }
  }

  @Test func `recognises a table of levels by its columns`() throws {
    let reading = try readLevels("w,1.5,phone,tag,-60.25\nv,2,phone,other,-1e1\nw,1,phone,tag,20\n")
    #expect(reading.catalogue.traces == ["w", "v"])
    #expect(
      reading.catalogue.levels == [
        TruthLevel(time: 1_500_000_000, beacon: 1, receiver: 0, trace: 0, rssi: -60.25),
        TruthLevel(time: 2_000_000_000, beacon: 0, receiver: 0, trace: 1, rssi: -10),
        TruthLevel(time: 1_000_000_000, beacon: 1, receiver: 0, trace: 0, rssi: 20),
      ])
    #expect(reading.catalogue.truth.isEmpty)
    #expect(reading.catalogue.beacons.count == 2)
    let turned = try readLevels(
      "-60.25,tag,phone,1.5,w\n", header: "true_rssi_dbm,beacon,receiver,time_s,trace")
    #expect(turned.catalogue.levels == [reading.catalogue.levels[0]])
  }

  @Test(arguments: [
    (",1,phone,tag,-60", "trace has no name"),
    ("w,noon,phone,tag,-60", "time_s \"noon\""),
    ("w,1,tag,tag,-60", "unknown receiver \"tag\""),
    ("w,1,phone,phone,-60", "unknown beacon \"phone\""),
    ("w,1,phone,,-60", "unknown beacon \"\""),
    ("w,1,phone,tag,", "true_rssi_dbm \"\""),
    ("w,1,phone,tag,127", "true_rssi_dbm \"127\""),
    ("w,1,phone,tag,-1e300", "\"-1e300\""),
    ("w,1,phone,tag,loud", "\"loud\""),
    ("w,1,phone,tag", "fields, found 4"),
    ("\"w,1,phone,tag,-60", "quotes do not match"),
  ])
  func `a bad level is named by its line`(_ row: String, _ expected: String) {
    let said = problem { _ = try readLevels("w,1,phone,tag,-60\n\(row)\n") } ?? ""
    #expect(said.hasPrefix("line 3: ") && said.contains(expected), "\(said)")
  }

  @Test(arguments: [
    ("trace,time_s,receiver,beacon,rssi_dbm", "column \"true_rssi_dbm\" is missing"),
    ("trace,time_s,receiver,true_rssi_dbm", "column \"beacon\" is missing"),
    ("time_s,receiver,beacon,true_rssi_dbm", "column \"trace\" is missing"),
    ("trace,time_s,receiver,beacon,true_rssi_dbm,x_m", "unknown column \"x_m\""),
    ("trace,time_s,node,true_rssi", "column \"x_m\" is missing"),
  ])
  func `columns that are neither kinds are refused`(_ header: String, _ expected: String) throws {
    let words = problem { _ = try readLevels("", header: header) }
    #expect(try #require(words).contains(expected))
  }
}
