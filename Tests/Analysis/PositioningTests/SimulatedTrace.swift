import Foundation
import Geometry
import Simulation
import TestSupport

@testable import Positioning

/// A simulated walk as trackers are asked about it.
struct SimulatedTrace {
  var scans: [Scan]
  var truth: [Point]
  var surroundings: Surroundings

  /// The walks of a simulated room, asked about every two seconds.
  ///
  /// - Parameter lag: how long before each instant the time asked about is, in seconds.
  static func walks(
    _ count: Int, seed: UInt64, duration: Double = 24, speed: Double = 1, lag: Double = 0
  ) throws -> [SimulatedTrace] {
    var scenario = Scenario(seed: seed, model: .simple)
    scenario.walks.count = count
    scenario.walks.duration = duration
    scenario.walks.speed = speed
    scenario.reception.advertisingInterval = 0.25
    let room = try SimulatedRoom(scenario)
    let radio = scenario.propagation
    let sigma = [
      radio.measuredPowerDeviation, radio.shadowingDeviation, radio.fadingDeviation,
      radio.noiseDeviation,
    ].reduce(0) { $0 + $1 * $1 }.squareRoot()
    var surroundings = Surroundings()
    surroundings.bounds = Bounds(
      minimum: Point(x: 0, y: 0), maximum: Point(x: scenario.room.width, y: scenario.room.depth))
    surroundings.anchors = room.beacons.map {
      Anchor(
        place: $0.position,
        heightDifference: scenario.room.beaconHeight - scenario.room.receiverHeight,
        measuredPower: radio.measuredPower, exponent: radio.exponent, sigma: sigma)
    }
    var heard = [[Reading]](repeating: [], count: count)
    room.forEachSighting { sighting in
      heard[sighting.trace].append(
        Reading(time: sighting.time, anchor: sighting.beacon, rssi: Double(sighting.rssi)))
    }
    return zip(room.walks, heard).map { walk, readings in
      let corners = Array(walk)
      var trace = SimulatedTrace(scans: [], truth: [], surroundings: surroundings)
      for number in 1...Int(duration / 2) {
        let start = corners[0].time + Int64(number - 1) * 2_000_000_000
        let instant = start + 2_000_000_000
        let asked = instant - Int64(lag * 1e9)
        let new = readings.filter { $0.time > start && $0.time <= instant }
        let levels = Dictionary(grouping: new, by: \.anchor).sorted { $0.key < $1.key }
        trace.scans.append(
          Scan(
            instant: instant, asked: asked, start: start,
            observations: levels.map { anchor, levels in
              Observation(
                surroundings.anchors[anchor], number: anchor,
                rssi: levels.reduce(0) { $0 + $1.rssi } / Double(levels.count),
                packets: levels.count)
            }, readings: new))
        trace.truth.append(place(corners, at: asked))
      }
      return trace
    }
  }

  private static func place(_ corners: [Waypoint], at time: Int64) -> Point {
    let next = corners.firstIndex { $0.time >= time } ?? corners.count - 1
    guard next > 0 else { return corners[0].position }
    let (a, b) = (corners[next - 1], corners[next])
    let share = min(1, Double(time - a.time) / Double(b.time - a.time))
    return Point(
      x: a.position.x + share * (b.position.x - a.position.x),
      y: a.position.y + share * (b.position.y - a.position.y))
  }

  /// What an algorithm is worth on some traces: its errors in metres and their squared standard
  /// scores.
  static func judge(
    _ algorithm: any PositioningAlgorithm, on traces: [SimulatedTrace]
  ) -> (errors: [Double], scores: [Double]) {
    var (errors, scores): ([Double], [Double]) = ([], [])
    for trace in traces {
      for (outcome, truth) in zip(
        algorithm.locate(trace.scans, in: trace.surroundings), trace.truth)
      {
        guard let place = outcome.position else { continue }
        errors.append(place.distance(to: truth))
        if let covariance = outcome.covariance {
          scores.append(covariance.squaredScore(place.x - truth.x, place.y - truth.y))
        }
      }
    }
    return (errors.sorted(), scores)
  }
}
