import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

@Suite("The probability of being within a disc")
struct DiscProbabilityTests {
  private func estimate(_ x: Double, _ y: Double, _ xx: Double, _ xy: Double, _ yy: Double)
    -> Estimate
  {
    Estimate(
      position: Point(x: x, y: y), uncertainty: .covariance(Covariance(xx: xx, xy: xy, yy: yy)))
  }

  @Test(arguments: [0.01, 0.5, 1, 3, 100])
  func `is Rayleigh's at the centre of a circle`(sigma: Double) throws {
    let found = try #require(
      estimate(2, 3, sigma * sigma, 0, sigma * sigma).probability(within: 2, of: Point(x: 2, y: 3)))
    #expect(abs(found - (1 - exp(-2 / (sigma * sigma)))) < 1e-6)
  }

  @Test func `is that of a polar integral by numpy, wherever the disc is`() throws {
    let rows: [[Double]] = [
      [0, 0, 1, 0, 1, 2], [1, 0.5, 2, 0.9, 1, 2], [4, -3, 9, -4, 4, 1],
      [0.3, 2.2, 0.25, 0.2, 0.5, 2],
      [6, 6, 1, 0, 1, 2], [1, 1, 25, 20, 20, 0.5], [0, 1.9, 0.01, 0, 4, 2], [-1, 2, 3, 1, 0.5, 3],
    ]
    let answers = try reference(
      """
      for x, y, xx, xy, yy, r in rows:
        inverse = np.linalg.inv([[xx, xy], [xy, yy]])
        rho, w = np.polynomial.legendre.leggauss(600)
        rho = (rho + 1) / 2 * r
        theta = (np.arange(1200) + 0.5) / 1200 * 2 * np.pi
        R, T = np.meshgrid(rho, theta)
        dx, dy = R * np.cos(T) - x, R * np.sin(T) - y
        q = inverse[0, 0] * dx**2 + 2 * inverse[0, 1] * dx * dy + inverse[1, 1] * dy**2
        f = np.exp(-q / 2) / (2 * np.pi * np.sqrt(xx * yy - xy**2)) * R
        answer((f * w[None, :]).sum() * r / 2 * 2 * np.pi / 1200)
      """, rows)
    for (row, answer) in zip(rows, answers) {
      let found = try #require(
        estimate(row[0], row[1], row[2], row[3], row[4]).probability(
          within: row[5], of: Point(x: 0, y: 0)))
      #expect(abs(found - answer[0]) < 1e-6, "\(row): \(found) \(answer[0])")
    }
  }

  @Test func `there is none without a covariance, and a position that is sure is in or out`() {
    let unsure = Estimate(position: Point(x: 0, y: 0), uncertainty: .unavailable(.noErrorModel))
    #expect(unsure.probability(within: 2, of: Point(x: 0, y: 0)) == nil)
    #expect(
      estimate(0, 1.9, 0, 0, 0).probability(within: 2, of: Point(x: 0, y: 0)).map { $0 > 0.999 }
        == true)
    #expect(
      estimate(0, 2.1, 0, 0, 0).probability(within: 2, of: Point(x: 0, y: 0)).map { $0 < 0.001 }
        == true)
    #expect(estimate(0, 0, .nan, 0, 1).probability(within: 2, of: Point(x: 0, y: 0)) == nil)
  }
}
