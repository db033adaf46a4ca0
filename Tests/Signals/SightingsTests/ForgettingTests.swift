import Advertising
import Sightings
import TestSupport
import Testing

/// A sink of names: what each row was, by the tables of its time, and what it still knows by
/// number.
private struct NamedRows: ForgettingSink {
  var names: [String] = []
  var addresses: [UInt64] = []
  var largest = 0
  var renumberings = 0
  /// By number, the beacon that it had when a row named it.
  var known: [UInt32: String] = [:]
  /// When each beacon was heard last, in rows.
  var heard: [UInt32: Int] = [:]
  /// Rows for which a beacon is in use.
  let patience: Int

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) {
    largest = max(largest, catalogue.beacons.count, catalogue.advertisers.count)
    for row in 0..<rows.count {
      let beacon = rows.beacon[row]
      names.append(catalogue.beacons[Int(beacon)].id)
      if rows.advertiser[row] != Sighting.none {
        addresses.append(catalogue.advertisers[Int(rows.advertiser[row])].bits)
      }
      known[beacon] = names[names.count - 1]
      heard[beacon] = names.count
    }
  }

  var rowsInUse: RowsInUse {
    var rows = RowsInUse()
    rows.beacons = Set(heard.filter { names.count - $0.value < patience }.keys)
    return rows
  }

  mutating func renumber(_ renumbering: Renumbering, in catalogue: Catalogue) {
    renumberings += 1
    for beacon in rowsInUse.beacons { #expect(renumbering.beacon(beacon) != nil) }
    var (known, heard): ([UInt32: String], [UInt32: Int]) = ([:], [:])
    for (old, name) in self.known {
      guard let new = renumbering.beacon(old) else { continue }
      #expect(catalogue.beacons[Int(new)].id == name)
      (known[new], heard[new]) = (name, self.heard[old])
    }
    (self.known, self.heard) = (known, heard)
    for sender in catalogue.senders {
      #expect(sender.beacon < catalogue.beacons.count)
      #expect(catalogue.advertisers.contains { $0.bits == sender.address })
    }
  }
}

@Suite("A trace builder that forgets beacons that left") struct ForgettingTests {
  private static let uuid = Identifier<16>("00112233445566778899AABBCCDDEEFF")

  private static func iBeacon(_ minor: UInt16) throws -> [UInt8] {
    IBeacon(uuid: try #require(uuid), major: 1, minor: minor, measuredPower: -59).advertisingData
  }

  private static let telemetry = EddystoneTLM(
    batteryVoltage: 3_000, temperature256: 512, advertisementCount: 1, uptimeTenths: 2
  ).advertisingData

  /// Phones that come, are heard a few times and leave, between beacons that stay; all change their
  /// addresses.
  private static func crowd(_ seed: UInt64) throws -> [(AdvertisingReport, [UInt8])] {
    var generator = SeededGenerator(seed: seed)
    var reports: [(AdvertisingReport, [UInt8])] = []
    for step in 0..<3000 {
      let address: UInt64
      let payload: [UInt8]
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        (address, payload) = (
          UInt64(step / 50), try iBeacon(UInt16.random(in: 0..<3, using: &generator))
        )
      case 1: (address, payload) = (7777, step.isMultiple(of: 2) ? telemetry : try iBeacon(9))
      default: (address, payload) = (100_000 + UInt64(step / 3), [2, 1, 6])
      }
      var report = AdvertisingReport(
        time: Int64.random(in: 0..<1 << 60, using: &generator),
        address: DeviceAddress(bits: address, type: 1), rssi: -60, eventType: 0)
      report.adapter = UInt16(step % 2)
      reports.append((report, payload))
    }
    return reports
  }

  private func rows(
    _ reports: [(AdvertisingReport, [UInt8])], keeping kept: Int?, patience: Int = 40
  ) throws -> NamedRows {
    var builder = TraceBuilder(into: NamedRows(patience: patience), blockRows: 4, keeping: kept)
    for (report, payload) in reports {
      try builder.receive(report, payload)
      if builder.waitingRows == 0 { builder.forgetThoseThatLeft() }
    }
    try builder.flush()
    return builder.sink
  }

  @Test(arguments: 1...8)
  func `every row has the name and address that it has in tables that forget nothing`(
    _ seed: UInt64
  ) throws {
    let reports = try Self.crowd(seed)
    let (all, forgetting) = (try rows(reports, keeping: nil), try rows(reports, keeping: 16))
    #expect(all.renumberings == 0 && forgetting.renumberings > 10)
    #expect(forgetting.names == all.names)
    #expect(forgetting.addresses == all.addresses)
  }

  @Test(arguments: [4, 16, 300])
  func `tables have at most twice the rows in use, whatever came before`(_ kept: Int) throws {
    let reports = try Self.crowd(5)
    let forgetting = try rows(reports, keeping: kept)
    // Of 40 rows, each of another beacon at most, and a block more.
    #expect(forgetting.largest <= 2 * max(kept, 40 + 4) + 4)
    #expect(try rows(reports, keeping: nil).largest > 800)
  }

  @Test func `nothing is forgotten where few beacons were heard`() throws {
    #expect(try rows(Self.crowd(2), keeping: 2000).renumberings == 0)
  }

  @Test func `a beacon that comes back under another spelling is one beacon again`() throws {
    var builder = TraceBuilder(into: NamedRows(patience: 1), blockRows: 1, keeping: 2)
    func known(_ name: String) -> UInt32? {
      let bytes = Array(name.utf8)
      return builder.knownBeacon(bytes.span)
    }
    func receive(_ name: String) throws -> UInt32 {
      try builder.receive(
        beacon: name, measuredPower: .nan, adapter: 0, time: 1, rssi: -60, channel: 37)
      builder.forgetThoseThatLeft()
      return try #require(known(name))
    }
    _ = try receive("aa:bb:cc:dd:ee:01")
    let spellings = (try receive("addr:AA:BB:CC:DD:EE:01"), try receive("AA-BB-CC-DD-EE-01"))
    #expect(spellings.0 == spellings.1)
    for number in 2..<9 { _ = try receive("addr:AA:BB:CC:DD:EE:0\(number)") }
    #expect(known("aa:bb:cc:dd:ee:01") == nil)
    let later = (try receive("AABBCCDDEE01"), try receive("aa:bb:cc:dd:ee:01"))
    #expect(later.0 == later.1)
    let count = builder.catalogue.beacons.count
    #expect(count <= 4)
  }
}
