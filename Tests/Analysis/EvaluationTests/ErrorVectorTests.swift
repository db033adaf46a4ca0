import Evaluation
import Geometry
import Positioning
import TestSupport
import Testing

struct ErrorVectorTests {
  @Test func `bias, covariance and axes agree with numpy`() throws {
    var generator = SeededGenerator(seed: 4)
    let errors = (0..<50).map { _ in
      let u = generator.gaussian()
      return [3 + 2 * u, -1 + u + generator.gaussian(), 0.5 - u + 2 * generator.gaussian()]
    }
    let questions = errors.indices.map {
      Question(instant: Int64($0), asked: Int64($0), truth: Point(x: 5, y: 6), truthHeight: 1)
    }
    let outcomes = errors.map { located(5 + $0[0], 6 + $0[1], z: 1 + $0[2]) }
    let said = AlgorithmAnswers(name: "a", outcomes: [outcomes])
    let score = Score(said, traces: [EvaluatedTrace(name: "t", questions: questions)])
    let vector = try #require(score.vector)
    let rows = try reference(
      """
      e = np.stack(rows)
      c = np.cov(e.T)
      answer(*e.mean(0), c[0, 0], c[0, 1], c[1, 1], c[0, 2], c[1, 2], c[2, 2])
      values, axes = np.linalg.eigh(c[:2, :2])
      angle = np.arctan2(axes[1, 1], axes[0, 1])
      angle = (angle + np.pi / 2) % np.pi - np.pi / 2
      answer(np.sqrt(values[1]), np.sqrt(values[0]), angle)
      h, v = np.hypot(e[:, 0], e[:, 1]), np.abs(e[:, 2])
      s = np.linalg.norm(e, axis=1)
      answer(v.mean(), np.sqrt((v ** 2).mean()), *np.quantile(v, [0.5, 0.95]))
      answer(s.mean(), np.sqrt((s ** 2).mean()), *np.quantile(s, [0.5, 0.95]), h.var(), v.var(), s.var())
      """, errors)
    let c = try #require(vector.covariance)
    let (z, vertical) = (try #require(c.vertical), try #require(score.vertical))
    let ellipse = try #require(vector.ellipse)
    let spherical = try #require(score.spherical)
    func agree(_ mine: [Double], _ theirs: ArraySlice<Double>) {
      for (a, b) in zip(mine, theirs) { #expect(isClose(a, b, absolute: 1e-12), "\(a) for \(b)") }
    }
    agree(
      [vector.biasX, vector.biasY, vertical.bias, c.xx, c.xy, c.yy, z.xz, z.yz, z.zz], rows[0][...])
    agree([ellipse.semiMajor, ellipse.semiMinor, ellipse.angle], rows[1][...])
    let v = vertical.size
    agree([v.mean, v.rms, v.median, v.p95], rows[2][...])
    agree([spherical.mean, spherical.rms, spherical.median, spherical.p95], rows[3][...])
    let iso = ISO18305(score).figures
    let variances = ["horizontal", "vertical", "3-D"].map { kind in
      iso.first { $0.name == "variance of \(kind) error" }?.value ?? .nan
    }
    agree(variances, rows[3][4...])
  }

  @Test func `errors along and across the way`() throws {
    // Walks up, to the left, stands, and is not known.
    let velocities: [Velocity?] = [
      Velocity(x: 0, y: 2), Velocity(x: -1, y: 0), Velocity(x: 0, y: 0), nil,
    ]
    let questions = velocities.enumerated().map { index, velocity in
      Question(
        instant: Int64(index), asked: Int64(index), truth: Point(x: 0, y: 0), velocity: velocity)
    }
    let said = AlgorithmAnswers(
      name: "a", outcomes: [[located(1, -3), located(1, -3), located(9, 9), located(9, 9)]])
    let score = Score(said, traces: [EvaluatedTrace(name: "t", questions: questions)])
    let track = try #require(score.track)
    // Up: 3 behind, 1 to the right. To the left: 1 behind, 3 to the left (down).
    #expect(track.count == 2 && track.alongMean == -2 && track.acrossMean == 1)
    #expect(isClose(track.alongRMS, 5.0.squareRoot()) && isClose(track.acrossRMS, 5.0.squareRoot()))
  }
}
