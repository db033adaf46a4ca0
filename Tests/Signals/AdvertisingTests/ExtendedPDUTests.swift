import Advertising
import TestSupport
import Testing

/// RF channel 1 is channel 0, RF channel 2 is channel 1 and so on up to 11.
@Suite struct ExtendedPDUTests {
  private let address = DeviceAddress(bits: 0xAABB_CCDD_EEFF, type: 1)

  @Test func `without pointer it is a report`() throws {
    let payload = extendedPayload(mode: 0, address: sentAddress, txPower: -7)
    let (collector, counts) = try decode([extendedPacket(rfChannel: 0, payload)], .radio)
    var expected = AdvertisingReport(time: 0, address: address, rssi: -60, eventType: 0)
    expected.channel = 37
    expected.txPower = -7
    #expect(collector.reports == [expected])
    #expect(counts.pointers == 0)
  }

  /// Three pointers, one advertisement: one report, with what the pointers lend it.
  @Test func `one pointed to is one report`() throws {
    let pointer = extendedPayload(
      mode: 1, address: sentAddress, dataInformation: 0x5123, pointer: 9, txPower: 4)
    let packets =
      [0, 12, 39].map { extendedPacket(rfChannel: $0, signal: -50, pointer) }
      + [
        extendedPacket(
          rfChannel: 10, signal: -80,
          extendedPayload(mode: 1, dataInformation: 0x5123, data: [2, 1, 6]))
      ]
    let (collector, counts) = try decode(packets, .radio)
    var expected = AdvertisingReport(time: 3_000_000, address: address, rssi: -80, eventType: 1)
    expected.channel = 9
    expected.secondaryPHY = 1
    expected.sid = 5
    expected.txPower = 4
    #expect(collector.reports == [expected])
    #expect(collector.payloads == [[2, 1, 6]])
    #expect(counts.pointers == 3)
    #expect(counts.packetsWithReports == 4)
  }

  @Test func `chains are joined`() throws {
    func packet(_ rfChannel: UInt8, _ address: [UInt8]?, _ next: UInt8?, _ data: [UInt8]) -> [UInt8]
    {
      extendedPacket(
        rfChannel: rfChannel, signal: -60 - Int8(rfChannel),
        extendedPayload(address: address, dataInformation: 0x2001, pointer: next, data: data))
    }
    let first = packet(1, sentAddress, 1, [1, 2])
    let packets = [first, packet(2, nil, 2, [3]), packet(3, nil, nil, [4, 5])]
    let whole = try decode(packets, .radio)
    #expect(whole.collector.payloads == [[1, 2, 3, 4, 5]])
    #expect(whole.collector.reports.map(\.rssi) == [-61])
    #expect(whole.collector.reports.map(\.time) == [0])
    #expect(whole.collector.reports.map(\.dataStatus) == [0])
    #expect(whole.counts.joinedFragments == 2)

    // The rest is late, or never comes, or the sender begins again.
    let late = try decode(packets, .radio, interval: 3_000_000_000)
    #expect(late.collector.payloads == [[1, 2]])
    #expect(late.collector.reports.map(\.dataStatus) == [1])
    #expect(late.counts.rejections[.incompleteData] == 1)
    #expect(late.counts.rejections[.unknownSender] == 2)
    let again = try decode([first] + packets, .radio)
    #expect(again.collector.payloads == [[1, 2], [1, 2, 3, 4, 5]])
    #expect(again.collector.reports.map(\.dataStatus) == [1, 0])
  }

  @Test func `a chain beyond the limit is cut`() throws {
    let data = [UInt8](repeating: 7, count: 240)
    let packets = (0..<8).map { (index: Int) -> [UInt8] in
      let payload = extendedPayload(
        address: index == 0 ? sentAddress : nil, dataInformation: 1, pointer: index < 7 ? 4 : nil,
        data: data)
      return extendedPacket(rfChannel: 5, payload)
    }
    let (collector, counts) = try decode(packets, .radio)
    #expect(collector.payloads.map(\.count) == [1650])
    #expect(collector.reports.map(\.dataStatus) == [2])
    #expect(counts.rejections[.oversizedData] == 1)
  }

