import Advertising
import Foundation
import Recordings
import Sightings
import Support
import TestSupport
import Testing

@Suite("Recordings that were joined to one file are all read, and every other byte is counted")
struct JoinedRecordingsTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  enum Format: CaseIterable { case btsnoop, pcap, bigPcap, pcapng, packetLogger, bigPacketLogger }

  private struct Read {
    var levels: [Float]
    var counts: DecodingCounts
    var recordings: Int
  }

  private func read(_ bytes: [UInt8], _ format: Format) throws -> Read {
    let path = try directory.write(bytes, to: "joined")
    var sink = ReportCollector()
    switch format {
    case .btsnoop:
      var reader = try BTSnoopReader(path: path)
      let counts = try reader.decode(into: &sink)
      return Read(levels: sink.strengths, counts: counts, recordings: reader.account.recordings)
    case .pcap, .bigPcap, .pcapng:
      var reader = try PcapReader(path: path)
      let counts = try reader.decode(into: &sink)
      return Read(levels: sink.strengths, counts: counts, recordings: reader.account.recordings)
    case .packetLogger, .bigPacketLogger:
      var reader = try PacketLoggerReader(path: path)
      let counts = try reader.decode(into: &sink)
      return Read(levels: sink.strengths, counts: counts, recordings: reader.account.recordings)
    }
  }

  /// A recording of as many reports as there are levels.
  private func recording(_ levels: [Int8], _ format: Format) -> [UInt8] {
    let packets = levels.map { [4] + advertisement(rssi: $0) }
    switch format {
    case .btsnoop:
      var file = BTSnoopBytes(datalink: 1002)
      for packet in packets { file.append(packet, microseconds: 1_700_000_000_000_000) }
      return file.bytes
    case .pcap, .bigPcap:
      var file = CaptureBytes.pcap(linkType: 187, isBigEndian: format == .bigPcap)
      for packet in packets { file.addRecord(packet, seconds: 1_700_000_000) }
      return file.bytes
    case .pcapng:
      var file = CaptureBytes.pcapng()
      file.addInterface(linkType: 187)
      for packet in packets { file.addPacket(packet, time: 1_700_000_000_000_000) }
      return file.bytes
    case .packetLogger, .bigPacketLogger:
      return packets.flatMap { packet in
        [UInt32(packet.count + 8), 1_700_000_000, 0].flatMap { number in
          withUnsafeBytes(of: format == .packetLogger ? number.littleEndian : number.bigEndian) {
            Array($0)
          }
        } + [1] + packet.dropFirst()
      }
    }
  }

  private let one: [Int8] = [-41, -42, -43]
  private let two: [Int8] = [-51, -52, -53, -54]
  private var all: [Float] { (one + two).map(Float.init) }

  @Test(arguments: Format.allCases)
  func `whole files`(format: Format) throws {
    let read = try read(recording(one, format) + recording(two, format), format)
    #expect(read.levels == all)
    #expect(read.counts.packets == 7 && read.counts.rejections.total == 0)
    #expect(read.counts.unreadBytes == 0)
    // PacketLogger has no header, and libpcap reads sections of pcapng as one.
    let hasHeader = [.btsnoop, .pcap, .bigPcap].contains(format)
    #expect(read.recordings == (hasHeader ? 2 : 1))
  }

  @Test(arguments: Format.allCases)
  func `the last record of the first file is cut anywhere`(format: Format) throws {
    let first = recording(one, format)
    let last = first.count - recording(Array(one.dropLast()), format).count
    for cut in 1..<last {
      let read = try read(first.dropLast(cut) + recording(two, format), format)
      #expect(read.levels == [-41, -42] + two.map(Float.init), "\(cut)")
      #expect(read.counts.unreadBytes == last - cut, "\(cut)")
      #expect(read.counts.rejectedPackets == 1 && read.counts.packets == 7, "\(cut)")
    }
  }

  @Test(arguments: Format.allCases)
  func `rubbish at the end, or between files, is counted`(format: Format) throws {
    let rubbish = [UInt8](repeating: 0xEE, count: 777)
    let end = try read(recording(one, format) + rubbish, format)
    #expect(end.levels == one.map(Float.init))
    #expect(end.counts.unreadBytes == 777 && end.counts.rejectedPackets == 1)
    let between = try read(recording(one, format) + rubbish + recording(two, format), format)
    #expect(between.levels == all)
    #expect(between.counts.unreadBytes == 777 && between.counts.rejectedPackets == 1)
  }

  @Test(arguments: Format.allCases)
  func `zeros that were written ahead are counted`(format: Format) throws {
    let read = try read(recording(one, format) + [UInt8](repeating: 0, count: 5000), format)
    #expect(read.levels == one.map(Float.init))
    #expect(read.counts.unreadBytes == 5000 && read.counts.packets == 4)
  }

  @Test func `files of either byte order`() throws {
    for (format, other) in [
      (Format.pcap, Format.bigPcap), (.bigPcap, .pcap), (.packetLogger, .bigPacketLogger),
      (.bigPacketLogger, .packetLogger), (.pcap, .pcapng), (.pcapng, .pcap),
    ] {
      let read = try read(recording(one, format) + recording(two, other), format)
      #expect(read.levels == all)
      #expect(read.recordings == 2 && read.counts.unreadBytes == 0)
    }
  }

  @Test func `another link type is not mixed in, and counted`() throws {
    var other = CaptureBytes.pcap(linkType: 254)
    other.addRecord([0, 7, 0, 3] + advertisement(rssi: -60))
    let bytes = recording(one, .pcap) + other.bytes + recording(two, .pcap)
    let read = try read(bytes, .pcap)
    #expect(read.levels == all)
    #expect(read.counts.unreadBytes == other.bytes.count)
    var monitor = BTSnoopBytes(datalink: 2001)
    monitor.append(advertisement(rssi: -60))
    let snoop = try self.read(recording(one, .btsnoop) + monitor.bytes, .btsnoop)
    #expect(snoop.levels == one.map(Float.init))
    #expect(snoop.counts.unreadBytes == monitor.bytes.count)
  }

  @Test func `a packet that holds the beginning of a recording is a packet`() throws {
    var file = BTSnoopBytes(datalink: 1002)
    file.append([4] + advertisement(rssi: -41), microseconds: 1_700_000_000_000_000)
    file.append([2, 1, 2] + recording(two, .btsnoop), microseconds: 1_700_000_000_000_000)
    file.append([4] + advertisement(rssi: -42), microseconds: 1_700_000_000_000_000)
    let snoop = try read(file.bytes, .btsnoop)
    #expect(snoop.levels == [-41, -42] && snoop.counts.unreadBytes == 0)
    #expect(snoop.recordings == 1)
    for format in [Format.pcap, .pcapng] {
      var bytes =
        format == .pcap ? CaptureBytes.pcap(linkType: 187) : CaptureBytes.pcapng()
      if format == .pcapng { bytes.addInterface(linkType: 187) }
      for packet in [
        [4] + advertisement(rssi: -41), [2, 1, 2] + recording(two, format),
        [4] + advertisement(rssi: -42),
      ] {
        if format == .pcap {
          bytes.addRecord(packet, seconds: 1_700_000_000)
        } else {
          bytes.addPacket(packet)
        }
      }
      let capture = try read(bytes.bytes, format)
      #expect(capture.levels == [-41, -42] && capture.counts.unreadBytes == 0)
    }
  }

  @Test(arguments: Format.allCases)
  func `packets and bytes add up, however files are cut and joined`(format: Format) throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      var bytes: [UInt8] = recording(one, format)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        var part = recording(two, format)
        if Bool.random(using: &random) {
          part.removeLast(.random(in: 0..<part.count, using: &random))
        }
        if Bool.random(using: &random) {
          part[.random(in: 0..<part.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        bytes += part
      }
      do {
        let read = try read(bytes, format)
        #expect(read.counts.packets >= read.counts.sightings)
        #expect((0...bytes.count).contains(read.counts.unreadBytes))
        #expect(read.counts.unreadBytes == 0 || read.counts.rejections.total > 0)
      } catch is RSSIError {}
    }
  }
}
