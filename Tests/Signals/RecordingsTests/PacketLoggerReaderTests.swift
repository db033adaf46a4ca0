import Advertising
import Foundation
import Recordings
import Support
import TestSupport
import Testing

@Suite struct PacketLoggerReaderTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// A record; its length is right unless given.
  private func record(
    _ packet: [UInt8], type: UInt8 = 1, isBigEndian: Bool = true, seconds: UInt32 = 1_700_000_000,
    microseconds: UInt32 = 0, length: UInt32? = nil
  ) -> [UInt8] {
    let numbers = [length ?? UInt32(packet.count + 9), seconds, microseconds]
    return numbers.flatMap { number in
      withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
    } + [type] + packet
  }

  private func decode(
    _ bytes: [UInt8]
  ) throws -> (collector: ReportCollector, counts: DecodingCounts, packets: Int) {
    var reader = try PacketLoggerReader(path: directory.write(bytes, to: "log"))
    var collector = ReportCollector()
    let counts = try reader.decode(into: &collector)
    return (collector, counts, reader.packets)
  }

  private func isRecognized(_ bytes: [UInt8]) throws -> Bool {
    try PacketLoggerReader.recognizes(path: directory.write(bytes, to: "candidate"))
  }

  @Test(arguments: [false, true])
  func `either byte order`(isBigEndian: Bool) throws {
    let bytes =
      record(advertisement(rssi: -40), isBigEndian: isBigEndian, microseconds: 123_456)
      + record([3, 0x0C, 0], type: 0, isBigEndian: isBigEndian)
      + record(Array("a note".utf8), type: 0xFC, isBigEndian: isBigEndian)
      + record(advertisement(rssi: -41), isBigEndian: isBigEndian, microseconds: 999_999)
    #expect(try isRecognized(bytes))
    let result = try decode(bytes)
    #expect(result.collector.reports.map(\.rssi) == [-40, -41])
    #expect(
      result.collector.reports.map(\.time)
        == [1_700_000_000_123_456_000, 1_700_000_000_999_999_000])
    #expect(result.packets == 4)
    #expect(result.counts.rejections.total == 0)
  }

  @Test func `every truncation`() throws {
    let one = record(advertisement(rssi: -40))
    let bytes = one + one + one
    for length in 12...bytes.count {
      let result = try decode(Array(bytes.prefix(length)))
      #expect(result.collector.reports.count == length / one.count)
      #expect(result.counts.rejections[.truncatedRecord] == (length % one.count == 0 ? 0 : 1))
      // Of one record that is whole the format is known; a cut of the last does not matter.
      #expect(try isRecognized(Array(bytes.prefix(length))) == (length >= one.count))
    }
    for length in 0..<12 {
      #expect(throws: RSSIError.self) { try decode(Array(bytes.prefix(length))) }
    }
  }

  @Test func `contradictions are counted`() throws {
    let good = record(advertisement(rssi: -40))
    for (length, reason) in [
      (7, .damagedRecord), (65_536, .oversizedRecord), (.max, .oversizedRecord),
    ]
      as [(UInt32, Rejection)]
    {
      let result = try decode(good + record(advertisement(rssi: -41), length: length) + good)
      #expect(result.collector.reports.map(\.rssi) == [-40, -40])
      #expect(result.counts.rejections[reason] == 1)
      #expect(result.counts.unreadBytes == good.count)
    }
    let late = try decode(good + record(advertisement(rssi: -41), microseconds: 1_000_000) + good)
    #expect(late.collector.reports.map(\.rssi) == [-40, -40])
    #expect(late.counts.rejections[.badTime] == 1)
  }

  @Test func `other files are not recognized`() throws {
    let good = record(advertisement(rssi: -40))
    #expect(try !isRecognized([]))
    #expect(try !isRecognized([UInt8](repeating: 0, count: 400)))
    #expect(try !isRecognized(good + record([1], type: 0x55)))
    #expect(try !isRecognized(good + record([1], microseconds: 1_000_000)))
    #expect(try !isRecognized(good + record([1], isBigEndian: false)))
    #expect(try !isRecognized(Array("time_s,receiver,beacon,rssi_dbm\n".utf8)))
    var random = SeededGenerator(seed: 22)
    for _ in 0..<500 {
      // Bytes with a first length that could be one.
      let bytes: [UInt8] =
        [0, 0, 0, 30] + (0..<300).map { _ in .random(in: 0...255, using: &random) }
      #expect(try !isRecognized(bytes))
    }
  }

  @Test func `random damage never crashes`() throws {
    var random = SeededGenerator(seed: 23)
    for _ in 0..<300 {
      var bytes = (0..<6).flatMap { _ in record(advertisement(rssi: -40)) }
      for _ in 0..<4 {
        bytes[Int.random(in: 4..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let result = try decode(bytes)
      #expect(result.packets <= 40)
      #expect(result.packets >= 6 || result.counts.rejections.total > 0)
    }
  }
}
