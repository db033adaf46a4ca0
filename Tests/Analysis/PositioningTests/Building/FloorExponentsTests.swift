import Geometry
import TestSupport
import Testing

@testable import Positioning

/// A dense building: 24 beacons on two floors of 40 × 24 m.
@Suite("Exponents of a building")
struct FloorExponentsTests {
  private static let site:
    (usual: BuildingMap?, learned: BuildingMap?, walks: [SimulatedBuilding.Walk]) = {
      var building = SimulatedBuilding(seed: 11)
      let survey = building.walks(40, windows: 30).flatMap(\.survey)
      return (
        BuildingMap(building.building, survey: survey, anchors: building.anchors),
        .learned(building.building, survey: survey, anchors: building.anchors),
        building.walks(24, windows: 30)
      )
    }()

  /// Returns the median error on the right floor in metres, and the share of truths in ellipses of
  /// 95 % there.
  private func figures(_ map: BuildingMap) -> (error: Double, held: Double) {
    var (errors, held): ([Double], Int) = ([], 0)
    for walk in Self.site.walks {
      var track = FloorTrack(on: map, lag: 0)
      for (scan, truth) in zip(walk.scans, walk.truth) {
        guard let estimate = track.locate(scan).estimate, estimate.floor == truth.floor,
          let covariance = estimate.uncertainty.covariance
        else { continue }
        let (dx, dy) = (truth.place.x - estimate.position.x, truth.place.y - estimate.position.y)
        errors.append((dx * dx + dy * dy).squareRoot())
        if covariance.squaredScore(dx, dy) < 5.99 { held += 1 }
      }
    }
    return (errors.sorted()[errors.count / 2], Double(held) / Double(errors.count))
  }

  @Test func `among many beacons evidence counts for more, and claims still hold`() throws {
    let (usual, learned) = (try #require(Self.site.usual), try #require(Self.site.learned))
    #expect(learned.exponents.reception > usual.exponents.reception)
    #expect(
      abs(
        learned.exponents.levels / learned.exponents.reception - usual.exponents.levels
          / usual.exponents.reception) < 1e-9)
    let (before, after) = (figures(usual), figures(learned))
    #expect(after.error < 0.95 * before.error, "\(before) \(after)")
    #expect(after.held > 0.92, "\(before) \(after)")
  }

  @Test func `with few recordings, or useless levels, they are the usual ones`() throws {
    var building = SimulatedBuilding(seed: 12)
    let few = building.walks(15, windows: 10).flatMap(\.survey)
    let map = try #require(
      BuildingMap.learned(building.building, survey: few, anchors: building.anchors))
    #expect(map.exponents == FloorExponents())
    let silent = building.walks(20, windows: 10).flatMap(\.survey).map { point in
      var point = point
      (point.levels, point.readings) = ([], [])
      return point
    }
    let empty = try #require(
      BuildingMap.learned(building.building, survey: silent, anchors: building.anchors))
    #expect(empty.exponents.reception == FloorExponents().reception)
  }

  @Test func `they are not learned again`() throws {
    var building = SimulatedBuilding(seed: 12)
    let survey = building.walks(20, windows: 10).flatMap(\.survey)
    var known = FloorExponents()
    (known.filter, known.levels) = (0.123, 4)
    let map = BuildingMap.learned(
      building.building, survey: survey, anchors: building.anchors, exponents: known)
    #expect(map?.exponents == known)
  }
}
