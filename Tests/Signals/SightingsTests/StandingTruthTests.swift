import Sightings
import TestSupport
import Testing

@Suite struct StandingTruthTests {
  private func point(
    _ time: Int64, _ x: Double, node: UInt32 = 0, trace: UInt16 = 0, role: NodeRole = .receiver,
    z: Double = .nan
  ) -> TruthPoint {
    TruthPoint(time: time, role: role, node: node, trace: trace, x: x, y: 0, z: z)
  }

  private func kept(_ points: [TruthPoint]) -> [TruthPoint] {
    var builder = TraceBuilder(into: BlockCollector())
    for point in points { builder.append(point) }
    return builder.catalogue.truth
  }

  @Test func `a standing node is two points`() {
    let points = kept((0..<100).map { point($0, 1) } + (100..<200).map { point($0, 2) })
    #expect(points.map(\.time) == [0, 99, 100, 199])
    #expect(points.map(\.x) == [1, 1, 2, 2])
  }

  @Test func `a moving node keeps every point`() {
    let points = (0..<50).map { point(Int64($0), Double($0)) }
    #expect(kept(points).map(\.time) == points.map(\.time))
  }

  @Test func `another node trace role or height is another place`() {
    let base = [point(0, 1), point(1, 1)]
    for other in [
      point(2, 1, node: 1), point(2, 1, trace: 1), point(2, 1, role: .beacon), point(2, 1, z: 0),
    ] {
      #expect(kept(base + [other]).count == 3)
    }
    #expect(kept(base + [point(2, 1)]).count == 2)
  }

  /// Readings that were recorded out of order must not shorten the stay.
  @Test func `the stay lasts from its first to its last instant`() {
    #expect(kept([5, 7, 9, 6, 8].map { point($0, 1) }).map(\.time) == [5, 9])
    #expect(kept([5, 7, 3, 6].map { point($0, 1) }).map(\.time) == [3, 7])
  }
}
