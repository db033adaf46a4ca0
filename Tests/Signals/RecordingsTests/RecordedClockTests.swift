import Foundation
import Sightings
import Support
import TestSupport
import Testing

@testable import Recordings

@Suite("Steps of the clock of a recording")
struct RecordedClockTests {
  private let year2024: Double = 1_714_557_600

  /// Packets from a time on, ten each second.
  private func packets(_ start: Double, count: Int = 100, every interval: Double = 0.1) -> [Double]
  {
    (0..<count).map { start + Double($0) * interval }
  }

  /// The seconds by which the clock was set.
  private func steps(
    _ times: [Double], host: Set<Int> = [], isTable: Bool = false, links: [UInt32] = [0]
  ) -> [Double] {
    var clock = RecordedClock(isTable: isTable)
    for (index, time) in times.enumerated() {
      clock.note(
        Int64((time * 1e9).rounded()), isOfHost: host.contains(index),
        link: links[index % links.count])
    }
    return clock.takeSteps().map { (Double($0.after) - Double($0.before)) / 1e9 }
      .map { ($0 * 10).rounded() / 10 }
  }

  @Test func `times that go back`() {
    for back in [1.5, 60, 3600, 54 * 31_556_952.0] {
      let times = packets(year2024) + packets(year2024 + 10 - back)
      #expect(steps(times).map { abs($0 + back - 0.1) < 0.2 } == [true])
    }
    // Less than what packets may be out of order by.
    #expect(steps(packets(year2024) + packets(year2024 + 9.5)).isEmpty)
  }

  @Test func `a clock that was not set goes forward to a time of Bluetooth LE`() {
    #expect(steps(packets(10) + packets(year2024)).count == 1)
    // 1 January 2000, as clocks begin that have no battery; even if little was recorded before.
    #expect(steps(packets(946_684_800, count: 2) + packets(year2024, count: 1)).count == 1)
    #expect(steps(packets(0) + packets(50_000)).isEmpty == false)
    #expect(steps(packets(0) + packets(20, count: 5)).isEmpty)
  }

  @Test func `a pause is not a step, unless packets go on at their rate for a thousandth of it`() {
    // An hour or less is a pause.
    #expect(steps(packets(year2024) + packets(year2024 + 3000)).isEmpty)
    #expect(steps(packets(year2024) + packets(year2024 + 7200)) == [7190.1])
    // The host began something: scanning had been off.
    #expect(steps(packets(year2024) + packets(year2024 + 7200), host: [100]).isEmpty)
    // Too few packets, or too seldom.
    #expect(steps(packets(year2024, count: 20) + packets(year2024 + 7200)).isEmpty)
    #expect(
      steps(packets(year2024, every: 30) + packets(year2024 + 10_800, every: 30)).isEmpty)
  }

  @Test func `packets out of order are not steps`() {
    let times = (0..<2000).map { year2024 + Double($0 * 7919 % 2000) }
    #expect(steps(times).isEmpty)
  }

  @Test func `a table that is sorted by beacon has no steps, one in order of time has`() {
    let sorted = packets(year2024) + packets(year2024) + packets(year2024)
    let links = (0..<300).map { UInt32($0 / 100) }
    #expect(steps(sorted, isTable: true, links: links).isEmpty)
    let back = packets(year2024) + packets(year2024 - 3600)
    #expect(steps(back, isTable: true).count == 1)
    #expect(steps(back, isTable: true, links: [1, 2, 3]).count == 1)
    // Tables have pauses.
    #expect(steps(packets(year2024) + packets(year2024 + 90_000), isTable: true).isEmpty)
    #expect(steps(packets(10) + packets(year2024), isTable: true).count == 1)
  }

  @Test func `a step in a table is a gap of its receiver`() throws {
    var text = "time_s,receiver,beacon,rssi_dbm\n"
    for index in 0..<40 {
      let time = 1_714_557_600 + (index < 20 ? index : index - 3600)
      text += "\(time),r1,b\(index % 2),-60\n\(1_714_557_600 + index),r2,b\(index % 2),-61\n"
    }
    let reading = try readTable(text)
    #expect(
      reading.catalogue.gaps == [
        Gap(
          start: 1_714_554_020 * Timestamp.second, end: 1_714_554_020 * Timestamp.second,
          receiver: 0,
          reason: .clockStep, dropped: 0)
      ])
  }

  @Test func `a step in a recording is a loss, and told with its size`() throws {
    let directory = try TemporaryDirectory()
    var file = BTSnoopBytes(datalink: 1002)
    for index in 0..<60 as Range<Int64> {
      let time = 1_714_557_600 + (index < 30 ? index : index - 5400)
      file.append([4] + advertisement(rssi: -40), microseconds: time * 1_000_000)
    }
    var reader = try BTSnoopReader(path: directory.write(file.bytes, to: "set"))
    var sink = ReportCollector()
    try reader.decode(into: &sink)
    #expect(sink.losses.map(\.reason) == [.clockStep])
    #expect(sink.losses.map(\.start) == [1_714_552_230 * Timestamp.second])
    let told = reader.account.sentences(of: "set")
    #expect(
      told == [
        "warning: set: its times go back by 1 h 30 min at 2024-05-01T08:30:30Z: the clock was set "
          + "meanwhile (a gap clock-step)"
      ])
  }
}
