import Glibc
import Sightings
import Support
import TestSupport
import Testing

@testable import Recordings

/// Tables as other programs write them, read to the nanosecond and the hundredth of a decibel.
@Suite struct ForeignTableTests {
  private func sightings(
    _ text: String, _ map: String = "", zone: String? = nil
  ) throws -> [(time: Int64, beacon: String, rssi: Float)] {
    var columns = try map.isEmpty ? ColumnMap() : ColumnMap(map)
    columns.timeZone = try zone.map { try TimeZoneRules($0) }
    let reading = try Reading(text) { _ = try SightingCSV.read($0, columns, into: &$1) }
    return reading.blocks.flatMap { rows in
      rows.time.indices.map { row in
        (rows.time[row], reading.catalogue.beacons[Int(rows.beacon[row])].id, rows.rssi[row])
      }
    }
  }

  @Test(arguments: [
    ("s", "1714557600.25"), ("ms", "1714557600250"), ("us", "1714557600250000"),
    ("ns", "1714557600250000000"), ("iso", "2024-05-01T10:00:00.25Z"),
    ("iso", "2024-05-01 12:00:00.250+02:00"), ("apple", "736250400.25"),
    ("'%d.%m.%Y %H:%M:%S.%f %z'", "01.05.2024 12:00:00.25 +0200"),
  ])
  func `one instant in every unit of time`(_ unit: String, _ text: String) throws {
    let rows = try sightings(
      "when,who,level\n\(text),t,-60\n", "time_s=when:\(unit),beacon=who,rssi_dbm=level")
    #expect(rows.map(\.time) == [1_714_557_600_250_000_000])
  }

  @Test func `days of a spreadsheet are exact to the millisecond`() throws {
    let rows = try sightings(
      "t,rssi\n45413.416669560,-60\n", "time_s=t:excel,rssi_dbm=rssi")
    #expect(rows.map(\.time) == [1_714_557_600_250_000_000])
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "2024-05-01 12:00:00", 1_714_557_600),
      ("Europe/Berlin", "2024-01-01 12:00:00", 1_704_106_800),
      ("America/New_York", "2024-05-01 06:00:00", 1_714_557_600),
      ("Asia/Kolkata", "2024-05-01 15:30:00", 1_714_557_600),
      ("UTC", "2090-07-01 00:00:00", 3_802_550_400),
    ] as [(String, String, Int64)])
  func `local times are of their zone`(_ zone: String, _ text: String, _ seconds: Int64) throws {
    let rows = try sightings("time,rssi\n\(text),-60\n", zone: zone)
    #expect(rows.map(\.time) == [seconds * Timestamp.second])
  }

  @Test(arguments: ["2024-10-27 02:30:00", "2024-03-31 02:30:00"])
  func `local times that clocks show twice or never are refused`(_ text: String) throws {
    let rows = try sightings(
      "time,rssi\n\(text),-60\n2024-10-28 12:00:00,-61\n", zone: "Europe/Berlin")
    #expect(rows.map(\.rssi) == [-61])
  }

  @Test(arguments: 0..<40)
  func `a zone agrees with the C library at any instant`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let zone = try #require(
      ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"].randomElement(using: &random))
    let rules = try TimeZoneRules(zone)
    let instant = Int64.random(in: 0..<4_000_000_000, using: &random)
    let offsets = stride(from: Int64(-50_400), through: 50_400, by: 1800)
    // The zone shows the instant by exactly one offset, that of its clock there.
    let local = try #require(offsets.first { rules.instant(ofLocal: instant + $0) == instant })
    #expect(abs(local) <= 43_200)
  }

  @Test func `separators, decimal commas and quotes`() throws {
    let rows = try sightings(
      "time;mac;RSSI\n1,5;\"a;b\";-60,25\n2,5;c;-61,75\n")
    #expect(rows.map(\.time) == [1_500_000_000, 2_500_000_000])
    #expect(rows.map(\.beacon) == ["a;b", "c"] && rows.map(\.rssi) == [-60.25, -61.75])
  }

  @Test(arguments: [false, true])
  func `UTF-16 with characters beyond the basic plane`(_ isBigEndian: Bool) throws {
    let text = "\u{FEFF}time_s,receiver,beacon,rssi_dbm\r\n1,phone,Küche 📡,-60\r\n"
    let bytes = Array(text.utf16).flatMap { unit -> [UInt8] in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isBigEndian ? [high, low] : [low, high]
    }
    let reading = try Reading(bytes) { _ = try SightingCSV.read($0, into: &$1) }
    #expect(reading.catalogue.beacons.map(\.id) == ["Küche 📡"])
  }

  @Test func `UTF-16 that is longer in UTF-8 fills every window exactly`() throws {
    var text = "\u{FEFF}time_s,receiver,beacon,rssi_dbm\n"
    let count = 60_000
    for row in 0..<count { text += "\(row),受信機受信機受信機,発信機\(row % 7)📡,-60\n" }
    let bytes = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let reading = try Reading(bytes) { _ = try SightingCSV.read($0, into: &$1) }
    #expect(reading.blocks.flatMap(\.time) == (0..<Int64(count)).map { $0 * Timestamp.second })
    #expect(Set(reading.catalogue.beacons.map(\.id)) == Set((0..<7).map { "発信機\($0)📡" }))
  }

  @Test func `distances need no times, and come in order`() throws {
    let reading = try Reading("distance (cm),rssi\n100,-60\n183,-66\n") {
      _ = try SightingCSV.read($0, into: &$1)
    }
    #expect(reading.catalogue.stays.map(\.distance) == [1, 1.83])
    #expect(reading.blocks.flatMap(\.time) == [0, Timestamp.second])
  }

  @Test(arguments: 0..<200)
  func `a map is written as it is read`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func text() -> String {
      String(
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
          "ab ,:\"'#=ü1".randomElement(using: &random) ?? "a"
        })
    }
    let units: [ColumnUnit?] = [
      nil, .seconds(power: -3), .iso, .length(metres: 0.01), .format("%d 'x'"),
    ]
    let entries = ["time_s", "rssi_dbm", "beacon"].map { name in
      let origin: ColumnMap.Origin =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .header(text())
        case 1: .number(Int.random(in: 1...99, using: &random))
        default: .constant(text())
        }
      return ColumnMap.Entry(name, origin, unit: units.randomElement(using: &random) ?? nil)
    }
    let map = ColumnMap(entries)
    #expect(try ColumnMap(map.description) == map)
  }

  @Test(arguments: 0..<300)
  func `no map and no table makes it crash`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "time_s", "rssi", "=", ",", ":", "#", "\"", "'", "ms", "1", "-60", "\n", ";", "\t", "é",
      "2024-05-01", " ", "distance",
    ]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
    let map = try? ColumnMap(text(12))
    do {
      let reading = try Reading(text(60) + "\n") {
        _ = try SightingCSV.read($0, map ?? ColumnMap(), into: &$1)
      }
      #expect(!reading.blocks.flatMap(\.time).isEmpty)
    } catch let error as RSSIError {
      #expect(error.kind == .badInput && !error.problem.isEmpty)
    }
  }
}
