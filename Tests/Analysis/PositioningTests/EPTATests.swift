import Geometry
import Positioning
import TestSupport
import Testing

struct EPTATests {
  @Test(.needs(data: "reference-algorithms"), arguments: ReferenceGeometry.general)
  func `agrees with the published behaviour where it answers`(file: String) throws {
    var answered = 0
    for geometry in try ReferenceGeometry.read(file) {
      let c = geometry.circles
      guard let expected = geometry.answers["epta_outcount_and_pairs_fixed"] else {
        #expect(throws: Refusal.noCommonPoint, "\(geometry.name)") {
          try EPTA.innerCentroid(c[0], c[1], c[2])
        }
        continue
      }
      let answer = try EPTA.innerCentroid(c[0], c[1], c[2])
      #expect(isClose(answer, expected, within: 1e-9), "\(geometry.name)")
      answered += 1
    }
    #expect(answered > 150)
  }

  @Test func `finds a target well inside the triangle from exact ranges`() throws {
    var generator = SeededGenerator(seed: 5)
    let corners = [Point(x: 0, y: 0), Point(x: 20, y: 0), Point(x: 8, y: 18)]
    for _ in 0..<500 {
      // Barycentric weights above a tenth.
      let w = (0..<3).map { _ in Double.random(in: 0.2..<1, using: &generator) }
      let total = w.reduce(0, +)
      let truth = Point(
        x: zip(w, corners).map { $0 * $1.x }.reduce(0, +) / total,
        y: zip(w, corners).map { $0 * $1.y }.reduce(0, +) / total)
      let c = corners.map { Circle(centre: $0, radius: $0.distance(to: truth)) }
      #expect(isClose(try EPTA.innerCentroid(c[0], c[1], c[2]), truth, within: 1e-9))
    }
  }

  @Test func `inflates circles that do not all meet until they do`() throws {
    // A touching pair, and a third circle short of them by some inflations: symmetric about x = 5.
    let p = try EPTA.innerCentroid(
      Circle(centre: Point(x: 0, y: 0), radius: 5.1),
      Circle(centre: Point(x: 10, y: 0), radius: 5.1),
      Circle(centre: Point(x: 5, y: 9), radius: 5.1))
    #expect(isClose(p.x, 5, absolute: 1e-9))
    #expect(p.y > 0 && p.y < 9)
  }

  @Test func `gives up on a site no larger than its tolerance`() {
    let c = [Point(x: 0, y: 0), Point(x: 1e-4, y: 0), Point(x: 0, y: 1e-4)].map {
      Circle(centre: $0, radius: 7e-5)
    }
    #expect(throws: Refusal.notConverged) { try EPTA.innerCentroid(c[0], c[1], c[2]) }
  }
}
