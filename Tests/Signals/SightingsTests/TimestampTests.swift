import Foundation
import Sightings
import TestSupport
import Testing

@Suite struct TimestampTests {
  /// Random times of 1678 to 2262, whole seconds, microseconds and nanoseconds, and the ends.
  private static let times: [Int64] = {
    var generator = SeededGenerator(seed: 1)
    let end = Timestamp.limit * Timestamp.second
    var times: [Int64] = [0, 1, -1, 999, -1_000, 1_000_000_000, -1_000_000_000, end, -end]
    for unit in [1, 1_000, 1_000_000_000] as [Int64] {
      for _ in 0..<300 {
        times.append(Int64.random(in: -end / unit...end / unit, using: &generator) * unit)
      }
    }
    return times
  }()

  @Test func `written times read back`() {
    for time in Self.times {
      #expect(Timestamp.parse(iso8601: Timestamp.iso8601(time)) == time)
    }
  }

  @Test func `agrees with pythons calendar`() throws {
    let directory = try TemporaryDirectory()
    let lines = Self.times.map { "\($0) \(Timestamp.iso8601($0)) \(Timestamp.decimalSeconds($0))" }
    let path = try directory.write(lines.joined(separator: "\n"), to: "times")
    let result = try runPython(
      """
      import sys
      from datetime import datetime, timedelta
      from decimal import Decimal
      for line in open(sys.argv[1]):
          time, text, seconds = line.split()
          time = int(time)
          date = datetime(1970, 1, 1) + timedelta(seconds=time // 10**9)
          rest = time % 10**9
          digits = '' if rest == 0 else f'.{rest // 1000:06d}' if rest % 1000 == 0 else f'.{rest:09d}'
          assert text == date.isoformat() + digits + 'Z', (time, text)
          assert Decimal(seconds) * 10**9 == time, (time, seconds)
          assert len(seconds.split('.')[1]) in (6, 9), seconds
          print('agreed')
      """, [path])
    #expect(result.error.isEmpty)
    #expect(result.output.split(separator: "\n").count == lines.count)
  }

  /// The earliest and the latest number of nanoseconds there is, beyond what `parse` takes.
  @Test func `the ends of the numbers are written`() {
    #expect(Timestamp.iso8601(.min) == "1677-09-21T00:12:43.145224192Z")
    #expect(Timestamp.iso8601(.max) == "2262-04-11T23:47:16.854775807Z")
    #expect(Timestamp.decimalSeconds(.min) == "-9223372036.854775808")
    #expect(Timestamp.decimalSeconds(.max) == "9223372036.854775807")
  }

  @Test(arguments: [
    "", "2021-05-10", "2021-05-10T12:00:00", "2021-05-10 12:00:00Z", "2021-13-10T12:00:00Z",
    "2021-00-10T12:00:00Z", "2021-02-29T12:00:00Z", "2021-04-31T12:00:00Z", "2021-05-00T12:00:00Z",
    "2021-05-10T24:00:00Z", "2021-05-10T12:60:00Z", "2021-05-10T12:00:60Z", "2021-05-10T12:00:00.Z",
    "2021-05-10T12:00:00.1234567890Z", "2021-05-10T12:00:00,5Z", "2021-05-10T12:00:00+00:00Z",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "２021-05-10T12:00Z", "2021-05-10T1a:00:00Z",
  ])
  func `refuses anything else`(text: String) {
    #expect(Timestamp.parse(iso8601: text) == nil)
  }

  @Test func `a leap day is a day`() {
    #expect(Timestamp.parse(iso8601: "2000-02-29T00:00:00Z") == 951_782_400_000_000_000)
    #expect(Timestamp.parse(iso8601: "1900-02-29T00:00:00Z") == nil)
  }

  @Test func `a part lives between its second and the next`() {
    for time in Self.times {
      let (seconds, nanoseconds) = Timestamp.split(time)
      #expect((0..<1_000_000_000).contains(nanoseconds))
      #expect(Timestamp.nanoseconds(seconds, nanoseconds) == time)
    }
  }
}
