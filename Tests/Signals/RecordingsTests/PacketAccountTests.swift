import Advertising
import Foundation
import Recordings
import Sightings
import Support
import TestSupport
import Testing

/// Every packet of a recording is a packet with reports, another event or refused, and every report
/// a sighting, a part of one, a pointer or refused; the numbers of packets are counted apart.
@Suite struct PacketAccountTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private struct Account {
    var counts: DecodingCounts
    var sightings: Int
    /// Records as the framing has them, the one at which reading ended included.
    var records: Int
  }

  private func account(of path: String, _ format: String) throws -> Account {
    var collector = ReportCollector()
    let records: Int
    let counts: DecodingCounts
    switch format {
    case "btsnoop":
      var reader = try BTSnoopReader(path: path)
      counts = try reader.decode(into: &collector)
      records = reader.packets + broken(reader.rejections)
      #expect(counts == reader.counts)
    case "pklg":
      var reader = try PacketLoggerReader(path: path)
      counts = try reader.decode(into: &collector)
      records = reader.packets + broken(reader.rejections)
      #expect(counts == reader.counts)
    default:
      var reader = try PcapReader(path: path)
      counts = try reader.decode(into: &collector)
      records = reader.packets + broken(reader.rejections)
      #expect(counts == reader.counts)
    }
    return Account(counts: counts, sightings: collector.reports.count, records: records)
  }

  /// Records at which reading ended.
  private func broken(_ rejections: RejectionCounts) -> Int {
    rejections[.truncatedRecord] + rejections[.oversizedRecord] + rejections[.damagedRecord]
  }

  private func check(_ path: String, _ format: String, _ comment: Comment) throws {
    let account = try account(of: path, format)
    let counts = account.counts
    #expect(counts.packets == account.records, comment)
    #expect(counts.sightings == account.sightings, comment)
    #expect(counts.packetsWithReports <= counts.reports, comment)
    #expect(counts.rejectedPackets + counts.rejectedReports <= counts.rejections.total, comment)
    #expect(counts.otherEvents.map(\.count).reduce(0, +) == counts.otherEvents.total, comment)
  }

  /// The file whole, cut at places that differ from file to file, and damaged.
  private func checkDamaged(_ bytes: [UInt8], _ format: String, _ name: String) throws {
    var random = SeededGenerator(seed: UInt64(bytes.count))
    try check(directory.write(bytes, to: "whole"), format, "\(name)")
    for _ in 0..<12 where bytes.count > 100 {
      let length = Int.random(in: 100..<bytes.count, using: &random)
      let path = try directory.write(Array(bytes.prefix(length)), to: "cut")
      do { try check(path, format, "\(name) cut at \(length)") } catch is RSSIError {}
      var damaged = bytes
      let places = (0..<20).map { _ in Int.random(in: 100..<bytes.count, using: &random) }
      for place in places { damaged[place] = .random(in: 0...255, using: &random) }
      let other = try directory.write(damaged, to: "damaged")
      do { try check(other, format, "\(name) damaged at \(places)") } catch is RSSIError {}
    }
  }

  private static var recordings: [URL] {
    let folders = ["captures", "captures/hci-vectors", "../rig/samples", "faults"]
    return folders.compactMap(sharedData).flatMap {
      (try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? []
    }.filter { ["btsnoop", "pcap", "pcapng", "pklg"].contains($0.pathExtension) }
  }

  @Test(.needs(data: "captures"))
  func `every public recording`() throws {
    #expect(Self.recordings.count >= 13)
    for url in Self.recordings {
      try checkDamaged(Array(Data(contentsOf: url)), url.pathExtension, url.lastPathComponent)
    }
  }

  @Test func `generated recordings`() throws {
    var random = SeededGenerator(seed: 41)
    for round in 0..<40 {
      let packets = (0..<60).map { _ in packet(&random) }
      var snoop = BTSnoopBytes(datalink: [1001, 1002, 2001][round % 3])
      let linkTypes: [UInt32] = [187, 201, 251, 254, 256, 272, 1]
      var pcap = CaptureBytes.pcap(linkType: linkTypes[round % linkTypes.count])
      var log: [UInt8] = []
      for packet in packets {
        let flags = UInt32.random(in: 0...20, using: &random)
        snoop.append(packet, flags: flags, drops: .random(in: 0...3, using: &random))
        pcap.addRecord(packet)
        log += big(UInt32(packet.count + 8)) + big(1_700_000_000) + big(0) + packet
      }
      try checkDamaged(snoop.bytes, "btsnoop", "btsnoop \(round)")
      try checkDamaged(pcap.bytes, "pcap", "pcap \(round)")
      try checkDamaged(log, "pklg", "PacketLogger \(round)")
    }
  }

  /// A packet of some format, or none; each reader is given all of them.
  private func packet(_ random: inout SeededGenerator) -> [UInt8] {
    let event = advertisement(rssi: -40)
    let directed: [UInt8] = [0x3E, 18, 0x0B, 1, 1, 1, 6, 5, 4, 3, 2, 1, 1, 6, 5, 4, 3, 2, 1, 0xC4]
    let air = linkLayerPacket(
      header: .random(in: 0...255, using: &random), payload: Array(repeating: 3, count: 12))
    let plain: [UInt8] = [.random(in: 0...6, using: &random), 0x3E, 0, 0]
    return [
      event, [4] + event, [4] + directed, [1] + event, [0, 0, 0, 1, 4] + event,
      [0, 1, 0, 3] + event, [0, 1, 0, 2, 3, 0x0C, 0], air, radioPacket(air), nordicPacket(air),
      nordicPacket(air, version: 2, id: 0), plain, [], [4, 0x0E, 1, 0], Array(event.prefix(9)),
    ].randomElement(using: &random) ?? []
  }

  private func big(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Reading that ends early has still accounted for what was read.
  @Test func `a sink that stops leaves the counts`() throws {
    struct Full: Error {}
    struct FullSink: RecordingSink {
      var left = 2
      mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
        guard left > 0 else { throw Full() }
        left -= 1
      }
      mutating func lost(_ loss: Loss) {}
    }
    var file = BTSnoopBytes(datalink: 1002)
    for _ in 0..<5 { file.append([4] + advertisement(rssi: -40)) }
    var reader = try BTSnoopReader(path: directory.write(file.bytes, to: "five"))
    var sink = FullSink()
    #expect(throws: Full.self) { try reader.decode(into: &sink) }
    #expect(reader.counts.packets == 3)
  }
}
