import Advertising
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

  @Test func `every field is taken`() throws {
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

  private static let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"

  /// A table that is read behind a recording of two iBeacons and a named beacon; the first is sent
  /// from C0:00:00:00:00:01, the second from there and from C0:00:00:00:00:02.
  private func readBehindRecording(_ rows: String) throws -> [String] {
    let catalogue = try Reading("node,role,x_m,y_m\n" + rows) { path, builder in
      let uuid = try #require(Identifier<16>(Self.uuid))
      for (minor, address) in [(7, 1), (8, 1), (8, 2)] as [(UInt16, UInt64)] {
        let report = AdvertisingReport(
          time: 0, address: DeviceAddress(bits: 0xC000_0000_0000 + address, type: 1), rssi: -60,
          eventType: 3)
        let frame = IBeacon(uuid: uuid, major: 1, minor: minor, measuredPower: -59).advertisingData
        try builder.receive(report, payload: frame.span)
      }
      let desk = Array("desk-1".utf8)
      _ = builder.beacon(desk.span)
      try NodeCSV.read(path, into: &builder)
    }.catalogue
    return catalogue.beacons.map {
      "\($0.id.split(separator: ":").last ?? "") \(Int($0.x.isNaN ? -1 : $0.x))"
    }
  }

  @Test(arguments: [
    ("\(uuid.lowercased()):1:7", ["7 5", "8 -1", "desk-1 -1"]),
    ("ibeacon:{\(uuid)}-1-8", ["7 -1", "8 5", "desk-1 -1"]),
    ("1:7", ["7 5", "8 -1", "desk-1 -1"]), ("desk-1", ["7 -1", "8 -1", "desk-1 5"]),
    ("c00000000002", ["7 -1", "8 5", "desk-1 -1"]),
    ("C0-00-00-00-00-01", ["7 5", "8 5", "desk-1 -1"]),
    ("desk-2", ["7 -1", "8 -1", "desk-1 -1", "desk-2 5"]),
    ("C0FFEE00000A", ["7 -1", "8 -1", "desk-1 -1", "C0FFEE00000A 5"]),
  ])
  func `a beacon is meant in any spelling or by its address`(_ node: String, _ beacons: [String])
    throws
  {
    #expect(try readBehindRecording("\(node),beacon,5,0\n") == beacons)
  }

  @Test func `an identity counts before the address in any order`() throws {
    let rows = ["C0:00:00:00:00:01,beacon,5,0", "\(Self.uuid):1:8,beacon,6,0"]
    for order in [rows, rows.reversed()] {
      #expect(
        try readBehindRecording(order.joined(separator: "\n") + "\n")
          == ["7 5", "8 6", "desk-1 -1"])
    }
  }

  @Test(arguments: [
    ("aabbccddeeff", "AA:BB:CC:DD:EE:FF"), ("\(uuid):1:7", "ibeacon:\(uuid.lowercased()):1:7"),
    ("addr:AA:BB:CC:DD:EE:FF", "aa-bb-cc-dd-ee-ff"),
  ])
  func `spellings of one beacon are there twice`(_ one: String, _ other: String) {
    #expect(
      problem { _ = try read("\(one),beacon,1,2,,,\n\(other),beacon,3,4,,,\n") }?
        .contains("duplicate ") == true)
  }

  @Test(arguments: [
    (",beacon,1,2,,,", "has no name"),
    ("c,lamp,1,2,,,", "\"lamp\""),
    ("c,beacon,1,,,,", "one of x_m and y_m"),
    ("c,beacon,one,2,,,", "x_m \"one\""),
    ("c,beacon,1,2,,", "fields, found 6"),
    ("c,beacon,1,2,,\"x,", "quotes do not match"),
    (String(repeating: "c", count: 70_000), "longer than 65536"),
    ("a,beacon,1,2,,,", "duplicate beacon \"a\""),
  ])
  func `a bad row is named by its line`(_ row: String, _ expected: String) {
    let said = problem { _ = try read("a,beacon,1,2,,\"two\nlines\",\n\(row)\n") } ?? ""
    #expect(said.hasPrefix("line 4: ") && said.contains(expected), "\(said)")
  }

  @Test func `a table without rows`() {
    #expect(problem { _ = try read("") }?.contains("no rows") == true)
  }
}
