import Geometry
import Testing

struct StayTests {
  private func path(_ rows: [(Int64, Double)], z: [Double?]? = nil) -> TruthPath {
    TruthPath(
      rows.enumerated().map { index, row in
        .init(time: row.0, position: Point(x: row.1, y: 0), z: z?[index])
      })
  }

  @Test("is a maximal run of equal coordinates")
  func runs() {
    let stays = path([(0, 1), (5, 1), (9, 1), (12, 2), (15, 3), (20, 3), (30, 1), (40, 1)]).stays
    #expect(
      stays == [
        Stay(start: 0, end: 9, position: Point(x: 1, y: 0)),
        Stay(start: 15, end: 20, position: Point(x: 3, y: 0)),
        Stay(start: 30, end: 40, position: Point(x: 1, y: 0)),
      ])
  }

  @Test("is not a point that is only passed, nor no time at all")
  func passing() {
    #expect(path([(0, 1), (5, 2), (9, 3)]).stays.isEmpty)
    #expect(path([(4, 1), (4, 1), (9, 3)]).stays.isEmpty)
    #expect(path([(4, 1)]).stays.isEmpty)
    #expect(TruthPath([]).stays.isEmpty)
  }

  @Test("ends where the height changes")
  func heights() {
    let stays = path([(0, 1), (5, 1), (6, 1), (9, 1)], z: [1, 1, 2, 2]).stays
    #expect(stays.map(\.start) == [0, 6])
    #expect(stays.map(\.end) == [5, 9])
  }
}
