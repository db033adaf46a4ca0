import Foundation
import Geometry
import Positioning

/// A repeatable source of randomness (SplitMix64, Steele et al. 2014).
struct BenchGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func gaussian() -> Double {
    let radius = (-2 * log(Double.random(in: 0.0.nextUp..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }

  mutating func place() -> Point {
    Point(x: Double.random(in: 0..<20, using: &self), y: Double.random(in: 0..<20, using: &self))
  }
}

/// Anchors at random in 20 m × 20 m, and scans of targets at random among them, all heard.
func scans(
  anchors count: Int, _ number: Int, noise: Double, seed: UInt64 = 1
) -> (surroundings: Surroundings, scans: [Scan], truths: [Point]) {
  var generator = BenchGenerator(state: seed)
  var surroundings = Surroundings()
  surroundings.anchors = (0..<count).map { _ in
    Anchor(place: generator.place(), measuredPower: -59, exponent: 2, sigma: max(noise, 1))
  }
  var truths: [Point] = []
  let scans = (0..<number).map { k in
    let truth = generator.place()
    truths.append(truth)
    return Scan(
      instant: Int64(k), start: Int64(k) - 1,
      observations: surroundings.anchors.enumerated().map { number, anchor in
        Observation(
          anchor, number: number,
          rssi: -59 - 20 * log10(max(anchor.place.distance(to: truth), 1e-3)) + noise
            * generator.gaussian())
      })
  }
  return (surroundings, scans, truths)
}

/// Prints what, how many fixes, and seconds, the best of some runs.
func printPositions() {
  for anchors in [3, 4, 6, 10] {
    let count = 20_000
    let scene = scans(anchors: anchors, count, noise: 4)
    var least = Double.infinity
    for _ in 0..<5 {
      // Processor time: other programs do not count.
      let start = clock()
      let answers = MaximumLikelihood().locate(scene.scans, in: scene.surroundings)
      least = min(least, Double(clock() - start) / Double(CLOCKS_PER_SEC))
      precondition(answers.count == count)
    }
    print("maximum-likelihood-\(anchors) \(count) \(least)")
  }
}

/// Prints the anchors, then each scan's levels and our answer: one line each.
func printScans(anchors count: Int, _ number: Int) {
  let scene = scans(anchors: count, number, noise: 4)
  print(scene.surroundings.anchors.map { "\($0.place.x) \($0.place.y)" }.joined(separator: " "))
  let answers = MaximumLikelihood().locate(scene.scans, in: scene.surroundings)
  for (scan, answer) in zip(scene.scans, answers) {
    guard case .located(let estimate) = answer else { continue }
    let levels = scan.observations.map { "\($0.rssi)" }.joined(separator: " ")
    print(levels, estimate.position.x, estimate.position.y)
  }
}
