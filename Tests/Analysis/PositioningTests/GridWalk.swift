import Foundation
import Geometry
import Positioning
import Simulation

/// A simulated room with its true walks, as trackers see them.
struct GridWalk {
  var site = Surroundings()
  /// The scans of each walk, and where the target was at the times asked.
  var scans: [[Scan]] = []
  var truths: [[Point]] = []

  /// - Parameters:
  ///   - lag: how long before each instant the position is asked, in seconds.
  ///   - step: between instants, in seconds.
  init(seed: UInt64, walks: Int, seconds: Double, speed: Double, lag: Double, step: Double = 0.5)
    throws
  {
    var scenario = Scenario(seed: seed, model: .simple)
    scenario.walks.count = walks
    scenario.walks.duration = seconds
    scenario.walks.speed = speed
    let room = try SimulatedRoom(scenario)
    let p = scenario.propagation
    let sigma = hypot(hypot(p.shadowingDeviation, p.fadingDeviation), p.noiseDeviation)
    site.anchors = room.beacons.map {
      Anchor(
        place: $0.position, heightDifference: $0.height - scenario.room.receiverHeight,
        measuredPower: $0.measuredPower, exponent: p.exponent, sigma: sigma)
    }
    site.bounds = Bounds(
      minimum: Point(x: 0, y: 0), maximum: Point(x: scenario.room.width, y: scenario.room.depth))
    var readings = [[Reading]](repeating: [], count: walks)
    room.forEachSighting {
      readings[$0.trace].append(Reading(time: $0.time, anchor: $0.beacon, rssi: Double($0.rssi)))
    }
    for (trace, walk) in room.walks.enumerated() {
      let corners = Array(walk)
      let start = corners[0].time
      var previous = start
      var (walkScans, walkTruths) = ([Scan](), [Point]())
      for number in 1...Int((seconds - 0.01) / step) {
        let instant = start + Int64(Double(number) * step * 1e9)
        let asked = max(start, instant - Int64(lag * 1e9))
        guard let next = corners.firstIndex(where: { $0.time >= asked }) else { break }
        let (a, b) = (corners[max(next - 1, 0)], corners[next])
        let share = b.time > a.time ? Double(asked - a.time) / Double(b.time - a.time) : 0
        walkTruths.append(
          Point(
            x: a.position.x + share * (b.position.x - a.position.x),
            y: a.position.y + share * (b.position.y - a.position.y)))
        walkScans.append(
          Scan(
            instant: instant, asked: asked, start: previous, observations: [],
            readings: readings[trace].filter { $0.time > previous && $0.time <= instant }))
        previous = instant
      }
      scans.append(walkScans)
      truths.append(walkTruths)
    }
  }
}
