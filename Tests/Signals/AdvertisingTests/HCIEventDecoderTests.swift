import Advertising
import Testing

@Suite struct HCIEventDecoderTests {
  @Test(
    arguments: [[0x0E, 4, 1, 3, 12, 0], [0x3E, 1, 1], [0x3E, 2, 0x0A, 0], [0x0E]] as [[UInt8]])
  func `other events are counted`(event: [UInt8]) throws {
    let counts = try decode([event]).counts
    #expect(counts.otherEvents.total == 1)
    #expect(counts.packetsWithReports == 0)
    #expect(counts.rejections.total == 0)
  }

  /// Every event type, cut at every length: only reports before the cut come out, and one
  /// rejection.
  @Test(arguments: [0x02, 0x0D] as [UInt8])
  func `every truncation`(subevent: UInt8) throws {
    let reports: [[UInt8]] =
      subevent == 2
      ? [legacyReport(last: 1), legacyReport(last: 2, data: []), legacyReport(last: 3)]
      : [extendedReport(last: 1), extendedReport(last: 2, data: []), extendedReport(last: 3)]
    let event = subevent == 2 ? legacyEvent(reports) : extendedEvent(reports)
    let ends = [4 + reports[0].count, 4 + reports[0].count + reports[1].count]
    for length in 0..<event.count {
      let result = try decode([Array(event.prefix(length))])
      #expect(result.collector.reports.count == ends.filter { $0 <= length }.count)
      #expect(result.counts.rejections.total == 1)
      #expect(result.counts.rejections[length < 4 ? .truncatedEvent : .truncatedReport] == 1)
    }
    #expect(try decode([event]).collector.reports.count == 3)
  }

  /// A wrong boundary would give a plausible but wrong RSSI, so nothing of such an event is
  /// believed.
  @Test func `contradicting lengths refuse the whole event`() throws {
    let event = legacyEvent([legacyReport(), legacyReport()])
    var longerHeader = event
    longerHeader[1] += 1
    var shorterHeader = event
    shorterHeader[1] -= 1
    var shorterData = event
    shorterData[12] -= 1
    var longerData = event
    longerData[12] += 100
    var fewerReports = event
    fewerReports[3] = 1
    var moreReports = event
    moreReports[3] = 3
    for damaged in [
      longerHeader, shorterHeader, shorterData, longerData, fewerReports, moreReports, event + [0],
    ] {
      let result = try decode([damaged])
      #expect(result.collector.reports.isEmpty)
      #expect(result.counts.rejections[.badLength] == 1)
    }
  }

  @Test(arguments: [[0x3E, 2, 0x02, 0], [0x3E, 2, 0x0D, 0]] as [[UInt8]])
  func `an event without reports`(event: [UInt8]) throws {
    #expect(try decode([event]).counts.rejections[.noReports] == 1)
  }

  @Test func `an error of the sink stops the decoding`() {
    struct Full: Error {}
    struct FullSink: ReportSink {
      mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
        throw Full()
      }
    }
    var sink = FullSink()
    var decoder = HCIEventDecoder()
    #expect(throws: Full.self) {
      try decoder.decode(legacyEvent([legacyReport()]).span, time: 0, into: &sink)
    }
  }
}