  @Test func `two chains at once stay apart`() throws {
    var packets: [[UInt8]] = []
    for part in 0..<3 as Range<UInt8> {
      for sender in 1...2 as ClosedRange<UInt8> {
        let payload = extendedPayload(
          address: part == 0 ? [sender, 0, 0, 0, 0, 0] : nil, dataInformation: UInt16(sender),
          pointer: part < 2 ? part + 1 : nil, data: [sender, part])
        packets.append(extendedPacket(rfChannel: 1 + part, payload))
      }
    }
    let (collector, _) = try decode(packets, .radio)
    #expect(collector.payloads == [[1, 0, 1, 1, 1, 2], [2, 0, 2, 1, 2, 2]])
    #expect(collector.reports.map(\.address.bits) == [1, 2])
  }

  @Test func `scan responses`() throws {
    let response = extendedPayload(address: sentAddress, dataInformation: 0x3001, data: [9])
    let request = radioPacket(
      linkLayerPacket(header: 0x83, payload: [1, 2, 3, 4, 5, 6] + sentAddress), rfChannel: 5)
    let packets = [
      request, extendedPacket(rfChannel: 5, response), extendedPacket(rfChannel: 5, response),
    ]
    #expect(try decode(packets, .radio).collector.reports.map(\.eventType) == [0x0A, 0])
    // If the sniffer names the PDU, no request is needed.
    let told = radioPacket(
      linkLayerPacket(header: 0x47, payload: response), rfChannel: 5, flags: 0x3083)
    #expect(try decode([told], .radio).collector.reports.map(\.eventType) == [0x0A])
    let nordic = nordicPacket(
      linkLayerPacket(header: 0x47, payload: response), channel: 4, flags: 0x07)
    #expect(try decode([nordic], .nordic).collector.reports.map(\.eventType) == [0x0A])
  }

  @Test func `without an address`() throws {
    let anonymous = extendedPayload(dataInformation: 0x3001, data: [9])
    // This may continue something or be anonymous.
    let unknown = try decode([extendedPacket(rfChannel: 5, anonymous)], .radio)
    #expect(unknown.counts.rejections[.unknownSender] == 1)
    let pointer = extendedPayload(dataInformation: 0x3001, pointer: 4)
    let known = try decode(
      [extendedPacket(rfChannel: 0, pointer), extendedPacket(rfChannel: 5, anonymous)], .radio)
    #expect(known.collector.reports.map(\.address) == [DeviceAddress(bits: 0, type: 0xFF)])
    // A pointer to another channel is to another PDU.
    let elsewhere = try decode(
      [extendedPacket(rfChannel: 0, pointer), extendedPacket(rfChannel: 6, anonymous)], .radio)
    #expect(elsewhere.counts.rejections[.unknownSender] == 1)
  }

  /// Without a channel a pointer without data is an ADV_EXT_IND.
  @Test func `without a channel`() throws {
    let packets = [
      extendedPayload(address: sentAddress, dataInformation: 0x3001, pointer: 4),
      extendedPayload(dataInformation: 0x3001, pointer: 6, data: [1]),
      extendedPayload(dataInformation: 0x3001, data: [2]),
    ].map { linkLayerPacket(header: 0x47, payload: $0) }
    let (collector, counts) = try decode(packets, .none)
    #expect(collector.reports.map(\.address) == [address])
    #expect(collector.payloads == [[1, 2]])
    #expect(counts.pointers == 1)
  }

  @Test func `a directed one`() throws {
    let payload = extendedPayload(
      mode: 1, address: sentAddress, target: [1, 2, 3, 4, 5, 6], dataInformation: 0xF000)
    let (collector, _) = try decode([extendedPacket(rfChannel: 5, payload)], .radio)
    #expect(collector.reports.map(\.eventType) == [5])
    #expect(collector.reports.map(\.sid) == [15])
    #expect(collector.reports.map(\.address) == [address])
  }

  @Test func `contradictions are refused`() throws {
    let payloads: [[UInt8]] = [
      [], [1], [7, 1, 2, 3, 4, 5, 6], [1, 0x20], [0x3F, 0], [0xC7, 1] + sentAddress,
    ]
    let (collector, counts) = try decode(payloads.map { extendedPacket(rfChannel: 5, $0) }, .radio)
    #expect(collector.reports.isEmpty)
    #expect(counts.rejections[.badLength] == 5)
    #expect(counts.rejections[.reservedEventType] == 1)
  }
}
