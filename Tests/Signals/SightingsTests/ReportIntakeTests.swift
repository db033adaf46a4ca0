import Advertising
import Sightings
import TestSupport
import Testing

@Suite struct ReportIntakeTests {
  private let identifier = Identifier<16>("00112233445566778899AABBCCDDEEFF")
  private let telemetry = EddystoneTLM(
    batteryVoltage: 3_000, temperature256: 512, advertisementCount: 1, uptimeTenths: 2)

  private func iBeacon(_ minor: UInt16) throws -> [UInt8] {
    let uuid = try #require(identifier)
    return IBeacon(uuid: uuid, major: 1, minor: minor, measuredPower: -59).advertisingData
  }

  private func report(
    _ time: Int64, address: UInt64 = 0xAABB_CCDD_EEFF, type: UInt8 = 0, adapter: UInt16 = 0
  ) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: time, address: DeviceAddress(bits: address, type: type), rssi: -60, eventType: 0x13)
    report.adapter = adapter
    return report
  }

  /// The beacons' names, row by row.
  private func beacons(_ reports: [(AdvertisingReport, [UInt8])]) throws -> [String] {
    var builder = TraceBuilder(into: BlockCollector())
    for (report, payload) in reports { try builder.receive(report, payload) }
    let catalogue = try builder.complete()
    return builder.sink.all(\.beacon).map { catalogue.beacons[Int($0)].id }
  }

  @Test func `a beacon is its identity whatever its address`() throws {
    let frame = try iBeacon(2)
    var builder = TraceBuilder(into: BlockCollector())
    try builder.receive(report(1, address: 1), frame)
    try builder.receive(report(2, address: 2), frame)
    try builder.receive(report(3, address: 2, type: 1), iBeacon(3))
    let catalogue = try builder.complete()
    #expect(
      catalogue.beacons.map(\.id) == [
        "ibeacon:00112233-4455-6677-8899-AABBCCDDEEFF:1:2",
        "ibeacon:00112233-4455-6677-8899-AABBCCDDEEFF:1:3",
      ])
    #expect(catalogue.beacons.map(\.kind) == ["ibeacon", "ibeacon"])
    #expect(catalogue.beacons.map(\.measuredPower) == [-59, -59])
    #expect(catalogue.advertisers.map(\.bits) == [1, 2, 2])
    #expect(catalogue.advertisers.map(\.type) == [0, 0, 1])
    #expect(builder.sink.all(\.beacon) == [0, 0, 1])
    #expect(builder.sink.all(\.advertiser) == [0, 1, 2])
  }

  @Test func `tables know which addresses sent a beacon`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    for time in 0..<200 as Range<Int64> {
      // Two frames of one device take turns, and a third device has the first's identity later.
      try builder.receive(report(time, address: 1), iBeacon(UInt16(time % 2)))
      try builder.receive(report(time, address: time < 100 ? 2 : 3), iBeacon(5))
      try builder.receive(report(time, address: 4), [2, 1, 6])
    }
    try builder.receive(report(200, address: 9, type: DeviceAddress.anonymousType), iBeacon(6))
    let catalogue = try builder.complete()
    let senders = catalogue.senders.map { sender in
      "\(catalogue.beacons[Int(sender.beacon)].id.suffix(3)) \(sender.address)"
    }
    #expect(Set(senders) == ["1:0 1", "1:1 1", "1:5 2", "1:5 3"] && senders.count == 4)
  }

  @Test func `telemetry belongs to the beacon its address named`() throws {
    let name = "ibeacon:00112233-4455-6677-8899-AABBCCDDEEFF:1:"
    let names = try beacons([
      (report(1, address: 1), telemetry.advertisingData),
      (report(2, address: 1), iBeacon(2)),
      (report(3, address: 1), telemetry.advertisingData),
      (report(4, address: 2), telemetry.advertisingData),
      (report(5, address: 1), iBeacon(3)),
      (report(6, address: 1), telemetry.advertisingData),
    ])
    #expect(
      names == [
        "addr:00:00:00:00:00:01", name + "2", name + "2", "addr:00:00:00:00:00:02", name + "3",
        name + "3",
      ])
  }

  @Test func `anything else belongs to its address`() throws {
    let names = try beacons([
      (report(1), iBeacon(2)), (report(2), [2, 1, 6]), (report(3), []),
      (report(4, address: 7), [2, 1, 6]), (report(5, address: 7), [0xFF, 0xFF]),
    ])
    #expect(names[0].hasPrefix("ibeacon:"))
    #expect(
      Array(names[1...]) == [
        "addr:AA:BB:CC:DD:EE:FF", "addr:AA:BB:CC:DD:EE:FF", "addr:00:00:00:00:00:07",
        "addr:00:00:00:00:00:07",
      ])
  }

  @Test func `receivers are adapters unless named`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    try builder.receive(report(1, adapter: 3), [])
    try builder.receive(report(2, adapter: 0), [])
    try builder.receive(report(3, adapter: 3), [])
    builder.receiverName = "kitchen"
    try builder.receive(report(4, adapter: 3), [])
    try builder.receive(report(5, adapter: 0), [])
    builder.receiverName = nil
    try builder.receive(report(6, adapter: 0), [])
    let catalogue = try builder.complete()
    #expect(
      builder.sink.all(\.receiver).map { catalogue.receivers[Int($0)].id } == [
        "hci3", "hci0", "hci3", "kitchen", "kitchen", "hci0",
      ])
  }

  @Test func `every field of a report is kept`() throws {
    var whole = report(123)
    whole.rssi = .nan
    whole.channel = 38
    whole.primaryPHY = 3
    whole.secondaryPHY = 2
    whole.sid = 7
    whole.txPower = -12
    whole.dataStatus = 2
    var builder = TraceBuilder(into: BlockCollector())
    builder.currentTrace = try builder.trace(named: "a")
    builder.currentTrace = try builder.trace(named: "b")
    try builder.receive(whole, [2, 1, 6])
    _ = try builder.complete()
    let block = try #require(builder.sink.blocks.first)
    #expect(block.time == [123])
    #expect(block.trace == [1])
    #expect(block.rssi.map(\.isNaN) == [true])
    #expect(block.eventType == [0x13])
    #expect(block.channel == [38])
    #expect(block.primaryPHY == [3])
    #expect(block.secondaryPHY == [2])
    #expect(block.sid == [7])
    #expect(block.txPower == [-12])
    #expect(block.dataStatus == [2])
    #expect(block.payload == [0])
    #expect(block.stay == [Sighting.none])
  }

  /// A block's payloads come with the block whose rows have them first.
  @Test func `each payload is handed on once before it is pointed to`() throws {
    var generator = SeededGenerator(seed: 6)
    var builder = TraceBuilder(into: BlockCollector(), blockRows: 16)
    var sent: [[UInt8]] = []
    for time in 0..<500 as Range<Int64> {
      sent.append([3, 0xFF, UInt8.random(in: 0..<40, using: &generator), 0])
      try builder.receive(report(time), sent[Int(time)])
    }
    _ = try builder.complete()
    let payloads = builder.sink.payloads
    #expect(payloads.count == Set(sent).count)
    #expect(builder.sink.all(\.payload).map { payloads[Int($0)] } == sent)
  }
}
