import Geometry
import Testing

struct StayTests {
  private func path(_ rows: [(Int64, Double)], z: [Double?]? = nil) -> TruthPath {
    TruthPath(
      rows.enumerated().map { index, row in
        .init(time: row.0 * 1_000_000_000, position: Point(x: row.1, y: 0), z: z?[index])
      })
  }

  private func stay(_ start: Int64, _ end: Int64, at x: Double) -> Stay {
    Stay(start: start * 1_000_000_000, end: end * 1_000_000_000, position: Point(x: x, y: 0))
  }

  @Test func `is a maximal run of equal coordinates`() {
    let stays = path([(0, 1), (5, 1), (9, 1), (12, 2), (15, 3), (20, 3), (30, 1), (40, 1)]).stays
    #expect(
      stays == [
        stay(0, 9, at: 1),
        stay(15, 20, at: 3),
        stay(30, 40, at: 1),
      ])
  }

  @Test func `is not a point that is only passed, nor no time at all`() {
    #expect(path([(0, 1), (5, 2), (9, 3)]).stays.isEmpty)
    #expect(path([(4, 1), (4, 1), (9, 3)]).stays.isEmpty)
    #expect(path([(4, 1)]).stays.isEmpty)
    #expect(TruthPath([]).stays.isEmpty)
  }

  @Test func `ends where the height changes`() {
    let stays = path([(0, 1), (5, 1), (6, 1), (11, 1)], z: [1, 1, 2, 2]).stays
    #expect(stays == [stay(0, 5, at: 1), stay(6, 11, at: 1)])
  }

  @Test func `is no halt of less than 5 s`() {
    let halting = path([(0, 1), (4, 1), (5, 2), (9, 2), (10, 3), (15, 3), (20, 4)])
    #expect(halting.stays == [stay(10, 15, at: 3)])
    #expect(
      [2, 7, 10, 12, 15, 17].map { halting.isStanding(at: $0 * 1_000_000_000) }
        == [false, false, true, true, true, false])
    // The later of two rows of one time holds.
    let leaping = path([(0, 1), (5, 1), (5, 2), (10, 2)])
    #expect(
      [4, 5, 9, 10].map { leaping.isStanding(at: $0 * 1_000_000_000) } == [true, true, true, true])
    #expect(!path([(0, 1), (5, 1), (5, 2), (6, 3)]).isStanding(at: 5_000_000_000))
  }
}
