import Geometry
import Testing

@testable import Simulation

struct BeaconLayoutTests {
  @Test(arguments: [0, 3, 12, 15, 20, 29, 32, 36, 40.0])
  func `follows the walls`(_ length: Double) {
    let layout = BeaconLayout(width: 12, depth: 8, offset: 0)
    let corners: [Double: Point] = [
      0: Point(x: 0, y: 0), 3: Point(x: 3, y: 0), 12: Point(x: 12, y: 0), 15: Point(x: 12, y: 3),
      20: Point(x: 12, y: 8), 29: Point(x: 3, y: 8), 32: Point(x: 0, y: 8),
      36: Point(x: 0, y: 4), 40: Point(x: 0, y: 0),
    ]
    #expect(layout.position(along: length) == corners[length])
  }

  /// k ‖k φ‖ is nowhere less than 1 - φ, so N places are (1 - φ) / N of the perimeter apart.
  @Test(arguments: [2, 3, 8, 21, 100])
  func `keeps its distance`(_ count: Int) {
    let layout = BeaconLayout(width: 12, depth: 8, offset: 0.3)
    let places = (0..<count).map { alongWalls(layout.position(of: $0)) }.sorted()
    let gaps = zip(places, places.dropFirst() + [places[0] + 40]).map { $1 - $0 }
    #expect(gaps.min()! >= 40 * (3 - 5.0.squareRoot()) / 2 / Double(count) - 1e-9)
  }

  /// The area of the triangle of three in a row is nowhere near zero, even in a corridor.
  @Test(arguments: [(12.0, 8.0), (40.0, 2.0)])
  func `three in a row are not on a line`(_ width: Double, _ depth: Double) {
    for offset in stride(from: 0, to: 1, by: 0.01) {
      let layout = BeaconLayout(width: width, depth: depth, offset: offset)
      for k in 0..<20 {
        let (a, b, c) = (
          layout.position(of: k), layout.position(of: k + 1), layout.position(of: k + 2)
        )
        let twiceArea = abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y))
        #expect(twiceArea > 0.01 * width * depth)
      }
    }
  }

  /// How far along the walls of a room of 12 m by 8 m a place is, found without the layout.
  private func alongWalls(_ point: Point) -> Double {
    if point.y == 0 { return point.x }
    if point.x == 12 { return 12 + point.y }
    return point.y == 8 ? 32 - point.x : 40 - point.y
  }
}
