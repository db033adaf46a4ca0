import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

/// A mean of packets is as exact as its packets are many, and no more exact than its place.
struct LevelVarianceTests {
  /// Eight anchors around a hall, and the mean of some packets of each.
  private struct Hall {
    var place: Double
    var packet: Double
    let anchors: [Anchor]

    init(place: Double, packet: Double) {
      (self.place, self.packet) = (place, packet)
      anchors = (0..<8).map { number in
        let angle = Double(number) * .pi / 4
        return Anchor(
          place: Point(x: 10 + 12 * cos(angle), y: 10 + 12 * sin(angle)), measuredPower: -59,
          exponent: 2.2, sigma: (place * place + packet * packet).squareRoot(), packetSigma: packet)
      }
    }

    func observations(
      at truth: Point, packets: Int, using generator: inout SeededGenerator
    ) -> [Observation] {
      anchors.enumerated().map { number, anchor in
        let distance = anchor.place.distance(to: truth)
        let expected = anchor.measuredPower - 10 * anchor.exponent * log10(distance)
        let own = (0..<packets).reduce(0) { sum, _ in sum + packet * generator.gaussian() }
        return Observation(
          anchor, number: number,
          rssi: expected + place * generator.gaussian() + own / Double(packets), packets: packets)
      }
    }
  }

  @Test(arguments: [1, 4, 40])
  func `the deviation of a mean is that of simulated means`(packets: Int) {
    var generator = SeededGenerator(seed: 171)
    let hall = Hall(place: 3, packet: 5)
    let truth = Point(x: 9, y: 11)
    let errors = (0..<4000).map { _ in
      let heard = hall.observations(at: truth, packets: packets, using: &generator)[0]
      let distance = heard.anchor.distance(to: truth)
      return heard.rssi - heard.measuredPower + 10 * heard.exponent * log10(distance)
    }
    let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    let claimed = hall.anchors[0].sigma(ofMeanOf: packets)
    #expect(abs(deviation / claimed - 1) < 0.04)
  }

  /// Levels are so exact here that the errors are small relative to the hall, as the bound assumes.
  @Test(arguments: [(1, 1.5), (4, 1.5), (4, 3), (10, 3), (10, 5), (40, 1.5), (40, 5)])
  func `maximum likelihood reaches the bound, and its ellipses hold the truth`(
    packets: Int, packet: Double
  ) throws {
    var generator = SeededGenerator(seed: 172)
    let hall = Hall(place: 0.5, packet: packet)
    var (bound, squares, normalized, count) = (0.0, 0.0, 0.0, 0)
    for _ in 0..<1500 {
      let truth = Point(
        x: .random(in: 4...16, using: &generator), y: .random(in: 4...16, using: &generator))
      let heard = hall.observations(at: truth, packets: packets, using: &generator)
      guard case .located(let estimate) = MaximumLikelihood().locate(heard),
        case .covariance(let claimed) = estimate.uncertainty,
        let least = cramerRaoBound(heard, at: truth)
      else { continue }
      let (x, y) = (estimate.position.x - truth.x, estimate.position.y - truth.y)
      let determinant = claimed.xx * claimed.yy - claimed.xy * claimed.xy
      normalized +=
        (claimed.yy * x * x - 2 * claimed.xy * x * y + claimed.xx * y * y) / determinant
      bound += least.xx + least.yy
      squares += x * x + y * y
      count += 1
    }
    #expect(count > 1450)
    #expect(bound / squares > 0.88 && bound / squares < 1.08)
    #expect(normalized / Double(count) > 1.7 && normalized / Double(count) < 2.4)
  }
}
