import Advertising
import TestSupport
import Testing

@Suite struct LinkLayerDecoderTests {
  /// A packet that an Ubertooth received, whose checksum tshark calls right.
  private let received: [UInt8] = [
    0xD6, 0xBE, 0x89, 0x8E, 0x40, 0x24, 0x73, 0x72, 0xDF, 0xA6, 0x40, 0x7D, 0x02, 0x01, 0x1A, 0x02,
    0x0A, 0x08, 0x0B, 0x09, 0x54, 0x65, 0x73, 0x74, 0x50, 0x68, 0x6F, 0x6E, 0x65, 0x31, 0x0B, 0xFF,
    0x4C, 0x00, 0x10, 0x06, 0x77, 0x1E, 0xBE, 0x8A, 0xC1, 0xBA, 0x89, 0x6A, 0x7B,
  ]

  @Test func `a received packet`() throws {
    let (collector, counts) = try decode([received], .none)
    #expect(counts.rejections.total == 0)
    #expect(collector.reports.map(\.address.description) == ["7D:40:A6:DF:72:73"])
    #expect(collector.reports.map(\.address.type) == [1])
    #expect(collector.reports.map(\.eventType) == [0x13])
    #expect(collector.reports[0].rssi.isNaN)
    #expect(collector.reports[0].channel == 255)
    #expect(collector.payloads == [Array(received[12..<42])])
  }

  /// Every flipped bit is noticed, wherever it is: in the access address it hides the packet.
  @Test func `every flipped bit is refused`() throws {
    for bit in 0..<received.count * 8 {
      var packet = received
      packet[bit / 8] ^= 1 << (bit % 8)
      let (collector, counts) = try decode([packet], .none)
      #expect(collector.reports.isEmpty)
      #expect(counts.otherEvents.total == (bit < 32 ? 1 : 0))
      #expect(bit < 32 || counts.rejections.total == 1)
    }
  }

  @Test(
    arguments: [
      (0, 0x13), (1, 0x15), (2, 0x10), (4, 0x1B), (6, 0x12),
    ] as [(UInt8, UInt16)])
  func `legacy types`(type: UInt8, eventType: UInt16) throws {
    let data: [UInt8] = type == 1 ? [1, 2, 3, 4, 5, 6] : [2, 1, 6]
    let packet = radioPacket(legacyPacket(type: type, data: data), rfChannel: 12, signal: -71)
    let (collector, counts) = try decode([packet], .radio)
    var expected = AdvertisingReport(
      time: 0, address: DeviceAddress(bits: 0xAABB_CCDD_EEFF, type: 1), rssi: -71,
      eventType: eventType)
    expected.channel = 38
    #expect(collector.reports == [expected])
    // The target of a directed advertisement is not advertising data.
    #expect(collector.payloads == [type == 1 ? [] : data])
    #expect(counts.packetsWithReports == 1)
  }

  @Test func `a public address`() throws {
    let packet = linkLayerPacket(header: 0x02, payload: sentAddress)
    let (collector, _) = try decode([packet], .none)
    #expect(collector.reports.map(\.address.type) == [0])
    #expect(collector.payloads == [[]])
  }

  @Test func `requests and connections are not reports`() throws {
    var data = linkLayerPacket(header: 0x02, payload: sentAddress)
    data[0] ^= 0xFF
    let packets = [
      linkLayerPacket(header: 0x03, payload: sentAddress + sentAddress),
      linkLayerPacket(header: 0x05, payload: sentAddress + [UInt8](repeating: 0, count: 28)),
      linkLayerPacket(header: 0x08, payload: sentAddress), data,
    ]
    let (collector, counts) = try decode(packets, .none)
    #expect(collector.reports.isEmpty)
    #expect(counts.otherEvents.total == 4)
    #expect(counts.rejections.total == 0)
  }

  @Test func `reserved types and impossible lengths`() throws {
    let types = (9...15).map { linkLayerPacket(header: $0, payload: sentAddress) }
    #expect(try decode(types, .none).counts.rejections[.reservedPDUType] == 7)
    let lengths = [
      legacyPacket(data: [UInt8](repeating: 0, count: 32)),
      linkLayerPacket(header: 0, payload: [1, 2, 3, 4, 5]),
      linkLayerPacket(header: 1, payload: sentAddress + [1]),
    ]
    let (collector, counts) = try decode(lengths, .none)
    #expect(collector.reports.isEmpty)
    #expect(counts.rejections[.badLength] == 3)
  }

  /// A packet cut anywhere is refused, with a reason.
  @Test(arguments: [LinkLayerFraming.none, .radio, .nordic])
  func `every truncation`(framing: LinkLayerFraming) throws {
    let packet =
      switch framing {
      case .none: legacyPacket()
      case .radio: radioPacket(legacyPacket(), flags: 0x0C03)
      case .nordic: nordicPacket(legacyPacket())
      }
    for length in 0..<packet.count {
      let (collector, counts) = try decode([Array(packet.prefix(length))], framing)
      #expect(collector.reports.isEmpty)
      #expect(counts.rejections[.truncatedPacket] == 1, "\(length)")
    }
    #expect(try decode([packet], framing).collector.reports.count == 1)
    // What a program pads is not looked at.
    #expect(try decode([packet + [1, 2, 3]], framing).collector.reports.count == 1)
  }
}
