import Evaluation
import NumericalMethods
import RealModule
import Testing

@Suite("Scores of rooms")
struct RoomScoreTests {
  /// Ten answers at intervals of 1 s: six in room 0, then four in room 1.
  private func track(_ announced: [Int?], recording: Int = 0) -> RoomAnswers {
    RoomAnswers(
      recording: recording,
      answers: announced.enumerated().map { number, room in
        RoomAnswers.Answer(
          time: Double(number), truth: number < 6 ? 0 : 1, announced: room,
          probabilities: room == 0 ? [0.75, 0.25] : [0.25, 0.75])
      })
  }

  @Test("times, changes and delays of a short recording are those counted by hand")
  func counted() throws {
    // Room 0 is found after a second; one wrong change and one back; room 1 is found after 2 s.
    let score = RoomScore([track([nil, 0, 0, 1, 0, 0, 0, 0, 1, 1])], rooms: ["a", "b"])
    #expect(score.epochs == 10)
    #expect(abs(score.hours - 10 / 3600.0) < 1e-12)
    #expect(abs(score.right.value - 0.6) < 1e-12)
    #expect(abs(score.falseChanges.value - 2 * 360) < 1e-9)
    #expect(score.stays.all == 2 && score.stays.detected == 2)
    #expect(score.delays.quantile(0) == 1 && score.delays.quantile(1) == 2)
    #expect(score.confusion == [[4, 1, 1], [2, 2, 0]])
    // Six right answers of Brier score 2 × 0.25², four wrong ones of 2 × 0.75².
    #expect(abs(try #require(score.brier).value - (6 * 0.125 + 4 * 1.125) / 10) < 1e-12)
    let logScore = -(6 * Double.log(0.75) + 4 * Double.log(0.25)) / 10
    #expect(abs(try #require(score.logScore) - logScore) < 1e-12)
    #expect(score.claims.map(\.count) == [10, 10])
    #expect(score.claims.map(\.share.value) == [0.4, 0.6])
  }

  @Test("recordings with the same answers have an interval of no width")
  func equalRecordings() throws {
    let tracks = (0..<8).map { track([0, 0, 0, 0, 0, 0, 0, 1, 1, 1], recording: $0) }
    let score = RoomScore(tracks, rooms: ["a", "b"])
    let interval = try #require(score.right.interval.interval)
    #expect(abs(interval.lower - 0.9) < 1e-9 && abs(interval.upper - 0.9) < 1e-9)
  }
}
