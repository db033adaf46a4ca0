import Evaluation
import Testing

struct LeaderboardTests {
  let entries = [
    (name: "silent", traces: [record([nil, nil]), record([nil])]),
    (name: "worse", traces: [record([3, 4]), record([5])]),
    (name: "better", traces: [record([1, nil]), record([2])]),
    (name: "as-good", traces: [record([1, nil]), record([2])]),
  ]

  @Test("ranks by the median error, and last what never answered")
  func order() {
    let board = Leaderboard(entries)
    #expect(board.scores.map(\.name) == ["as-good", "better", "worse", "silent"])
    #expect(board == Leaderboard(entries.reversed()))
    #expect(Leaderboard([]).scores.isEmpty)
  }

  @Test("compares the best with each of the others")
  func comparisons() {
    let board = Leaderboard(entries)
    #expect(board.comparisons.map(\.first) == ["as-good", "as-good", "as-good"])
    #expect(board.comparisons.map(\.second) == ["better", "worse", "silent"])
    #expect(board.comparisons.map(\.commonEpochs) == [2, 2, 0])
    #expect(board.comparisons[1].medianDifference == -2.5)
  }
}
