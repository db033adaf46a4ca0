import Advertising
import Foundation
import Recordings
import Sightings
import Support
import TestSupport
import Testing

@Suite struct BTSnoopReaderTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ bytes: [UInt8]) throws -> String {
    let path = directory.path("recording")
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func decode(
    _ bytes: [UInt8]
  ) throws -> (collector: ReportCollector, counts: DecodingCounts, packets: Int, drops: UInt64) {
    var reader = try BTSnoopReader(path: write(bytes))
    var collector = ReportCollector()
    let counts = try reader.decode(into: &collector)
    return (collector, counts, reader.packets, reader.drops)
  }

  @Test func `HCI without type byte`() throws {
    var file = BTSnoopBytes(datalink: 1001)
    file.append(advertisement(rssi: -40), flags: 3, drops: 4, microseconds: 1_700_000_000_123_456)
    file.append([3, 0x0C, 0], flags: 2)
    file.append(advertisement(rssi: -41), flags: 1)
    let result = try decode(file.bytes)
    #expect(result.collector.reports.map(\.rssi) == [-40])
    #expect(result.collector.reports.map(\.time) == [1_700_000_000_123_456_000])
    #expect(result.packets == 3)
    #expect(result.drops == 4)
  }

  /// The count runs on through the file: what it grows by was lost since the record before.
  @Test func `drops become losses`() throws {
    var file = BTSnoopBytes(datalink: 1002)
    for (second, drops) in [(1, 0), (2, 5), (3, 5), (4, 2), (5, 9)] as [(Int64, UInt32)] {
      file.append([4] + advertisement(rssi: -40), drops: drops, microseconds: second * 1_000_000)
    }
    let result = try decode(file.bytes)
    let second: Int64 = 1_000_000_000
    #expect(
      result.collector.losses == [
        Loss(adapter: 0, reason: .overflow, start: second, end: 2 * second, dropped: 5),
        Loss(adapter: 0, reason: .overflow, start: 4 * second, end: 5 * second, dropped: 7),
      ])
    #expect(result.drops == 12)
    #expect(result.counts.packets == 5 && result.counts.sightings == 5)
  }

  /// On the Linux monitor some packets are of no adapter: the next event names the adapter of the loss.
  @Test func `drops of a monitor are of the adapter heard next`() throws {
    var file = BTSnoopBytes(datalink: 2001)
    file.append(advertisement(rssi: -40), flags: 7 << 16 | 3, microseconds: 1)
    file.append([0], flags: 0xFFFF_000C, drops: 3, microseconds: 2)
    file.append([0], flags: 0xFFFF_000C, drops: 4, microseconds: .max / 2)
    file.append(advertisement(rssi: -40), flags: 6 << 16 | 3, drops: 5, microseconds: 4)
    file.append([0], flags: 0xFFFF_000C, drops: 6, microseconds: 5)
    let result = try decode(file.bytes)
    #expect(
      result.collector.losses == [
        Loss(adapter: 6, reason: .overflow, start: 1000, end: 4000, dropped: 5),
        Loss(adapter: 6, reason: .overflow, start: 4000, end: 5000, dropped: 1),
      ])
    #expect(result.counts.otherEvents[.log] == 2)
    #expect(result.counts.rejections[.badTime] == 1 && result.counts.packets == 5)
  }

  @Test func `H4 with type byte`() throws {
    var file = BTSnoopBytes(datalink: 1002)
    file.append([4] + advertisement(rssi: -40), flags: 0)
    file.append([1, 3, 0x0C, 0], flags: 3)
    file.append([], flags: 3)
    let result = try decode(file.bytes)
    #expect(result.collector.reports.map(\.rssi) == [-40])
    #expect(result.packets == 3)
    #expect(result.counts.rejections.total == 0)
  }

  @Test func `monitor with adapter and opcode`() throws {
    var file = BTSnoopBytes(datalink: 2001)
    file.append(advertisement(rssi: -40), flags: 7 << 16 | 3)
    file.append(advertisement(rssi: -41), flags: 7 << 16 | 2)
    let result = try decode(file.bytes)
    #expect(result.collector.reports.map(\.adapter) == [7])
  }

  /// A file cut anywhere gives everything before the cut, with a note.
  @Test func `every truncation`() throws {
    var file = BTSnoopBytes(datalink: 1002)
    for rssi in -42 ... -40 { file.append([4] + advertisement(rssi: Int8(rssi))) }
    let record = (file.bytes.count - 16) / 3
    for length in 16...file.bytes.count {
      let result = try decode(Array(file.bytes.prefix(length)))
      #expect(result.collector.reports.count == (length - 16) / record)
      #expect(result.counts.rejections[.truncatedRecord] == ((length - 16) % record == 0 ? 0 : 1))
    }
    for length in 1..<16 {
      #expect(throws: RSSIError.self) { try decode(Array(file.bytes.prefix(length))) }
    }
  }

  @Test(arguments: [65_541, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
  func `an absurd length ends the reading`(length: UInt32) throws {
    var file = BTSnoopBytes(datalink: 1002)
    file.append([4] + advertisement(rssi: -40))
    file.append([4], length: length)
    let result = try decode(file.bytes)
    #expect(result.collector.reports.count == 1)
    #expect(result.counts.rejections[.oversizedRecord] == 1)
  }

  @Test func `a time outside the range is counted`() throws {
    var file = BTSnoopBytes(datalink: 1002)
    file.append([4] + advertisement(rssi: -40), microseconds: .max / 2)
    file.append([4] + advertisement(rssi: -41), microseconds: -5)
    let result = try decode(file.bytes)
    #expect(result.collector.reports.map(\.time) == [-5000])
    #expect(result.counts.rejections[.badTime] == 1)
  }

  @Test func `records that straddle blocks are whole`() throws {
    var file = BTSnoopBytes(datalink: 1002)
    for index in 0..<20_000 { file.append([4] + advertisement(rssi: Int8(-index % 100))) }
    file.append([2] + [UInt8](repeating: 0, count: 65_539))
    file.append([4] + advertisement(rssi: -1))
    let result = try decode(file.bytes)
    #expect(result.collector.reports.map(\.rssi) == (0..<20_000).map { Float(-$0 % 100) } + [-1])
    #expect(result.packets == 20_002)
  }

  @Test func `unreadable files have a one-sentence message`() throws {
    let missing = directory.path("missing")
    #expect(throws: RSSIError.notFound(path: missing)) { try open(missing) }
    #expect(throws: RSSIError.isDirectory(path: directory.url.path)) {
      try open(directory.url.path)
    }
    let empty = try write([])
    #expect(throws: RSSIError.empty(path: empty)) { try open(empty) }
    let text = try write(Array("rssi_dbm,time_s\n-40,0\n".utf8))
    #expect(throws: RSSIError.wrongFormat(path: text, expected: "btsnoop")) { try open(text) }
    let datalink = try write(BTSnoopBytes(datalink: 1003).bytes)
    #expect(throws: RSSIError.unsupportedDatalink(path: datalink, datalink: 1003)) {
      try open(datalink)
    }
    let version = try write(BTSnoopBytes(datalink: 1002, version: 2).bytes)
    #expect(throws: RSSIError.unsupportedVersion(path: version, version: 2)) {
      try open(version)
    }
    #expect(
      "\(RSSIError.notFound(path: "a"))" == "a: no such file; check the name")
  }

  private func open(_ path: String) throws { _ = try BTSnoopReader(path: path) }

  @Test func `random bytes never crash`() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      var file = BTSnoopBytes(datalink: [1001, 1002, 2001].randomElement(using: &random) ?? 1001)
      for _ in 0..<8 { file.append([4] + advertisement(rssi: -40)) }
      for _ in 0..<6 {
        let index = Int.random(in: 16..<file.bytes.count, using: &random)
        file.bytes[index] = .random(in: 0...255, using: &random)
      }
      let result = try decode(file.bytes)
      #expect(result.packets <= 8 || result.counts.rejections.total > 0)
    }
  }
}
