import Advertising
import Foundation
import Support
import TestSupport
import Testing

@testable import Recordings

@Suite("The Bluetooth log in the text of an Android bug report")
struct BTSnoozTests {
  private func little(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private func records(_ packets: [[UInt8]], _ version: UInt8) -> [UInt8] {
    packets.flatMap { packet in
      let length = little(UInt16(packet.count + 1))
      return length + (version == 1 ? [] : length) + little(UInt32(1000)) + [0x10] + packet
    }
  }

  @Test(arguments: [1, 2] as [UInt8])
  func `its packets have the times and bytes that were recorded`(version: UInt8) throws {
    let packets = (0..<40).map { advertisement(rssi: Int8(-50 - $0)) }
    let last = 1_700_000_000_000_000 as Int64
    let file = BTSnooz.recording(of: records(packets, version), version: version, last: last)
    var expected = BTSnoopBytes(datalink: 1002)
    for (number, packet) in packets.enumerated() {
      expected.append(
        [4] + packet, flags: 1, microseconds: last - 1000 * Int64(packets.count - 1 - number))
    }
    #expect(file == expected.bytes)
  }

  @Test func `any bytes are read without a crash, as a recording that is cut at worst`() throws {
    let directory = try TemporaryDirectory()
    var random = SeededGenerator(seed: 41)
    let whole = records((0..<8).map { advertisement(rssi: Int8(-50 - $0)) }, 2)
    for round in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      bytes = Array(bytes.prefix(.random(in: 0...bytes.count, using: &random)))
      let version = UInt8(1 + round % 2)
      let last = round % 3 == 0 ? Int64.random(in: .min ... .max, using: &random) : 1 << 50
      let file = BTSnooz.recording(of: bytes, version: version, last: last)
      var reader = try BTSnoopReader(path: directory.write(file, to: "log"))
      var sink = ReportCollector()
      let counts = try reader.decode(into: &sink)
      #expect(counts.sightings <= 8 && sink.reports.count == counts.sightings)
      // Neither a header nor compressed data.
      _ = BTSnooz.recording(of: bytes)
    }
  }
}
