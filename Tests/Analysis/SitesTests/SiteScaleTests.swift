import Geometry
import Sites
import Testing

@Suite("A site in centimetres is told from a large one")
struct SiteScaleTests {
  private func place(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }

  private func rectangle(_ width: Double, _ depth: Double, at x: Double = 0, _ y: Double = 0)
    -> [Point]
  {
    [place(x, y), place(x + width, y), place(x + width, y + depth), place(x, y + depth)]
  }

  private func site(rooms: [[Point]], walls: [[Point]] = []) -> Site {
    var site = Site()
    site.rooms = rooms.enumerated().map { Site.Room(name: "\($0)", polygon: $1) }
    site.walls = walls.map { Site.Wall($0) }
    return site
  }

  /// Anchors on a square grid over a rectangle.
  private func anchors(_ width: Double, _ depth: Double, every spacing: Double) -> [Point] {
    var places: [Point] = []
    for x in stride(from: 0, through: width, by: spacing) {
      for y in stride(from: 0, through: depth, by: spacing) { places.append(place(x, y)) }
    }
    return places
  }

  @Test func `a flat drawn in centimetres, anchors in metres or in centimetres`() {
    let flat = site(
      rooms: [rectangle(1200, 800), rectangle(450, 300)],
      walls: [[place(0, 0), place(450, 0)], [place(0, 0), place(0, 300), place(450, 300)]])
    #expect(flat.extent == 1200)
    #expect(flat.looksLikeCentimetres(anchors: anchors(12, 8, every: 4)))
    #expect(flat.looksLikeCentimetres(anchors: anchors(1200, 800, every: 400)))
    // Without anchors, or with one, nothing can be told.
    #expect(!flat.looksLikeCentimetres(anchors: []))
    #expect(!flat.looksLikeCentimetres(anchors: [place(1, 1)]))
  }

  @Test func `the same flat in metres`() {
    let flat = site(rooms: [rectangle(12, 8)], walls: [[place(0, 0), place(4.5, 0)]])
    #expect(!flat.looksLikeCentimetres(anchors: anchors(12, 8, every: 4)))
  }

  @Test func `large sites: a mall, an exhibition hall, a campus without rooms`() {
    let shops = (0..<40).map { rectangle(12, 20, at: Double($0) * 12, 0) }
    let mall = site(rooms: shops + [rectangle(480, 200)])
    #expect(!mall.looksLikeCentimetres(anchors: anchors(480, 200, every: 15)))
    // Three anchors in one shop at the origin.
    #expect(!mall.looksLikeCentimetres(anchors: anchors(4, 1, every: 2)))
    let hall = site(rooms: [rectangle(300, 150)], walls: [rectangle(300, 150)])
    #expect(!hall.looksLikeCentimetres(anchors: anchors(300, 150, every: 15)))
    #expect(!hall.looksLikeCentimetres(anchors: anchors(300, 150, every: 50)))
    let campus = site(rooms: [], walls: [rectangle(60, 40), rectangle(80, 30, at: 900, 700)])
    #expect(!campus.looksLikeCentimetres(anchors: anchors(1000, 800, every: 200)))
  }
}
