import Advertising
import Sightings
import TestSupport
import Testing

@testable import Recordings

/// A btsnoop file is read through a window, which holds any number of its records.
@Suite("A recording read through a window")
struct RecordingWindowsTests {
  private struct Read: Equatable {
    var reports: [AdvertisingReport]
    var payloads: [[UInt8]]
    var losses: [Loss]
    var counts: DecodingCounts
    var sentences: [String]
  }

  private func read(_ path: String, window: Int) throws -> Read {
    var sink = ReportCollector()
    var reader = try BTSnoopReader(path: path, window: window)
    let counts = try reader.decode(into: &sink)
    return Read(
      reports: sink.reports, payloads: sink.payloads, losses: sink.losses, counts: counts,
      sentences: reader.account.sentences(of: "file"))
  }

  /// Larger than the longest record with the header after it.
  private static let smallest = 65_600

  @Test(arguments: 1...12)
  func `gives the same whatever the size of the window`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = Self.recordings(using: &generator)
    let directory = try TemporaryDirectory()
    let path = try directory.write(bytes, to: "random.btsnoop")
    let whole = try read(path, window: bytes.count + Self.smallest)
    #expect(whole.reports.count > 1000)
    #expect(whole.counts.joinedFragments > 0)
    for _ in 0..<4 {
      let window = Int.random(in: Self.smallest..<3 * Self.smallest, using: &generator)
      #expect(try read(path, window: window) == whole, "window of \(window)")
    }
  }

  /// Concatenated recordings of reports, fragments and other packets, some of them damaged.
  private static func recordings(using generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<3 {
      var file = BTSnoopBytes(datalink: 1001)
      var (time, drops) = (Int64(1_700_000_000_000_000), UInt32(0))
      for _ in 0..<Int.random(in: 500..<4000, using: &generator) {
        time += .random(in: -1000..<100_000, using: &generator)
        drops += Bool.random(using: &generator) ? 0 : .random(in: 0..<2, using: &generator)
        let (packet, flags) = packet(using: &generator)
        let isBadTime = Int.random(in: 0..<500, using: &generator) == 0
        file.append(
          packet, flags: flags, drops: drops, microseconds: isBadTime ? .max : time)
      }
      if Bool.random(using: &generator) {
        file.append([1, 2, 3], length: .random(in: 65_541 ... .max, using: &generator))
      }
      // Not within the last bytes of a record, where the header after them may be read later.
      let isCut = Bool.random(using: &generator)
      bytes += file.bytes.dropLast(isCut ? Int.random(in: 16..<24, using: &generator) : 0)
    }
    return bytes
  }

  private static func packet(
    using generator: inout SeededGenerator
  ) -> (bytes: [UInt8], flags: UInt32) {
    let rssi = Int8.random(in: -100 ... -40, using: &generator)
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: return ([], 3)
    case 1: return ([UInt8](repeating: 7, count: .random(in: 1..<9000, using: &generator)), 1)
    case 2: return (Array("btsnoop\0".utf8) + [9, 9, 9, 9, 9, 9, 9, 9, 9], 3)
    case 3: return (advertisement(rssi: rssi).dropLast(), 3)
    case 4...8:
      let status = UInt8.random(in: 0..<3, using: &generator) << 5
      let data = (0..<UInt8.random(in: 0..<60, using: &generator)).map { $0 }
      let address = UInt8.random(in: 0..<4, using: &generator)
      let head: [UInt8] = [0x3E, UInt8(26 + data.count), 0x0D, 1, status, 0, 1, address]
      let middle: [UInt8] = [2, 3, 4, 5, 6, 1, 2, 9, 127, UInt8(bitPattern: rssi)]
      return (head + middle + [0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(data.count)] + data, 3)
    default: return (advertisement(rssi: rssi), 3)
    }
  }
}
