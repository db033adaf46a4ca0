import Support
import TestSupport
import Testing

@testable import Recordings

@Suite("Times of tables that are not Unix seconds")
struct TableTimesTests {
  private func times(_ seconds: [Double]) -> TableTimes {
    var times = TableTimes()
    for time in seconds { times.add(Int64((time * 1e9).rounded())) }
    return times
  }

  /// The instant is that of `datetime(2024, 5, 1, 10)` in each program.
  @Test(arguments: [
    ([45_413.416666666664, 45_413.41667824], "- 25569) × 86400, here 2024-05-01T10:00:00Z"),
    ([45_413.416666666664], "2024-05-01T10:00:00Z"),
    ([739_373.4166666666, 739_373.4166782407], "- 719529) × 86400, here 2024-05-01T"),
    ([736_250_400, 736_250_401], "add 978307200, here 2024-05-01T10:00:00Z"),
    ([610_053_216.01, 610_053_217], "seconds since 2001"),
  ])
  func `days and seconds since another year are refused with the conversion`(
    seconds: [Double], words: String
  ) throws {
    let error = #expect(throws: RSSIError.self) { try times(seconds).require("x.csv") }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  /// Ten readings per second for three days, as a spreadsheet has them.
  @Test func `a long spreadsheet is refused`() {
    let times = times((0..<200_000).map { 45_413 + Double($0) / 864_000 * 13 })
    #expect(throws: RSSIError.self) { try times.require("x.csv") }
  }

  @Test(
    arguments: [
      [0, 1, 2, 3], [0], [481.25, 25_906.27], [1_500_000_000, 1_500_002_651],
      [946_684_800, 946_684_900], [40_000, 40_000.1, 40_003.5], [-5, 5], [1_704_067_200],
      [1_000_000_000, 1_000_000_001], [100_000, 100_001], [3.6e3, 9e4],
    ] as [[Double]])
  func `times since a start, of a clock that was never set, and of an ordering are fine`(
    seconds: [Double]
  ) throws { try times(seconds).require("x.csv") }

  @Test(arguments: 1...200)
  func `a recording of any length after an uptime of any length is fine`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let start = Double.random(in: 0...2e5, using: &generator)
    let length = Double.random(in: 2...1e5, using: &generator)
    let rate = Double.random(in: 0.5...200, using: &generator)
    let count = min(20_000, Int(length * rate))
    try times((0..<count + 2).map { start + length * Double($0) / Double(count + 1) })
      .require("x.csv")
  }

  @Test func `other units are named`() {
    for unit in [1.7e12, 1.7e15, 1.7e18, -1.7e12] {
      #expect(TableTimes.problem(unit) == .timeNotInSeconds)
    }
    #expect(TableTimes.problem(nil) == .badTime)
    #expect(TableTimes.problem(1e99) == .badTime)
    #expect(RowProblem.timeNotInSeconds.advice?.contains("1e3") == true)
  }
}
