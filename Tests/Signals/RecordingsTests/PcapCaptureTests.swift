import Advertising
import Foundation
import Recordings
import TestSupport
import Testing

/// Recordings of real sniffers and adapters, with the counts that tshark gives for them.
@Suite(.needs(program: tsharkPath), .needs(data: "captures")) struct PcapCaptureTests {
  private static let pcaps = [
    "pcap_187_from_csacca.pcap", "pcap_192_ppi_crackle.pcap", "pcap_251_from_whad_btmesh.pcap",
    "pcap_256_whad_btmesh.pcap", "pcap_256_whad_sniffle.pcap", "pcapng_256_crackle_lesc.pcapng",
    "pcapng_256_norssi_hackrf.pcapng", "pcapng_256_whad_ble_discovery.pcapng",
  ]
  /// Reports in the table that have a wrong checksum, which the table's authors did not compare.
  private static let damaged = ["pcapng_256_norssi_hackrf.pcapng": 18]

  private func table(_ path: String) throws -> [[String]] {
    // Device names are whatever was received: not always UTF-8.
    String(decoding: try Data(contentsOf: #require(sharedData(path))), as: UTF8.self)
      .split { $0 == "\n" || $0 == "\r\n" }.dropFirst().map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
  }

  @Test func `the table has no other files`() throws {
    let names = try table("captures/expected.csv").map { $0[0] }
    #expect(names.filter { !$0.hasSuffix(".btsnoop") }.sorted() == Self.pcaps.sorted())
  }

  @Test(arguments: pcaps)
  func `every file has the expected counts`(name: String) throws {
    let row = try #require(table("captures/expected.csv").first { $0[0] == name })
    let path = try #require(sharedData("captures/" + name)).path
    var reader = try PcapReader(path: path)
    var collector = ReportCollector()
    // The table counts packets with a wrong checksum too.
    let counts = try reader.decode(into: &collector, keepsWrongChecksums: true)
    let strengths = collector.strengths.map { Double($0) }
    #expect(reader.packets == Int(row[3]))
    let damaged = Self.damaged[name] ?? 0
    #expect(counts.sightings == Int(row[4]))
    #expect(collector.reports.count { $0.dataStatus == 3 } == damaged)
    #expect(counts.packetsWithSeveralReports == Int(row[5]))
    #expect(Set(collector.reports.map(\.address.bits)).count == Int(row[6]))
    #expect(strengths.min() == Double(row[7]))
    #expect(strengths.max() == Double(row[8]))
    if let mean = Double(row[9]) {
      let ours = strengths.reduce(0, +) / Double(strengths.count)
      #expect(abs(ours - mean) <= 0.005 + 1e-9)
    } else {
      #expect(strengths.isEmpty)
    }
    let beacons = zip(collector.reports, collector.frames).filter { $1.kind == .iBeacon }
    #expect(beacons.count == Int(row[row.count - 3]))
    #expect(Set(beacons.map(\.0.address.bits)).count == Int(row[row.count - 2]))
    let unsupported = counts.rejections[.unsupportedLinkType]
    #expect(unsupported == (name.hasPrefix("pcap_192") ? 303 : 0))

    var again = try PcapReader(path: path)
    var sound = ReportCollector()
    let soundCounts = try again.decode(into: &sound)
    #expect(soundCounts.reports == counts.sightings - damaged)
    #expect(soundCounts.rejections.total == soundCounts.rejections[.badCRC] + unsupported)
    #expect(
      sound.reports.map(\.time) == collector.reports.filter { $0.dataStatus != 3 }.map(\.time))
  }

  /// The same packets are reports and the same are refused; RSSI, address, channel and time agree.
  @Test(arguments: [
    "pcap_251_from_whad_btmesh.pcap", "pcap_256_whad_sniffle.pcap",
    "pcapng_256_crackle_lesc.pcapng",
    "pcapng_256_norssi_hackrf.pcapng", "pcapng_256_whad_ble_discovery.pcapng",
    "chamber/anechoic-chamber-nrf52-capture-0.pcapng",
    "chamber/anechoic-chamber-ubertooth-capture-0.pcapng",
    "chamber/anechoic-chamber-ubertooth-capture-90.pcapng",
    "chamber/screen-room-nrf52-capture-90.pcapng",
    "chamber/screen-room-ubertooth-capture-45.pcapng",
  ])
  func `Wireshark reads the same reports`(name: String) throws {
    let path = try #require(sharedData("captures/" + name)).path
    let rows = try tshark(
      path,
      [
        "frame.time_epoch", "btle.advertising_address", "btle_rf.signal_dbm", "nordic_ble.rssi",
        "btle_rf.channel", "nordic_ble.channel", "_ws.malformed",
      ],
      filter: "btle.advertising_header.pdu_type in {0,1,2,4,6} && !btle.crc.incorrect"
        + " && !(nordic_ble.crcok == 0)")
    var reader = try PcapReader(path: path)
    var collector = ReportCollector()
    _ = try reader.decode(into: &collector)
    let radio: [String: UInt8] = ["0": 37, "12": 38, "39": 39]
    var next = 0
    for row in rows {
      // Of a packet whose advertising data it cannot take apart tshark does not look at the
      // checksum.
      let time = try nanoseconds(row[0])
      if !row[6].isEmpty, next == collector.reports.count || collector.reports[next].time != time {
        continue
      }
      try #require(next < collector.reports.count)
      let report = collector.reports[next]
      next += 1
      #expect(report.time == time)
      #expect(report.address.description.lowercased() == row[1])
      let rssi = Float(row[2]) ?? Float(row[3])
      #expect(rssi.map { report.rssi == $0 } ?? report.rssi.isNaN)
      #expect(report.channel == radio[row[4]] ?? UInt8(row[5]) ?? 255)
    }
    #expect(next == collector.reports.count)
    #expect(next > 20)
  }

  /// RSSI, address, type and time that the authors of the recordings published of each packet.
  @Test(arguments: [
    "anechoic-chamber-nrf52-capture-0", "anechoic-chamber-ubertooth-capture-0",
    "anechoic-chamber-ubertooth-capture-90", "screen-room-nrf52-capture-90",
    "screen-room-ubertooth-capture-45",
  ])
  func `the authors table has the same packets`(name: String) throws {
    // In some rows a device's name has a comma, so fields behind it are counted from the end.
    let rows = Dictionary(
      uniqueKeysWithValues: try table("captures/chamber/\(name).csv").map { ($0[0], $0) })
    let path = try #require(sharedData("captures/chamber/\(name).pcapng")).path
    var reader = try PcapReader(path: path)
    var decoder = LinkLayerDecoder(framing: name.contains("nrf52") ? .nordic : .radio)
    var collector = ReportCollector()
    var frames: [Int] = []
    var start: Int64?
    var frame = 0
    try reader.forEachPacket { time, packet in
      frame += 1
      start = start ?? time
      try decoder.decode(packet, time: time, into: &collector)
      if collector.reports.count > frames.count { frames.append(frame) }
    }
    let first = try #require(start)
    let eventTypes: [String: UInt16] = ["0": 0x13, "1": 0x15, "2": 0x10, "4": 0x1B, "6": 0x12]
    #expect(frames.count == collector.reports.count)
    // Of one recording the table lacks packet 1085.
    let lacking = name == "screen-room-ubertooth-capture-45" ? ["1085"] : []
    #expect((1...frame).map(String.init).filter { rows[$0] == nil } == lacking)
    #expect(reader.packets == frame)
    for (frame, report) in zip(frames, collector.reports) {
      guard let row = rows["\(frame)"] else { continue }
      #expect(try first + nanoseconds(row[1]) == report.time)
      #expect(row[2] == report.address.description.lowercased())
      #expect(Float(row[row.count - 4]) == report.rssi, "\(row)")
      #expect(eventTypes[row[row.count - 2]] == report.eventType, "\(row)")
    }
    #expect(frames.count > 700)
  }
}
