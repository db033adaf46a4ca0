import Advertising
import TestSupport
import Testing

@Suite struct SnifferHeaderTests {
  private func wrong(_ packet: [UInt8]) -> [UInt8] {
    var packet = packet
    packet[packet.count - 1] ^= 1
    return packet
  }

  /// The channel map of the specification, volume 6, part B, section 1.4.1, table 1.2.
  @Test func `every RF channel`() throws {
    let advertising: [UInt8: UInt8] = [0: 37, 12: 38, 39: 39]
    for rf in 0...255 as ClosedRange<UInt8> {
      let payload = extendedPayload(address: sentAddress, dataInformation: 0x1001)
      let (collector, _) = try decode([extendedPacket(rfChannel: rf, payload)], .radio)
      let data = rf < 12 ? Int(rf) - 1 : Int(rf) - 2
      let expected = advertising[rf] ?? (rf < 39 ? UInt8(data) : 255)
      #expect(collector.reports.map(\.channel) == [expected], "\(rf)")
    }
  }

  /// A legacy PDU on a secondary channel: some programs write the index for the RF channel.
  @Test func `a channel that cannot be is not known`() throws {
    let packets = [1, 37, 38, 40].map { radioPacket(legacyPacket(), rfChannel: $0) }
    let (collector, _) = try decode(packets, .radio)
    #expect(collector.reports.map(\.channel) == [255, 255, 255, 255])
    let aliased = radioPacket(legacyPacket(), flags: 0x0043)
    #expect(try decode([aliased], .radio).collector.reports.map(\.channel) == [255])
  }

  @Test func `an invalid signal has no strength`() throws {
    let packets = [
      radioPacket(legacyPacket(), signal: -60, flags: 0x0001),
      radioPacket(legacyPacket(), signal: 127), radioPacket(legacyPacket(), signal: 0),
    ]
    let (collector, _) = try decode(packets, .radio)
    #expect(collector.reports.map(\.rssi.isNaN) == [true, true, false])
    #expect(collector.reports[2].rssi == 0)
  }

  /// The sniffer is believed where it compared the checksum of what it recorded, and only there.
  @Test func `whose checksum counts`() throws {
    func outcome(_ packet: [UInt8], _ flags: UInt16) throws -> Int {
      let (collector, counts) = try decode([radioPacket(packet, flags: flags)], .radio)
      #expect(collector.reports.count + counts.rejections[.badCRC] == 1)
      return collector.reports.count
    }
    let right = legacyPacket()
    #expect(try outcome(right, 0x0003) == 1)
    #expect(try outcome(wrong(right), 0x0003) == 0)
    // Marked as valid without having been compared, which proves nothing.
    #expect(try outcome(wrong(right), 0x0803) == 0)
    #expect(try outcome(wrong(right), 0x0C03) == 1)
    #expect(try outcome(right, 0x0403) == 0)
    // Still whitened, so what the sniffer compared is not what is here.
    #expect(try outcome(wrong(right), 0x0C02) == 0)
    let nordic = try decode(
      [nordicPacket(wrong(right)), nordicPacket(right, flags: 0)], .nordic)
    #expect(nordic.collector.reports.count == 1)
    #expect(nordic.counts.rejections[.badCRC] == 1)
  }

  @Test func `data of connections are not advertising`() throws {
    for kind in 2...7 as ClosedRange<UInt16> {
      let packet = radioPacket(legacyPacket(), flags: 0x0C03 | kind << 7)
      #expect(try decode([packet], .radio).counts.otherEvents.total == 1)
    }
    let nordic = try decode([nordicPacket(legacyPacket(), id: 6)], .nordic)
    #expect(nordic.counts.otherEvents[.dataChannel] == 1)
  }

  /// Programs other than Nordic's write packets under numbers that are not of packets.
  @Test(arguments: [(1, 0), (2, 0), (2, 2), (3, 0), (3, 14)] as [(UInt8, UInt8)])
  func `unknown numbers are decided by the access address`(version: UInt8, id: UInt8) throws {
    var data = legacyPacket()
    data[0] ^= 1
    // A message of the sniffer, too short for a packet, and one whose length is wrong.
    let message = nordicPacket([1, 2, 3], version: version, id: id)
    var wrong = nordicPacket(legacyPacket(), version: version, id: id)
    wrong[version == 1 ? 2 : 1] += 1
    let packets = [legacyPacket(), data].map { nordicPacket($0, version: version, id: id) }
    let (collector, counts) = try decode(packets + [message, wrong], .nordic)
    #expect(collector.reports.map(\.rssi) == [-60])
    #expect(collector.reports.map(\.channel) == [37])
    #expect(counts.otherEvents[.dataChannel] == 1)
    #expect(counts.otherEvents[.snifferMessage] == 2)
    #expect(counts.packets == 4 && counts.rejections.total == 0)
  }

  @Test func `physical layers`() throws {
    let coded = linkLayerPacket(
      header: 0x47, payload: extendedPayload(address: sentAddress), codingIndicator: 1)
    let packets = [
      radioPacket(coded, flags: 0x8003), radioPacket(legacyPacket(), flags: 0xC003),
    ]
    let radio = try decode(packets, .radio)
    #expect(radio.collector.reports.map(\.primaryPHY) == [3])
    #expect(radio.counts.rejections[.reservedPHY] == 1)
    let nordic = try decode(
      [nordicPacket(coded, flags: 0x21), nordicPacket(coded, flags: 0x31)], .nordic)
    #expect(nordic.collector.reports.map(\.primaryPHY) == [3])
    #expect(nordic.counts.rejections[.reservedPHY] == 1)
  }

  @Test(arguments: [1, 2, 3] as [UInt8])
  func `Nordic versions`(version: UInt8) throws {
    let packets = [
      nordicPacket(legacyPacket(), version: version, channel: 38, rssi: 71),
      nordicPacket(legacyPacket(), version: version, channel: 200, rssi: 200),
    ]
    let (collector, counts) = try decode(packets, .nordic)
    #expect(counts.rejections.total == 0)
    #expect(collector.reports[0].rssi == -71)
    #expect(collector.reports.map(\.channel) == [38, 255])
    #expect(collector.reports[1].rssi.isNaN)
    #expect(collector.payloads == [[2, 1, 6], [2, 1, 6]])
  }

  @Test func `unknown versions are refused`() throws {
    var legacy = nordicPacket(legacyPacket())
    (legacy[0], legacy[1]) = (0xBE, 0xEF)
    let packets = [0, 4, 255].map { nordicPacket(legacyPacket(), version: $0, id: 2) } + [legacy]
    #expect(try decode(packets, .nordic).counts.rejections[.unsupportedVersion] == 4)
  }
}
