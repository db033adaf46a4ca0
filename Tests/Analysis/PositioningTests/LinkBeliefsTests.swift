import Foundation
import TestSupport
import Testing

@testable import Positioning

struct LinkBeliefsTests {
  /// A level of a link: the way until it, the deviations of its parts, its packets' variance and
  /// its error.
  private struct Level {
    var link: Int
    var way: Float
    var far: Float
    var near: Float
    var packet: Float
    var error: Float
  }

  @Test func `links with a common offset are filtered as numpy does with one state`() throws {
    var generator = SeededGenerator(seed: 5)
    var way: Float = 0
    let levels = (0..<60).map { _ in
      way += Float.random(in: 0...0.6, using: &generator)
      return Level(
        link: Int.random(in: 0..<3, using: &generator), way: way,
        far: Float.random(in: 2...6, using: &generator),
        near: Float.random(in: 1...3, using: &generator),
        packet: Float.random(in: 4...20, using: &generator),
        error: Float(6 * generator.gaussian() + 3))
    }
    let script = """
      # Unknowns: a and b of three links, then the offset.
      mean, cov = np.zeros(7), np.diag([1.0] * 6 + [9.0])
      before = 0.0
      for link, way, far, near, packet, error in rows:
          k = np.append(np.tile([np.exp(-(way - before) / 3), np.exp(-(way - before) / 1.7)], 3), 1)
          noise = np.append(1 - k[:6] ** 2, 0)
          mean, cov, before = k * mean, k[:, None] * cov * k + np.diag(noise), way
          h = np.zeros(7)
          h[2 * int(link)], h[2 * int(link) + 1], h[6] = far, near, 1
          s = h @ cov @ h + packet
          answer(h @ mean, s)
          gain = cov @ h / s
          mean = mean + gain * (error - h @ mean)
          cov = cov - np.outer(gain, h @ cov)
      """
    let expected = try reference(
      script,
      levels.map {
        [Double($0.link)] + [$0.way, $0.far, $0.near, $0.packet, $0.error].map(Double.init)
      }
    )
    var links = [LinkBeliefs](repeating: LinkBeliefs(), count: 3)
    var ways = [Float](repeating: 0, count: 3)
    var offset = OffsetBeliefs(variance: SIMD8(repeating: 9))
    for (level, answer) in zip(levels, expected) {
      let step = SIMD8(repeating: level.way - ways[level.link])
      links[level.link].advance(by: ShadowingDecay(over: step, nearDistance: 1.7))
      ways[level.link] = level.way
      let link = links[level.link].expectation(
        far: SIMD8(repeating: level.far), near: level.near, packet: level.packet)
      let (mean, variance) = offset.expectation(link)
      for lane in 0..<8 {
        #expect(isClose(Double(mean[lane]), answer[0], absolute: 1e-3))
        #expect(isClose(Double(variance[lane]), answer[1], absolute: 1e-3, relative: 1e-4))
      }
      let share = SIMD8<Float>(repeating: 1)
      links[level.link].learn(level.error - link.mean, link, share: share)
      offset.learn(level.error - mean, link, share: share)
    }
  }
}
