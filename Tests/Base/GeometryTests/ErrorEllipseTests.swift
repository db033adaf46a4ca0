import Geometry
import TestSupport
import Testing

struct ErrorEllipseTests {
  @Test func `axes of circles, lines and invalid covariances`() throws {
    let circle = try #require(ErrorEllipse(Covariance(xx: 4, xy: 0, yy: 4)))
    #expect(circle == ErrorEllipse(Covariance(xx: 4, xy: 0, yy: 4)) && circle.semiMajor == 2)
    let upright = try #require(ErrorEllipse(Covariance(xx: 1, xy: 0, yy: 9)))
    #expect(upright.semiMajor == 3 && upright.semiMinor == 1)
    #expect(isClose(upright.angle, .pi / 2))
    let line = try #require(ErrorEllipse(Covariance(xx: 1, xy: -1, yy: 1)))
    #expect(line.semiMinor == 0 && isClose(line.angle, -.pi / 4))
    #expect(ErrorEllipse(Covariance(xx: 1, xy: 2, yy: 1)) == nil)
    #expect(ErrorEllipse(Covariance(xx: .nan, xy: 0, yy: 1)) == nil)
    // The 95 % point of chi-squared with two degrees of freedom is 5.991465.
    let scaled = upright.scaled(toHold: 0.95)
    #expect(isClose(scaled.semiMajor, 3 * 5.991464547107979.squareRoot()))
    #expect(
      isClose(scaled.semiMinor, 5.991464547107979.squareRoot()) && scaled.angle == upright.angle)
  }

  @Test func `the 95 % ellipse contains 95 % of the distribution, along its axes`() throws {
    let rows: [[Double]] = [[4, 0, 1], [1, 0, 4], [2, 1.2, 1], [1, -0.7, 2], [1, 0, 1]]
    let answers = try reference(
      """
      for xx, xy, yy in rows:
        values, vectors = np.linalg.eigh([[xx, xy], [xy, yy]])
        scale = np.sqrt(-2 * np.log(0.05))
        angle = np.degrees(np.arctan2(vectors[1, 1], vectors[0, 1]))
        angle = angle - 180 if angle > 90 else angle + 180 if angle <= -90 else angle
        answer(scale * np.sqrt(values[1]), scale * np.sqrt(values[0]), angle)
      """, rows)
    for (row, answer) in zip(rows, answers) {
      let covariance = Covariance(xx: row[0], xy: row[1], yy: row[2])
      let found = try #require(ErrorEllipse(covariance)).scaled(toHold: 0.95)
      #expect(abs(found.semiMajor - answer[0]) < 1e-9 && abs(found.semiMinor - answer[1]) < 1e-9)
      if row[0] != row[2] || row[1] != 0 {
        #expect(abs(found.angle * 180 / .pi - answer[2]) < 1e-6, "\(row)")
      }
    }
    #expect(ErrorEllipse(Covariance(xx: -1, xy: 0, yy: 1)) == nil)
  }
}
