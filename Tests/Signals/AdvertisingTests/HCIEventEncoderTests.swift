import Advertising
import TestSupport
import Testing

@Suite struct HCIEventEncoderTests {
  @Test func `a legacy report becomes the bytes it came from`() throws {
    let event = legacyEvent([legacyReport(type: 4, rssi: 127)])
    let (collector, _) = try decode([event])
    let payload = collector.payloads[0]
    let events = HCIEventEncoder.events(of: collector.reports[0], payload: payload.span)
    #expect(events == [event])
  }

  @Test func `long data are fragmented and joined again`() throws {
    var report = AdvertisingReport(
      time: 0, address: DeviceAddress(bits: 1, type: 1), rssi: -40, eventType: 0)
    report.sid = 1
    let payload = (0..<1650).map { UInt8($0 & 0xFF) }
    let events = HCIEventEncoder.events(of: report, payload: payload.span)
    #expect(events.map { $0[4] >> 5 } == [1, 1, 1, 1, 1, 1, 1, 0])
    let (collector, counts) = try decode(events)
    #expect(collector.reports == [report])
    #expect(collector.payloads == [payload])
    #expect(counts.rejections.total == 0)
  }

  /// Any report that a controller can tell comes back as it was.
  @Test func `round trip`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3000 {
      let (report, payload) = randomReport(using: &random)
      let events = HCIEventEncoder.events(of: report, payload: payload.span)
      let (collector, counts) = try decode(events, adapter: report.adapter)
      let decoded = try #require(collector.reports.first)
      #expect(collector.reports.count == 1)
      #expect(collector.payloads == [payload])
      #expect(counts.rejections.total == (report.dataStatus == 1 ? 1 : 0))
      #expect(decoded.rssi == report.rssi || decoded.rssi.isNaN && report.rssi.isNaN)
      var (a, b) = (decoded, report)
      (a.rssi, b.rssi) = (0, 0)
      #expect(a == b)
    }
  }

  private func randomReport(
    using random: inout SeededGenerator
  ) -> (AdvertisingReport, payload: [UInt8]) {
    let isLegacy = Bool.random(using: &random)
    let types: [UInt16] = isLegacy ? [0x13, 0x15, 0x12, 0x10, 0x1B, 0x1A] : [0, 1, 2, 8, 0x8001]
    var report = AdvertisingReport(
      time: 0,
      address: DeviceAddress(
        bits: .random(in: 0..<(1 << 48), using: &random), type: .random(in: 0...3, using: &random)),
      rssi: Float(Int.random(in: -127...21, using: &random)),
      eventType: types.randomElement(using: &random) ?? 0)
    if report.rssi > 20 { report.rssi = .nan }
    report.adapter = .random(in: 0...5, using: &random)
    if !isLegacy {
      report.primaryPHY = 3
      report.secondaryPHY = .random(in: 1...3, using: &random)
      report.sid = .random(in: 0...15, using: &random)
      report.txPower = .random(in: -127...20, using: &random)
      report.dataStatus = .random(in: 0...2, using: &random)
    }
    let length = Int.random(in: 0...(isLegacy ? 31 : 1650), using: &random)
    return (report, (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
  }
}
