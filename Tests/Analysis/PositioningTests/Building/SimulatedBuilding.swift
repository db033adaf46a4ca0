import Foundation
import Geometry
import TestSupport

@testable import Positioning

/// Two floors of 40 × 24 m with beacons on both, whose places the survey does not know, and people who
/// walk through them.
struct SimulatedBuilding {
  static let floors = 2
  let building: Building
  private let beacons: [(floor: Int, place: Point)]
  private var generator: SeededGenerator

  /// Windows of 2 s of one walk, with the truth in their middles.
  struct Walk {
    var scans: [Scan] = []
    var truth: [(floor: Int, place: Point)] = []
    var survey: [SurveyPoint] = []
  }

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    beacons = (0..<24).map {
      (
        $0 % Self.floors,
        Point(x: .random(in: 0...40, using: &generator), y: .random(in: 0...24, using: &generator))
      )
    }
    self.generator = generator
    building = Building(floors: (0..<Self.floors).map { .init(name: "F\($0 + 1)") })
  }

  var anchors: Int { beacons.count }

  /// Returns the mean level of a beacon at a place, in dBm: path loss, 15 dB for a slab, and
  /// shadowing that is fixed for squares of 3 m.
  private func level(_ beacon: Int, _ floor: Int, _ place: Point) -> Double {
    let (own, there) = beacons[beacon]
    let distance = max(place.distance(to: there), 1)
    let square = UInt64(
      bitPattern: Int64(
        floor * 10_007 + Int((place.x / 3).rounded(.down)) * 101 + Int((place.y / 3).rounded(.down))
      ))
    var field = SeededGenerator(seed: square &* 977 &+ UInt64(beacon))
    return -60 - 25 * log10(distance) - (own == floor ? 0 : 15) + 3 * field.gaussian()
  }

  /// Returns a walk on one floor, from place to place.
  ///
  /// - Parameter number: The number of its recording.
  mutating func walk(on floor: Int, windows: Int, number: Int) -> Walk {
    var walk = Walk()
    var here = Point(
      x: .random(in: 1...39, using: &generator), y: .random(in: 1...23, using: &generator))
    var goal = here
    for window in 0..<windows {
      let start = Int64(window) * 2_000_000_000
      var readings: [PathReading] = []
      let from = here
      for part in 0..<4 {
        if here.distance(to: goal) < 0.6 {
          goal = Point(
            x: .random(in: 1...39, using: &generator), y: .random(in: 1...23, using: &generator))
        }
        let share = 0.55 / max(here.distance(to: goal), 0.55)
        here.x += share * (goal.x - here.x)
        here.y += share * (goal.y - here.y)
        for beacon in beacons.indices {
          let rssi = level(beacon, floor, here) + 3 * generator.gaussian()
          guard .random(in: 0...1, using: &generator) < 0.4 / (1 + exp((-88 - rssi) / 2)) else {
            continue
          }
          readings.append(
            PathReading(
              Reading(time: start + Int64(part + 1) * 450_000_000, anchor: beacon, rssi: rssi),
              at: here, way: 0))
        }
      }
      let middle = Point(x: (from.x + here.x) / 2, y: (from.y + here.y) / 2)
      let means = readings.map {
        BuildingMap.Received(anchor: $0.reading.anchor, rssi: $0.reading.rssi, packets: 1)
      }.joined
      walk.scans.append(
        Scan(
          instant: start + 2_000_000_000, asked: start + 1_000_000_000, start: start,
          observations: means.map {
            Observation(.unknown, number: $0.anchor, rssi: $0.rssi, packets: Int($0.packets))
          }, readings: readings.map(\.reading)))
      walk.truth.append((floor, middle))
      var point = SurveyPoint(
        place: middle,
        levels: means.map {
          Reading(time: start, anchor: $0.anchor, rssi: $0.rssi, packets: Int($0.packets))
        }, trace: number,
        stretch: Stretch(
          centre: middle, reach: Point(x: (here.x - from.x) / 2, y: (here.y - from.y) / 2)))
      point.readings = readings
      (point.floor, point.seconds) = (floor, 2)
      walk.survey.append(point)
    }
    return walk
  }

  /// Returns walks on both floors in turn.
  mutating func walks(_ count: Int, windows: Int) -> [Walk] {
    (0..<count).map { walk(on: $0 % Self.floors, windows: windows, number: $0) }
  }
}
