import Foundation
import Geometry
import Positioning

/// Random targets and anchors in 20 m × 20 m with exact distances, 3 to 10 anchors: counts the
/// answers that are not the target, and why.
func certifyPositions(_ count: Int) {
  var generator = BenchGenerator(state: 20)
  for anchors in 3...10 {
    var (answered, refused, higher, mirrored, away) = (0, [Refusal: Int](), 0, 0, 0)
    let start = clock()
    for _ in 0..<count / 8 {
      let truth = generator.place()
      let observations = (0..<anchors).map { _ in
        let anchor = generator.place()
        return Observation(
          anchor: anchor, rssi: -59 - 20 * log10(anchor.distance(to: truth)), measuredPower: -59,
          exponent: 2,
          sigma: 4)
      }
      switch MaximumLikelihood().locate(observations) {
      case .refused(let reason): refused[reason, default: 0] += 1
      case .located(let estimate):
        answered += 1
        let cost = observations.reduce(0.0) { sum, o in
          let error = o.rssi + 59 + 20 * log10(o.anchor.distance(to: estimate.position))
          return sum + error * error / 16
        }
        if cost > 2e-9 { higher += 1 }
        if estimate.position.distance(to: truth) > 1e-3 {
          // Anchors nearly on a line: the mirrored place explains the levels to rounding.
          if cost <= 2e-9 { mirrored += 1 } else { away += 1 }
        }
      }
    }
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    let reasons = refused.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print(
      "anchors \(anchors): answered \(answered), higher cost \(higher), elsewhere \(away), "
        + "elsewhere at the same cost \(mirrored), refused \(reasons.isEmpty ? "0" : reasons), "
        + "\(seconds) s"
    )
  }
}

/// Anchors evenly along the walls of 20 m × 20 m, which are the bounds; targets at random inside.
///
/// Prints the coverage of the claimed 95 % ellipses, and the efficiency against the Cramér–Rao
/// bound.
func coverPositions(_ trials: Int) {
  var site = Surroundings()
  site.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 20, y: 20))
  for (inset, height, anchors, noise) in [
    (3.0, 2.0, 10, 2.0), (3, 2, 6, 4), (3, 2, 4, 4), (0, 2, 10, 2), (0, 2, 6, 4), (0, 2, 4, 4),
    (0, 0, 10, 2),
    (0, 0, 6, 4), (0, 0, 4, 4),
  ] {
    var generator = BenchGenerator(state: 21)
    var (held, answered, squares, bounds) = (0, 0, 0.0, 0.0)
    for _ in 0..<trials {
      let truth = Point(
        x: Double.random(in: inset..<20 - inset, using: &generator),
        y: Double.random(in: inset..<20 - inset, using: &generator))
      let observations = (0..<anchors).map { number in
        let anchor = wall(80 * Double(number) / Double(anchors))
        return Observation(
          anchor: anchor, heightDifference: height,
          rssi: -59 - 20 * log10(hypot(anchor.distance(to: truth), height)) + noise
            * generator.gaussian(),
          measuredPower: -59, exponent: 2, sigma: noise)
      }
      guard case .located(let estimate) = MaximumLikelihood().locate(observations, in: site),
        case .covariance(let covariance) = estimate.uncertainty,
        let bound = cramerRaoBound(observations, at: truth)
      else { continue }
      answered += 1
      let (dx, dy) = (estimate.position.x - truth.x, estimate.position.y - truth.y)
      if covariance.squaredScore(dx, dy) <= 5.991464547107979 { held += 1 }
      squares += dx * dx + dy * dy
      bounds += bound.xx + bound.yy
    }
    print(
      "anchors \(anchors), \(height) m up, targets \(inset) m from the walls, \(noise) dB: "
        + "answered with a covariance \(answered) of \(trials), "
        + "95 % ellipses hold \(100 * Double(held) / Double(answered)) %, "
        + "RMS over the bound's \((squares / bounds).squareRoot())")
  }
}

/// The place so many metres along the walls of 20 m × 20 m.
private func wall(_ along: Double) -> Point {
  switch along {
  case ..<20: Point(x: along, y: 0)
  case ..<40: Point(x: 20, y: along - 20)
  case ..<60: Point(x: 60 - along, y: 20)
  default: Point(x: 0, y: 80 - along)
  }
}
