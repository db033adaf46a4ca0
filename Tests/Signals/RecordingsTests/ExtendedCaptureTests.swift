import Advertising
import Foundation
import Recordings
import TestSupport
import Testing

/// Extended advertisements, which no public recording has, as tshark reads them.
@Suite(.needs(program: tsharkPath)) struct ExtendedCaptureTests {
  private let address: [UInt8] = [0xFF, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA]

  /// A PDU of type 7 in link type 256.
  ///
  /// - Parameters:
  ///   - flags: which fields the header has; see `ExtendedHeader`.
  ///   - kind: the sniffer's description of the PDU, in the flags' bits 7 to 13.
  private func packet(
    rfChannel: UInt8, signal: Int8, mode: UInt8 = 0, flags: UInt8, fields: [UInt8],
    data: [UInt8] = [],
    kind: UInt16
  ) -> [UInt8] {
    let payload = [mode << 6 | UInt8(fields.count + 1), flags] + fields + data
    return radioPacket(
      linkLayerPacket(header: 0x47, payload: payload), rfChannel: rfChannel, signal: signal,
      flags: 0x0C03 | kind)
  }

  @Test func `addresses sets powers and channels`() throws {
    let (advertisement, chain): (UInt16, UInt16) = (0x0080, 0x1080)
    // The pointer has channel 9, 300 µs, LE 1M.
    let pointer: [UInt8] = [0x09, 0x0A, 0x00]
    let packets = [
      packet(
        rfChannel: 0, signal: -50, flags: 0x59, fields: address + [0x23, 0x51] + pointer + [0xF9],
        kind: 0),
      packet(
        rfChannel: 10, signal: -60, flags: 0x18, fields: [0x23, 0x51] + [0x0C, 0x0A, 0x00],
        data: [2, 1, 6], kind: advertisement),
      packet(
        rfChannel: 14, signal: -70, flags: 0x08, fields: [0x23, 0x51], data: [2, 0x0A, 4],
        kind: chain),
      packet(
        rfChannel: 20, signal: -80, mode: 1, flags: 0x49, fields: address + [0x07, 0xA0] + [12],
        data: [3, 0x09, 0x41, 0x42], kind: advertisement),
    ]
    var file = CaptureBytes.pcap(linkType: 256)
    for (index, packet) in packets.enumerated() {
      file.addRecord(packet, seconds: 1_700_000_000, fraction: UInt32(index) * 1000)
    }
    let directory = try TemporaryDirectory()
    let path = try directory.write(file.bytes, to: "extended.pcap")
    let rows = try tshark(
      path,
      [
        "btle.advertising_address", "btle.extended_advertising.advertising_data_info.sid",
        "btle.extended_advertising_header.tx_power",
        "btle.extended_advertising_header.aux_pointer.channel", "btle_rf.signal_dbm",
        "btle.crc.incorrect", "btcommon.eir_ad.entry.device_name",
      ])
    // The files are what they are meant to be, or the reports below would mean nothing.
    let name = "aa:bb:cc:dd:ee:ff"
    #expect(rows.map { $0[0] } == [name, "", "", name])
    #expect(try rows.map { try number($0[1]) } == [5, 5, 5, 10])
    #expect(rows.map { $0[2] } == ["-7", "", "", "12"])
    #expect(rows.map { $0[3] } == ["9", "12", "", ""])
    #expect(rows.map { $0[5] } == ["", "", "", ""])
    #expect(rows[3][6] == "AB")

    var reader = try PcapReader(path: path)
    var collector = ReportCollector()
    let counts = try reader.decode(into: &collector)
    #expect(counts.pointers == 1)
    #expect(counts.joinedFragments == 1)
    #expect(counts.rejections.total == 0)
    // The second has no address of its own: tshark gives none, the pointer to it does.
    #expect(collector.reports.map { $0.address.description.lowercased() } == [name, name])
    #expect(collector.reports.map(\.sid) == [5, 10])
    #expect(collector.reports.map(\.txPower) == [-7, 12])
    #expect(collector.reports.map(\.rssi) == [rows[1][4], rows[3][4]].map { Float($0) })
    #expect(collector.reports.map(\.channel) == [9, 18])
    #expect(collector.reports.map(\.eventType) == [0, 1])
    #expect(collector.payloads == [[2, 1, 6, 2, 0x0A, 4], [3, 0x09, 0x41, 0x42]])
  }

  /// A number that tshark prints as decimal or hexadecimal.
  private func number(_ text: String) throws -> Int {
    try #require(text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text))
  }
}
