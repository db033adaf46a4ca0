import Geometry
import TestSupport
import Testing

@testable import Positioning

/// Trackers by curves whose constants are off as their calibration's covariance has it.
struct CurveErrorTests {
  /// The error of a curve from a bench with a few distances.
  private static let error = CurveError(powerVariance: 6, exponentVariance: 0.2, covariance: 1)

  /// The share of 95 % ellipses that hold, of targets that each were located by a calibration of
  /// their own, off by a random error.
  private func coverage(isErrorKnown: Bool) throws -> Double {
    var generator = SeededGenerator(seed: 31)
    var held = 0.0
    for _ in 0..<Self.trials {
      let scene = Scene.random(anchors: 6, using: &generator)
      let exponent = Self.error.exponentVariance.squareRoot() * generator.gaussian()
      let power =
        Self.error.slope * exponent + Self.error.remainder.squareRoot() * generator.gaussian()
      var surroundings = Surroundings()
      surroundings.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 20, y: 20))
      surroundings.curveError = isErrorKnown ? Self.error : nil
      var readings: [Reading] = []
      for (number, heard) in scene.observations.enumerated() {
        // The truth is the constants that are known, and what they are off by.
        let known = Anchor(place: heard.anchor, measuredPower: -59, exponent: 2.4, sigma: 2)
        var actual = known
        actual.measuredPower += power
        actual.exponent += exponent
        surroundings.anchors.append(known)
        readings.append(
          Reading(
            time: 1_000_000_000, anchor: number,
            rssi: actual.expectedLevel(at: scene.truth) + 2 * generator.gaussian(), packets: 1))
      }
      let scan = Scan(instant: 1_000_000_000, start: 0, observations: [], readings: readings)
      let outcome = try Algorithms.named("particle-filter:particles=600,offset=0")
        .locate([scan], in: surroundings)[0]
      let place = try #require(outcome.position)
      let score = try #require(outcome.covariance)
        .squaredScore(place.x - scene.truth.x, place.y - scene.truth.y)
      if score < 5.991 { held += 1 }
    }
    return held / Double(Self.trials)
  }

  private static let trials = 100

  @Test func `claims contain the uncertainty of a calibration`() throws {
    let (blind, heedful) = try (coverage(isErrorKnown: false), coverage(isErrorKnown: true))
    #expect(heedful > 0.88 && blind < 0.8, "\(heedful) and \(blind)")
  }

  @Test func `the remainder is the variance of the power where the exponent is known`() {
    let error = CurveError(powerVariance: 5, exponentVariance: 0.25, covariance: 0.5)
    #expect(error.slope == 2)
    #expect(error.remainder == 4)
  }

  @Test func `copies beside one another count as one place, with their weight together`() {
    let x = SIMD8<Float>(0, 0, 0, 1, 1, 1, 1, 2)
    let places = [
      PlaceBlock(x: x, y: .zero, height: .zero),
      PlaceBlock(x: SIMD8(repeating: 2), y: .zero, height: .zero),
    ]
    let weights = [SIMD8<Float>(repeating: 1.0 / 16), SIMD8<Float>(repeating: 1.0 / 16)]
    // 3, 4 and 9 sixteenths.
    let expected = Double(3 * 3 + 4 * 4 + 9 * 9) / 256
    #expect(isClose(places.concentration(weights), expected, relative: 1e-6))
  }
}
