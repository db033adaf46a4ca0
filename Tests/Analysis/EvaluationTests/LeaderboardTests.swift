import Evaluation
import Positioning
import TestSupport
import Testing

struct LeaderboardTests {
  private static let quick = TraceBootstrap(resamples: 200)

  private static func board(
    _ entries: [(String, [[Double?]])], _ change: (inout LeaderboardSettings) -> Void = { _ in }
  ) -> Leaderboard {
    var settings = LeaderboardSettings()
    settings.bootstrap = quick
    change(&settings)
    return Leaderboard(
      traces: questions(entries.first?.1.map(\.count) ?? []),
      answers: entries.map { answers($0.0, $0.1) },
      settings: settings)
  }

  /// Errors of so many traces about a size.
  private static func walks(_ size: Double, _ count: Int, seed: UInt64 = 1) -> [[Double?]] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      (0..<10).map { _ in size + Double.random(in: 0..<0.5, using: &generator) }
    }
  }

  @Test func `ranks by the figure, and last what never answered`() {
    let entries: [(String, [[Double?]])] = [
      ("silent", [[nil, nil, nil], [nil]]), ("worse", [[3, 4, 4], [5]]),
      ("better", [[1, 1, 9], [2]]),
      ("as-good", [[1, 1, 9], [2]]),
    ]
    let board = Self.board(entries)
    #expect(board.scores.map(\.name) == ["as-good", "better", "worse", "silent"])
    #expect(board == Self.board(entries.reversed()))
    #expect(board.comparisons.map(\.first) == ["as-good", "as-good"])
    #expect(board.comparisons.map(\.second) == ["better", "worse"])
    #expect(board.allPairs.count == 3)
    #expect(Self.board(entries) { $0.figure = .p95 }.scores[0].name == "worse")
    #expect(Self.board([]).scores.isEmpty && Self.board([]).verdict.reason == .nothingAnswered)
  }

  @Test func `the best is named where it is better in all of enough traces`() {
    let board = Self.board([
      ("a", Self.walks(1, 10)), ("b", Self.walks(2, 10, seed: 2)),
      ("c", Self.walks(3, 10, seed: 3)),
    ])
    #expect(
      board.verdict.best == ["a"] && board.verdict.winner == "a" && board.verdict.reason == nil)
    // Two comparisons of 2 / 1024 each.
    #expect(board.comparisons.allSatisfy { $0.p == 0x1p-9 && $0.adjusted == 0x1p-8 })
    #expect(board.allPairs.allSatisfy { $0.p == 0x1p-9 && $0.adjusted == 0x3p-9 })
  }

  @Test func `with too few traces, possible winners are named, with the reason`() {
    let alike = Self.board([
      ("a", Self.walks(1, 10)), ("b", Self.walks(1, 10, seed: 2)),
      ("c", Self.walks(3, 10, seed: 3)),
    ])
    #expect(Set(alike.verdict.best) == ["a", "b"] && alike.verdict.reason == .notToldApart)
    #expect(alike.verdict.winner == nil)
    let few = Self.board([
      ("a", Self.walks(1, 6)), ("b", Self.walks(2, 6)), ("c", Self.walks(3, 6)),
    ])
    #expect(few.verdict.best == ["a", "b", "c"])
    #expect(few.verdict.reason == .tooFewTraces(6, needed: 7))
    let alone = Self.board([("a", Self.walks(1, 10))])
    #expect(alone.verdict.best == ["a"] && alone.verdict.reason == .onlyOneAlgorithm)
  }

  @Test
  func `answering only the easy questions wins nothing, and the matched table shows why`() throws {
    // Even questions are hard: 5 m. The picky one refuses them.
    var (thorough, picky, worse) = ([[Double?]](), [[Double?]](), [[Double?]]())
    for trace in 0..<10 {
      let errors = (0..<10).map { (index: Int) -> Double in
        index % 2 == 0 ? 5 : 1 + 0.01 * Double(trace + index)
      }
      thorough.append(errors)
      picky.append(errors.map { $0 == 5 ? nil : $0 + 0.1 })
      worse.append(errors.map { $0 + 1 })
    }
    let board = Self.board([("thorough", thorough), ("picky", picky), ("worse", worse)])
    #expect(board.scores[0].name == "picky")
    #expect(board.verdict.winner == "thorough" && board.verdict.rarelyAnswering == ["picky"])
    let matched = try #require(board.matched)
    #expect(matched.rows.map(\.name) == ["thorough", "picky", "worse"])
    #expect(matched.epochs == 50 && matched.traces == 10 && matched.leftOut.isEmpty)
    let gain = matched.rows[1].errors.mean - matched.rows[0].errors.mean
    #expect(isClose(gain, 0.1, relative: 1e-9))
    #expect(board.baselines.isEmpty)
  }

  @Test func `algorithms that share too few questions are left out of the matched table`() throws {
    var once = Self.walks(1, 5).map { $0.map { _ in Double?.none } }
    once[2][3] = 0.5
    let board = Self.board([
      ("a", Self.walks(1, 5)), ("once", once), ("b", Self.walks(2, 5)),
      ("never", once.map { $0.map { _ in nil } }),
    ])
    let matched = try #require(board.matched)
    #expect(matched.leftOut == ["once"] && matched.rows.map(\.name) == ["a", "b"])
    #expect(Self.board([("a", [[1]])]).matched == nil)
  }

  @Test func `names the algorithms that beat a baseline, whatever its parameters`() throws {
    let name = "weighted-centroid:degree=1"
    let board = Self.board([
      ("better", Self.walks(1, 10)), (name, Self.walks(2, 10)), ("worse", Self.walks(3, 10)),
      ("centroid", Self.walks(0.5, 10)),
    ])
    #expect(board.baselines.map(\.baseline) == ["centroid", name])
    #expect(board.baselines.map(\.beatenBy) == [[], ["centroid", "better"]])
  }

  @Test func `equal algorithms seldom differ significantly`() {
    var generator = SeededGenerator(seed: 6)
    var claims = 0
    for _ in 0..<200 {
      let entries = (0..<5).map { (algorithm: Int) -> (String, [[Double?]]) in
        let errors = (0..<9).map { _ in [Double?.some(Double.random(in: 0..<1, using: &generator))]
        }
        return ("\(algorithm)", errors)
      }
      if Self.board(entries, { $0.bootstrap.resamples = 2 }).verdict.best.count < 5 { claims += 1 }
    }
    // 5 % are allowed for; choosing the leader by the same traces may cost a little more.
    #expect(claims < 24, "\(claims) of 200")
  }
}
