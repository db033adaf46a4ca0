import Geometry
import TestSupport
import Testing

@testable import Positioning

struct SignalSpaceTests {
  /// Points at which some of six anchors were heard.
  private static func survey(_ count: Int, using generator: inout SeededGenerator) -> [SurveyPoint]
  {
    (0..<count).map { index in
      let levels = (0..<6).compactMap { anchor -> Reading? in
        let level = Double.random(in: -90 ... -50, using: &generator)
        return Bool.random(using: &generator) || anchor == index % 6
          ? Reading(time: 0, anchor: anchor, rssi: level) : nil
      }
      return SurveyPoint(place: Point(x: Double(index), y: 0), levels: levels)
    }
  }

  private static func observations(_ point: SurveyPoint) -> [Observation] {
    point.levels.map {
      Observation(
        anchor: Point(x: 0, y: 0), rssi: $0.rssi, measuredPower: -59, exponent: 2, sigma: 4,
        number: $0.anchor)
    }
  }

  @Test func `distances are those of normal errors with one in common`() throws {
    var generator = SeededGenerator(seed: 4)
    let survey = Self.survey(40, using: &generator)
    let asked = Self.survey(1, using: &generator)[0]
    let space = try #require(SignalSpace(survey, ownShare: 2.5))
    let row = try #require(space.row(Self.observations(asked)))
    let floor = (survey.flatMap(\.levels).map(\.rssi).min() ?? 0) - 1
    let rows = survey.indices.map { point in
      let other = space.row(of: point)
      return [floor] + zip(row, other).flatMap { [$0, $1] }
    }
    // Unit variance of each, and 1 / 2.5 common to those that were heard on both sides.
    let script = """
      for row in rows:
          floor, a, b = row[0], row[1::2], row[2::2]
          r, heard = a - b, ((a > floor) & (b > floor)).astype(float)
          covariance = np.eye(len(r)) + np.outer(heard, heard) / 2.5
          answer(np.sqrt(r @ np.linalg.solve(covariance, r)))
      """
    let theirs = try reference(script, rows).map { $0[0] }
    let nearest = space.nearest(40, to: row)
    #expect(nearest.count == 40)
    for neighbour in nearest {
      #expect(isClose(neighbour.distance, theirs[neighbour.point], absolute: 1e-9))
    }
    #expect(nearest.map(\.distance) == nearest.map(\.distance).sorted())
  }

  @Test func `a device that is 9 dB off is found with an offset, and not without`() throws {
    var generator = SeededGenerator(seed: 6)
    var site = Surroundings()
    site.survey = (0..<30).map { index in
      SurveyPoint(
        place: Point(x: Double(index), y: 0),
        levels: (0..<6).map {
          Reading(time: 0, anchor: $0, rssi: .random(in: -70 ... -60, using: &generator))
        })
    }
    var found = (with: 0, without: 0)
    for point in site.survey {
      var shifted = point
      for index in shifted.levels.indices { shifted.levels[index].rssi += 9 }
      let heard = Self.observations(shifted)
      let place = Fingerprint(neighbours: 1, offset: 20).locate(heard, in: site).position
      if place == point.place { found.with += 1 }
      if Fingerprint(neighbours: 1, offset: 0).locate(heard, in: site).position == point.place {
        found.without += 1
      }
    }
    #expect(found.with > 25 && found.without < 20, "\(found)")
  }
}
