import Foundation
import Geometry
import Positioning

/// The level by the path-loss law, without noise.
private func level(of anchor: Anchor, at place: Point) -> Double {
  let (planar, height) = (anchor.place.distance(to: place), anchor.heightDifference)
  return anchor.measuredPower - 5 * anchor.exponent * log10(planar * planar + height * height)
}

/// A walk of some minutes through 25 m × 25 m among 12 anchors, each received four times per second,
/// asked about every second.
private func walk(seconds: Int) -> (surroundings: Surroundings, scans: [Scan]) {
  var generator = BenchGenerator(state: 1)
  var surroundings = Surroundings()
  surroundings.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 25, y: 25))
  surroundings.anchors = (0..<12).map { number in
    let turn = 2 * Double.pi * Double(number) / 12
    return Anchor(
      place: Point(x: 12.5 + 11 * cos(turn), y: 12.5 + 11 * sin(turn)), heightDifference: 1.5,
      measuredPower: -59, exponent: 2.2, sigma: 5, packetSigma: 3)
  }
  let scans = (1...seconds).map { second in
    let instant = Int64(second) * 1_000_000_000
    var readings: [Reading] = []
    for quarter in 0..<4 {
      let time = instant - 1_000_000_000 + Int64(quarter) * 250_000_000 + 125_000_000
      let turn = Double(time) * 1e-9 / 20
      let place = Point(x: 12.5 + 8 * cos(turn), y: 12.5 + 5 * sin(1.3 * turn))
      for (number, anchor) in surroundings.anchors.enumerated() {
        let rssi = level(of: anchor, at: place) + 5 * generator.gaussian()
        readings.append(Reading(time: time, anchor: number, rssi: rssi.rounded(), packets: 1))
      }
    }
    return Scan(
      instant: instant, start: instant - 1_000_000_000, observations: [], readings: readings)
  }
  return (surroundings, scans)
}

/// A survey of a square of places 2 m apart, each anchor received thirty times at each.
private func survey(anchors count: Int, side: Int) -> (anchors: [Anchor], survey: [SurveyPoint]) {
  var generator = BenchGenerator(state: 2)
  let anchors = (0..<count).map { _ in
    Anchor(
      place: Point(
        x: Double.random(in: 0..<Double(2 * side), using: &generator),
        y: Double.random(in: 0..<Double(2 * side), using: &generator)), heightDifference: 1.5,
      measuredPower: -59, exponent: 2.2, sigma: 5)
  }
  let survey = (0..<side * side).map { number in
    let place = Point(x: Double(2 * (number % side)), y: Double(2 * (number / side)))
    return SurveyPoint(
      place: place,
      levels: anchors.enumerated().map { number, anchor in
        Reading(
          time: 0, anchor: number,
          rssi: level(of: anchor, at: place) + 4 * generator.gaussian(), packets: 30)
      }, trace: 0)
  }
  return (anchors, survey)
}

/// Processor time of the fastest of some runs: other programs do not count.
private func seconds(_ repeats: Int, _ body: () -> Void) -> Double {
  (0..<repeats).map { _ in
    let start = clock()
    body()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }.min() ?? .nan
}

/// Prints what, how many epochs or levels, and seconds, the best of some runs.
func printTrackers() throws {
  let (surroundings, scans) = walk(seconds: 300)
  for name in [
    "kalman", "grid-filter", "particle-filter", "particle-filter:particles=4000,lag=2s",
    "particle-smoother",
  ] {
    let algorithm = try Algorithms.named(name)
    let least = seconds(3) {
      precondition(algorithm.locate(scans, in: surroundings).count == scans.count)
    }
    print(name, scans.count, least)
  }
  for (count, side) in [(12, 9), (100, 32)] {
    let (anchors, survey) = survey(anchors: count, side: side)
    let least = seconds(count > 12 ? 1 : 3) {
      precondition(RadioMap(survey: survey, anchors: anchors) != nil)
    }
    print("radio-map-\(count)-\(side * side)", count * side * side, least)
  }
}
