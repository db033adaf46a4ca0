import Geometry
import TestSupport
import Testing

@testable import Positioning

struct PedestrianTests {
  @Test func `a step is the exact solution of the motion's differential equation`() throws {
    let motion = Pedestrian(speed: 1.3)
    let seconds = [1e-4, 0.01, 0.019, 0.021, 0.2, 1, 7, 40]
    // Van Loan's integral of the matrix exponential (IEEE T-AC 1978), in 50 digits.
    let script = """
      from mpmath import mp, mpf, matrix, expm
      mp.dps = 50
      for t, tau, variance in rows:
          t, tau, variance = mpf(float(t)), mpf(float(tau)), mpf(float(variance))
          f = matrix([[0, 1], [0, -1 / tau]]); q = 2 * variance / tau
          m = matrix(4, 4)
          for i in range(2):
              for j in range(2):
                  m[i, j] = -f[i, j] * t; m[2 + i, 2 + j] = f[j, i] * t
          m[1, 3] = q * t
          e = expm(m); phi = e[2:4, 2:4].T; cov = phi * e[0:2, 2:4]
          answer(phi[1, 1], phi[0, 1], cov[0, 0], cov[0, 1], cov[1, 1])
      """
    let rows = seconds.map { [$0, motion.persistence, motion.componentVariance] }
    for (seconds, theirs) in zip(seconds, try reference(script, rows)) {
      let step = motion.step(seconds)
      let mine = [
        step.share, step.way, step.positionVariance, step.crossVariance, step.velocityVariance,
      ]
      for (a, b) in zip(mine, theirs) {
        #expect(isClose(a, b, relative: 1e-6), "\(seconds): \(mine)")
      }
    }
  }

  @Test func `shadowing and packet noise add up to the anchor's sigma, and neither takes all`() {
    for sigma in [0.5, 2, 3.5, 6, 12] {
      var anchor = Anchor(place: Point(x: 0, y: 0), measuredPower: -59, exponent: 2, sigma: sigma)
      let parts = Shadowing.parts(of: anchor)
      #expect(isClose(parts.shadowing + parts.packet, sigma * sigma))
      #expect(parts.shadowing >= parts.packet && parts.packet > 0)
      anchor.packetSigma = sigma * 0.8
      let known = Shadowing.parts(of: anchor)
      #expect(isClose(known.shadowing, sigma * sigma * 0.36))
      #expect(isClose(known.packet, sigma * sigma * 0.64))
    }
  }
}
