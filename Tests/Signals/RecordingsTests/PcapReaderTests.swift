import Advertising
import Foundation
import Recordings
import Support
import TestSupport
import Testing

@Suite struct PcapReaderTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func decode(
    _ bytes: [UInt8]
  ) throws -> (collector: ReportCollector, counts: DecodingCounts, packets: Int) {
    var reader = try PcapReader(path: directory.write(bytes, to: "capture"))
    var collector = ReportCollector()
    let counts = try reader.decode(into: &collector)
    return (collector, counts, reader.packets)
  }

  private func packet(rssi: Int8) -> [UInt8] {
    radioPacket(linkLayerPacket(header: 2, payload: [6, 5, 4, 3, 2, 1, 2, 1, 6]), signal: rssi)
  }

  @Test(arguments: [false, true], [false, true])
  func `pcap of either order and resolution`(isBigEndian: Bool, isNanoseconds: Bool) throws {
    var file = CaptureBytes.pcap(
      linkType: 256, isBigEndian: isBigEndian, isNanoseconds: isNanoseconds)
    file.addRecord(packet(rssi: -40), seconds: 1_700_000_000, fraction: 123_456)
    file.addRecord(packet(rssi: -41), seconds: 1_700_000_000, fraction: 999_999)
    let result = try decode(file.bytes)
    let unit: Int64 = isNanoseconds ? 1 : 1000
    #expect(
      result.collector.reports.map(\.time)
        == [123_456, 999_999].map { 1_700_000_000_000_000_000 + $0 * unit })
    #expect(result.collector.reports.map(\.rssi) == [-40, -41])
    #expect(result.counts.rejections.total == 0)
  }

  @Test(arguments: [false, true])
  func `pcapng of either order and every resolution`(isBigEndian: Bool) throws {
    let second: Int64 = 1_700_000_000
    for (resolution, units, nanoseconds) in [
      (nil, 1_000_000, 123_457_000), (6, 1_000_000, 123_457_000), (9, 1_000_000_000, 123_456_789),
      // Powers of two have the high bit set: 2^-10 seconds.
      (0x8A, 1024, 126_953_125), (3, 1000, 123_000_000),
    ] as [(UInt8?, Int64, Int64)] {
      var file = CaptureBytes.pcapng(isBigEndian: isBigEndian)
      file.addInterface(linkType: 256, resolution: resolution)
      let fraction = (nanoseconds * units + 999_999_999) / 1_000_000_000
      file.addPacket(packet(rssi: -40), time: UInt64(second * units + fraction))
      let result = try decode(file.bytes)
      #expect(result.collector.reports.map(\.time) == [second * 1_000_000_000 + nanoseconds])
    }
  }

  @Test func `adapters of every link type`() throws {
    let event = advertisement(rssi: -40)
    for (linkType, packets) in [
      (187, [[4] + event, [1, 3, 0x0C, 0], []]),
      (201, [[0, 0, 0, 1, 4] + event, [0, 0, 0, 0, 1, 3, 0x0C, 0], [0, 0, 0]]),
      (254, [[0, 7, 0, 3] + event, [0, 7, 0, 2, 3, 0x0C, 0], [0]]),
    ] as [(UInt32, [[UInt8]])] {
      var file = CaptureBytes.pcap(linkType: linkType)
      for packet in packets { file.addRecord(packet) }
      let result = try decode(file.bytes)
      #expect(result.collector.reports.map(\.rssi) == [-40])
      #expect(result.collector.reports.map(\.adapter) == [linkType == 254 ? 7 : 0])
      #expect(result.packets == 3)
      #expect(result.counts.rejections[.truncatedPacket] == 1)
    }
  }

  @Test func `other link types are counted`() throws {
    var file = CaptureBytes.pcap(linkType: 1)
    for _ in 0..<3 { file.addRecord([1, 2, 3]) }
    let result = try decode(file.bytes)
    #expect(result.counts.rejections[.unsupportedLinkType] == 3)
    let reader = try PcapReader(path: directory.path("capture"))
    #expect(reader.linkType == .unsupported(number: 1, name: "Ethernet"))
  }

  /// Ubertooth keeps more of a packet than its length, and libpcap alone would stop there.
  @Test(arguments: [false, true])
  func `packets longer than the snapshot length`(isBigEndian: Bool) throws {
    var ng = CaptureBytes.pcapng(isBigEndian: isBigEndian)
    ng.addInterface(linkType: 256, snapLength: 8)
    ng.addInterface(linkType: 256, snapLength: 64)
    var old = CaptureBytes.pcap(linkType: 256, isBigEndian: isBigEndian, snapLength: 8)
    for rssi in -42 ... -40 as ClosedRange<Int8> {
      ng.addPacket(packet(rssi: rssi), interface: UInt32(rssi & 1))
      old.addRecord(packet(rssi: rssi))
    }
    for file in [ng, old] {
      let result = try decode(file.bytes)
      #expect(result.collector.reports.map(\.rssi) == [-42, -41, -40])
    }
  }

  @Test func `interfaces of different link types are refused`() throws {
    var file = CaptureBytes.pcapng()
    file.addInterface(linkType: 256)
    file.addPacket(packet(rssi: -40))
    file.addInterface(linkType: 251)
    file.addPacket(packet(rssi: -40))
    let bytes = file.bytes
    let error = try #require(throws: RSSIError.self) { try decode(bytes) }
    #expect(error.kind == .badInput)
    #expect(error.description.contains("type 251 different"))
    #expect(error.description.contains("file of its own"))
  }

  /// A file cut anywhere gives everything before the cut, with a note.
  @Test func `every truncation`() throws {
    var old = CaptureBytes.pcap(linkType: 256)
    var ng = CaptureBytes.pcapng()
    ng.addInterface(linkType: 256)
    let starts = (old.bytes.count, ng.bytes.count)
    for rssi in -42 ... -40 as ClosedRange<Int8> {
      old.addRecord(packet(rssi: rssi))
      ng.addPacket(packet(rssi: rssi))
    }
    for (bytes, start) in [(old.bytes, starts.0), (ng.bytes, starts.1)] {
      let record = (bytes.count - start) / 3
      for length in start...bytes.count {
        let result = try decode(Array(bytes.prefix(length)))
        #expect(result.collector.reports.count == (length - start) / record)
        #expect(result.packets == (length - start) / record)
        let isCut = (length - start) % record != 0
        #expect(result.counts.rejections.total == (isCut ? 1 : 0), "\(length)")
      }
      for length in 0..<start {
        #expect(throws: RSSIError.self) { try decode(Array(bytes.prefix(length))) }
      }
    }
  }

  @Test func `absurd lengths and times are counted`() throws {
    var file = CaptureBytes.pcap(linkType: 256)
    file.addRecord(packet(rssi: -40), fraction: 1_000_000)
    file.addRecord(packet(rssi: -41))
    let damage = file.bytes.count + 8
    file.addRecord(packet(rssi: -42))
    file.bytes.replaceSubrange(damage..<(damage + 4), with: [0xFF, 0xFF, 0xFF, 0x7F])
    let result = try decode(file.bytes)
    #expect(result.collector.reports.map(\.rssi) == [-41])
    #expect(result.counts.rejections[.badTime] == 1)
    #expect(result.counts.rejections[.oversizedRecord] == 1)
    var ng = CaptureBytes.pcapng()
    ng.addInterface(linkType: 256, resolution: 0)
    ng.addPacket(packet(rssi: -40), time: .max / 2)
    ng.addPacket(packet(rssi: -41), interface: 3)
    let other = try decode(ng.bytes)
    #expect(other.collector.reports.isEmpty)
    #expect(other.counts.rejections[.badTime] == 1)
    #expect(other.counts.rejections[.damagedRecord] == 1)
  }

  @Test func `unreadable files have a one-sentence message`() throws {
    let missing = directory.path("missing")
    #expect(throws: RSSIError.notFound(path: missing)) { try open(missing) }
    #expect(throws: RSSIError.isDirectory(path: directory.url.path)) {
      try open(directory.url.path)
    }
    let empty = try directory.write([], to: "empty")
    #expect(throws: RSSIError.empty(path: empty)) { try open(empty) }
    let text = try directory.write(Array("rssi_dbm,time_s\n-40,0\n".utf8), to: "text")
    #expect(throws: RSSIError.wrongFormat(path: text, expected: "pcap")) { try open(text) }
    let bare = try directory.write(CaptureBytes.pcapng().bytes, to: "bare")
    let error = try #require(throws: RSSIError.self) { try open(bare) }
    #expect(error.description.contains("Interface"))
  }

  private func open(_ path: String) throws { _ = try PcapReader(path: path) }

  @Test func `formats are known by their magic`() {
    for isBigEndian in [false, true] {
      #expect(PcapReader.recognizes(CaptureBytes.pcapng(isBigEndian: isBigEndian).bytes))
      for isNanoseconds in [false, true] {
        let file = CaptureBytes.pcap(
          linkType: 256, isBigEndian: isBigEndian, isNanoseconds: isNanoseconds)
        #expect(PcapReader.recognizes(file.bytes))
        #expect(!PcapReader.recognizes(Array(file.bytes.prefix(11))))
      }
    }
    #expect(!PcapReader.recognizes([0x0A, 0x0D, 0x0D, 0x0A] + Array("time_s,rssi_dbm".utf8)))
    #expect(!PcapReader.recognizes([UInt8](repeating: 0, count: 64)))
  }

  @Test func `random damage never crashes`() throws {
    var random = SeededGenerator(seed: 21)
    for round in 0..<400 {
      var file =
        round % 2 == 0
        ? CaptureBytes.pcap(linkType: [187, 201, 251, 254, 256, 272][round / 2 % 6])
        : CaptureBytes.pcapng()
      if round % 2 == 1 {
        file.addInterface(linkType: [187, 256, 272][round / 2 % 3], resolution: 9)
      }
      for _ in 0..<8 {
        if round % 2 == 0 {
          file.addRecord(packet(rssi: -40))
        } else {
          file.addPacket(packet(rssi: -40))
        }
      }
      for _ in 0..<4 {
        let index = Int.random(in: 0..<file.bytes.count, using: &random)
        file.bytes[index] = .random(in: 0...255, using: &random)
      }
      do throws(RSSIError) {
        let path = directory.path("damaged")
        try? Data(file.bytes).write(to: URL(filePath: path))
        var reader = try PcapReader(path: path)
        var collector = ReportCollector()
        do {
          let counts = try reader.decode(into: &collector)
          #expect(reader.packets <= 8 && counts.sightings <= reader.packets)
        } catch {
          #expect(error is RSSIError)
        }
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
