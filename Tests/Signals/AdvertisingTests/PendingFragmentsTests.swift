import Advertising
import Testing

@Suite struct PendingFragmentsTests {
  private func fragment(
    _ status: UInt16, _ bytes: [UInt8], last: UInt8 = 1, sid: UInt8 = 5, rssi: Int8 = -50
  ) -> [UInt8] {
    extendedEvent([
      extendedReport(type: status << 5, last: last, sid: sid, data: bytes, rssi: rssi)
    ])
  }

  @Test func `fragments of two sets are joined with the first strength`() throws {
    let result = try decode([
      fragment(1, [1, 2], rssi: -50), fragment(1, [7], sid: 6, rssi: -70),
      fragment(1, [3], rssi: -51), fragment(0, [8], sid: 6, rssi: -71),
      fragment(0, [4], rssi: -52),
    ])
    #expect(result.collector.payloads == [[7, 8], [1, 2, 3, 4]])
    #expect(result.collector.reports.map(\.rssi) == [-70, -50])
    #expect(result.collector.reports.map(\.time) == [1_000_000, 0])
    #expect(result.collector.reports.map(\.dataStatus) == [0, 0])
    #expect(result.counts.joinedFragments == 3)
    #expect(result.counts.rejections.total == 0)
  }

  @Test func `a truncated last fragment truncates the whole`() throws {
    let result = try decode([fragment(1, [1]), fragment(2, [2])])
    #expect(result.collector.payloads == [[1, 2]])
    #expect(result.collector.reports.map(\.dataStatus) == [2])
  }

  @Test func `unfinished fragments are delivered at the end`() throws {
    let result = try decode([fragment(1, [1])])
    #expect(result.collector.payloads == [[1]])
    #expect(result.collector.reports.map(\.dataStatus) == [1])
    #expect(result.counts.rejections[.incompleteData] == 1)
  }

  @Test func `fragments far apart in time are not joined`() throws {
    let result = try decode([fragment(1, [1]), fragment(0, [2])], interval: 3_000_000_000)
    #expect(result.collector.payloads == [[1], [2]])
    #expect(result.collector.reports.map(\.dataStatus) == [1, 0])
    #expect(result.counts.rejections[.incompleteData] == 1)
  }

  @Test func `a scan response does not end an advertisement`() throws {
    let response = extendedEvent([extendedReport(type: 0x08, last: 1, data: [9])])
    let result = try decode([fragment(1, [1]), response, fragment(0, [2])])
    #expect(result.collector.payloads == [[9], [1, 2]])
  }

  @Test func `at most sixty four sets wait`() throws {
    let result = try decode(
      (0..<100).map { fragment(1, [UInt8($0)], last: UInt8($0)) }, interval: 1)
    #expect(result.collector.payloads == (0..<100).map { [UInt8($0)] })
    #expect(result.counts.rejections[.incompleteData] == 100)
  }

  @Test func `data above the limit are cut and marked`() throws {
    let full = [UInt8](repeating: 3, count: 229)
    let result = try decode(
      [[UInt8]](repeating: fragment(1, full), count: 9) + [fragment(0, [4])])
    #expect(result.collector.payloads.map(\.count) == [1650])
    #expect(result.collector.reports.map(\.dataStatus) == [2])
    #expect(result.counts.rejections[.oversizedData] == 1)
  }

  @Test func `times at the ends of their range do not trap`() throws {
    var decoder = HCIEventDecoder()
    var collector = ReportCollector()
    for time in [Int64.min, .max, 0, .min] {
      try decoder.decode(fragment(1, [1]).span, time: time, into: &collector)
    }
    #expect(collector.reports.count == 3)
  }
}
