import Evaluation
import Foundation
import Geometry
import NumericalMethods
import Positioning
import TestSupport
import Testing

/// The whole way from recorded sightings to a leaderboard, on recordings that others made and
/// scored.
struct RecordedWalksTests {
  private static func rows(_ url: URL) throws -> [[String]] {
    try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst().map
    {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private static func nanoseconds(_ seconds: String) throws -> Int64 {
    let parts = seconds.split(separator: ".")
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    let padded = fraction.padding(toLength: 9, withPad: "0", startingAt: 0)
    let digits: String = parts[0] + padded
    return try #require(Int64(digits, radix: 10))
  }

  /// Algorithms without memory or survey.
  private static let names = [
    "weighted-centroid", "linear-least-squares", "power-center", "epta", "maximum-likelihood",
  ]

  /// Runs some algorithms over a recording's traces with one path-loss curve for all links.
  ///
  /// - Parameter byPlace: puts all visits of a place together, where times are only an order.
  private static func leaderboard(
    _ folder: URL, traces chosen: (String) -> Bool = { _ in true }, byPlace: Bool = false,
    measuredPower: Double, exponent: Double,
    truth: TruthInstant = .epoch, schedule: (TruthPath) -> EpochSchedule
  ) throws -> Leaderboard {
    let anchors = try rows(folder.appending(path: "nodes.csv")).filter { $0[1] == "beacon" }
    let places = anchors.map { Point(x: Double($0[2])!, y: Double($0[3])!) }
    let numbers = Dictionary(
      uniqueKeysWithValues: anchors.map { $0[0] }.enumerated().map { ($1, $0) })
    let sightings = Dictionary(
      grouping: try rows(folder.appending(path: "rssi.csv")), by: { $0[0] })
    let truths = Dictionary(grouping: try rows(folder.appending(path: "truth.csv")), by: { $0[0] })
    let algorithms = try names.map { try Algorithms.named($0) }
    var records = algorithms.map { AlgorithmAnswers(name: $0.name, outcomes: []) }
    var evaluated: [EvaluatedTrace] = []
    for (trace, marks) in truths.sorted(by: { $0.key < $1.key }) where chosen(trace) {
      var moved: [Int64: Int64] = [:]
      var path = TruthPath(
        try marks.map {
          .init(time: try nanoseconds($0[1]), position: Point(x: Double($0[3])!, y: Double($0[4])!))
        })
      if byPlace {
        let sorted = path.marks.sorted {
          ($0.position.x, $0.position.y, $0.time) < ($1.position.x, $1.position.y, $1.time)
        }
        // A scan a second.
        let second: Int64 = 1_000_000_000
        for (order, mark) in sorted.enumerated() { moved[mark.time] = Int64(order) * second }
        path = TruthPath(
          sorted.enumerated().map { .init(time: Int64($0) * second, position: $1.position) })
      }
      let schedule = schedule(path)
      var builder = EpochBuilder(schedule)
      for row in sightings[trace] ?? [] {
        guard let anchor = numbers[row[3]] else { continue }
        let time = try nanoseconds(row[1])
        builder.add(
          time: moved[time] ?? time, anchor: anchor, level: Double(row[4])!, raw: .nan)
      }
      evaluated.append(
        EvaluatedTrace(
          name: trace,
          questions: try schedule.numbers.map { number in
            let place = path.position(at: schedule.asked(number, truth: truth))
            let instant = schedule.instant(number)
            return Question(instant: instant, asked: instant, truth: try #require(place))
          }))
      for (index, algorithm) in algorithms.enumerated() {
        records[index].outcomes.append(
          builder.epochs.map { epoch in
            algorithm.locate(
              epoch.levels.map {
                Observation(
                  anchor: places[$0.anchor], rssi: $0.rssi, measuredPower: measuredPower,
                  exponent: exponent, sigma: 5)
              })
          })
      }
    }
    var settings = LeaderboardSettings()
    settings.bootstrap.resamples = 1000
    return Leaderboard(traces: evaluated, answers: records, settings: settings)
  }

  /// Median, mean, RMS, p75 and p95, as the reference answers beside the recordings list them.
  private func figures(_ name: String, _ board: Leaderboard) throws -> [Double] {
    let score = try #require(board.scores.first { $0.name == name })
    let e = try #require(score.statistics.errors)
    return [e.median, e.mean, e.rms, e.p75, e.p95]
  }

  private func expect(_ name: String, _ board: Leaderboard, _ reference: [Double]) throws {
    for (mine, theirs) in zip(try figures(name, board), reference) {
      // The references have two decimals, and their constants three.
      #expect(isClose(mine, theirs, absolute: 0.01), "\(name): \(mine) for \(theirs)")
    }
  }

  @Test(.needs(data: "flat-walks"))
  func `ten walks through a flat give the figures of an independent evaluation`() throws {
    let board = try Self.leaderboard(
      try #require(sharedData("flat-walks")), measuredPower: -66.765, exponent: 1.459,
      truth: .windowMiddle,
      schedule: { .walk($0.span!, step: 2_000_000_000, window: 2_000_000_000) })
    try expect("maximum-likelihood", board, [1.17, 1.36, 1.68, 1.64, 3.12])
    try expect("weighted-centroid", board, [1.11, 1.34, 1.56, 1.89, 2.68])
    for score in board.scores {
      let refused = score.refusals.values.reduce(0, +)
      #expect(score.statistics.asked == score.statistics.answered + refused)
      let median = try #require(score.statistics.errors?.median)
      let interval = try #require(score.intervals.median.interval)
      #expect(interval.lower <= median && median <= interval.upper)
    }
    // The two best are not told apart by ten walks; the linear solution is worse beyond doubt.
    let best = try #require(board.comparisons.first { $0.second == "maximum-likelihood" })
    let interval = try #require(best.interval.interval)
    #expect(interval.lower < 0 && interval.upper > 0)
    let linear = try #require(board.comparisons.first { $0.second == "linear-least-squares" })
    #expect(try #require(linear.interval.interval).upper < -1)
  }

  @Test(.needs(data: "office-scans"))
  func `34 points of an office give the figures of an independent evaluation`() throws {
    let board = try Self.leaderboard(
      try #require(sharedData("office-scans")), traces: { $0.hasSuffix("power-1") }, byPlace: true,
      measuredPower: -52.477, exponent: 1.988,
      schedule: { .stops($0.stays.map { $0.start...$0.end }) })
    #expect(board.scores.allSatisfy { $0.statistics.asked == 34 })
    try expect("maximum-likelihood", board, [1.22, 1.32, 1.47, 1.69, 2.43])
    try expect("weighted-centroid", board, [1.22, 1.46, 1.70, 1.94, 2.86])
    #expect(board.scores[0].intervals.median == .unavailable(.tooFewTraces(1, needed: 5)))
  }
}
