import Evaluation
import Testing

struct CompetitionNamesTests {
  @Test func `the score of EvAAL 2013 falls from 10 at half a metre to 0 at four`() {
    let scores = [0.2, 0.5, 1, 2, 3, 4, 9].map { EvAAL(thirdQuartile: $0).score2013 }
    #expect(scores == [10, 10, 8, 4, 2, 0, 0])
    #expect(EvAAL(thirdQuartile: nil).score2013 == nil)
    let score = Score(answers("a", [[1, 2, 3, 4, 5]]), traces: questions([5]))
    #expect(EvAAL(score).thirdQuartile == 4)
  }

  @Test func `the standard's names stand beside ours`() throws {
    let score = Score(answers("a", [[1, 2, 3, 4, 5], [nil]]), traces: questions([5, 1]))
    let figures = ISO18305(score).figures
    func value(_ name: String) throws -> Double? {
      try #require(figures.first { $0.name == name }).value
    }
    #expect(Set(figures.map(\.name)).count == figures.count)
    #expect(try value("CEP") == 3 && value("mean of horizontal error") == 3)
    #expect(try value("absolute mean of the horizontal error vector") == 3)
    #expect(try value("availability") == 5.0 / 6 && value("variance of horizontal error") == 2)
    #expect(try value("VE95") == nil && value("zone detection probability") == nil)
  }
}
