import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

@Suite("The probability of being within a room")
struct RoomProbabilityTests {
  private func room(_ corners: [(Double, Double)]) -> Polygon {
    Polygon(name: "room", corners: corners.map { Point(x: $0.0, y: $0.1) })
  }

  private func estimate(_ x: Double, _ y: Double, _ c: Covariance) -> Estimate {
    Estimate(position: Point(x: x, y: y), uncertainty: .covariance(c))
  }

  private func normal(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }

  @Test(arguments: [(0.0, 0.0), (2, 1), (-0.01, 3), (9, 9), (4, 0)])
  func `of a rectangle along the axes it is a product of two normal probabilities`(
    x: Double, y: Double
  ) throws {
    let (sx, sy) = (1.5, 0.8)
    let rectangle = room([(0, 0), (4, 0), (4, 3), (0, 3)])
    let found = try #require(
      estimate(x, y, Covariance(xx: sx * sx, xy: 0, yy: sy * sy)).probability(inside: rectangle))
    let expected =
      (normal((4 - x) / sx) - normal(-x / sx)) * (normal((3 - y) / sy) - normal(-y / sy))
    #expect(isClose(found, expected, absolute: 1e-4))
  }

  @Test func `of a room with a corner inwards it is that of its two parts, in either direction`()
    throws
  {
    let target = estimate(2.5, 1.2, Covariance(xx: 2, xy: 0.9, yy: 1))
    let corners = [(0.0, 0.0), (4, 0), (4, 2), (2, 2), (2, 5), (0, 5)]
    let whole = try #require(target.probability(inside: room(corners)))
    let low = try #require(target.probability(inside: room([(0, 0), (4, 0), (4, 2), (0, 2)])))
    let high = try #require(target.probability(inside: room([(0, 2), (2, 2), (2, 5), (0, 5)])))
    #expect(isClose(whole, low + high, absolute: 2e-4))
    let reversed = try #require(target.probability(inside: room(corners.reversed())))
    #expect(isClose(reversed, whole, absolute: 1e-12))
    #expect(whole > 0.3 && whole < 0.9)
  }

  @Test func `there is none without a covariance, and an exact position is in or out`() throws {
    let square = room([(0, 0), (1, 0), (1, 1), (0, 1)])
    let vague = Estimate(position: Point(x: 0, y: 0), uncertainty: .unavailable(.noErrorModel))
    #expect(vague.probability(inside: square) == nil)
    let exact = Covariance(xx: 0, xy: 0, yy: 0)
    #expect(try #require(estimate(0.3, 0.7, exact).probability(inside: square)) > 0.999)
    #expect(try #require(estimate(1.3, 0.7, exact).probability(inside: square)) < 0.001)
  }
}
