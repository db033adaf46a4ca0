import Advertising
import TestSupport
import Testing

@Suite struct LinkLayerFuzzTests {
  private static let framings = [LinkLayerFraming.none, .radio, .nordic]

  /// What holds of any bytes whatever.
  private func check(_ packets: [[UInt8]], _ framing: LinkLayerFraming) throws {
    let (collector, counts) = try decode(packets, framing)
    #expect(counts.sightings == collector.reports.count)
    #expect(counts.packets == packets.count)
    // One packet is one report at most, so none is refused of a packet that is sound otherwise.
    #expect(counts.reports == counts.packetsWithReports)
    #expect(counts.rejectedReports == 0)
    let incomplete = counts.rejections[.incompleteData] + counts.rejections[.oversizedData]
    #expect(counts.rejectedPackets == counts.rejections.total - incomplete)
    for (report, payload) in zip(collector.reports, collector.payloads) {
      #expect(report.rssi.isNaN || (-127...20).contains(report.rssi))
      #expect(payload.count <= 1650)
      #expect(report.channel < 40 || report.channel == 255)
      #expect(report.dataStatus <= 2)
      #expect((1...3).contains(report.primaryPHY) && report.secondaryPHY <= 3)
    }
  }

  private func framed(
    _ packet: [UInt8], _ framing: LinkLayerFraming, _ random: inout SeededGenerator
  ) -> [UInt8] {
    switch framing {
    case .none: packet
    case .radio:
      radioPacket(
        packet, rfChannel: .random(in: 0...40, using: &random),
        flags: .random(in: 0...0xFFFF, using: &random) | 0x0C01)
    case .nordic:
      nordicPacket(
        packet, version: .random(in: 1...3, using: &random),
        channel: .random(in: 0...40, using: &random),
        flags: .random(in: 0...127, using: &random) | 1)
    }
  }

  @Test(arguments: framings)
  func `random bytes`(framing: LinkLayerFraming) throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      let packets = (0..<10).map { _ in
        (0..<Int.random(in: 0...80, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      }
      try check(packets, framing)
    }
  }

  /// PDUs of every type with random content and a right checksum: the checksum keeps nothing out.
  @Test(arguments: framings)
  func `random content`(framing: LinkLayerFraming) throws {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<200 {
      let packets = (0..<20).map { _ in
        let isExtended = Bool.random(using: &random)
        var payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in
          UInt8.random(in: 0...(isExtended ? 40 : 255), using: &random)
        }
        if isExtended, payload.count > 1 { payload[1] &= 0x59 }
        let header = isExtended ? 7 : UInt8.random(in: 0...255, using: &random)
        return framed(linkLayerPacket(header: header, payload: payload), framing, &random)
      }
      try check(packets, framing)
    }
  }

  @Test(arguments: framings)
  func `flipped bits`(framing: LinkLayerFraming) throws {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<300 {
      var packets = [
        legacyPacket(), legacyPacket(type: 4),
        linkLayerPacket(header: 7, payload: extendedPayload(dataInformation: 1, pointer: 3)),
        linkLayerPacket(
          header: 7, payload: extendedPayload(address: sentAddress, dataInformation: 1, pointer: 3)),
        linkLayerPacket(header: 7, payload: extendedPayload(dataInformation: 1, data: [1])),
      ].map { framed($0, framing, &random) }.shuffled(using: &random)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let packet = Int.random(in: packets.indices, using: &random)
        let byte = Int.random(in: packets[packet].indices, using: &random)
        packets[packet][byte] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      try check(packets, framing)
    }
  }
}
