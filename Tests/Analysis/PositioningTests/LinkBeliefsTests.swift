import CParticles
import Foundation
import NumericalMethods
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
    var links = [[LinkBeliefs]](repeating: [LinkBeliefs()], count: 3)
    var ways = [Float](repeating: 0, count: 3)
    var blocks = [Self.block(at: .zero, .zero)]
    for (level, answer) in zip(levels, expected) {
      // The curve is flat at 0 dBm, so that the level is its own error.
      var constants = cparticles_level()
      (constants.far, constants.near, constants.packet) = (level.far, level.near, level.packet)
      (constants.rssi, constants.least_log_likelihood) = (level.error, -.infinity)
      let decays = [
        ShadowingDecay(
          over: SIMD8(repeating: level.way - ways[level.link]), nearDistance: 1.7)
      ]
      ways[level.link] = level.way
      var moments = [SIMD8<Float>](repeating: .zero, count: 2)
      cparticles_expect(&constants, 1, blocks, links[level.link], decays, Self.none, &moments)
      for lane in 0..<8 {
        #expect(isClose(Double(moments[0][lane]), answer[0], absolute: 1e-3))
        #expect(isClose(Double(moments[1][lane]), answer[1], absolute: 1e-3, relative: 1e-4))
      }
      var fitting = [Float](repeating: 0, count: 8)
      cparticles_hear(
        &constants, 1, &blocks, &links[level.link], decays, Self.none,
        [SIMD8<Float>(repeating: 0.125)], &fitting)
      #expect(fitting == [Float](repeating: 0.125, count: 8))
    }
  }

  private static let none: [LinkShadowing] = []

  private static func block(at x: SIMD8<Float>, _ y: SIMD8<Float>) -> ParticleBlock {
    ParticleBlock(
      place: PlaceBlock(x: x, y: y, height: .zero), logSpeed: .zero, walks: .zero,
      offset: OffsetBeliefs(variance: SIMD8(repeating: 9)))
  }

  /// The levels of one link at random places, weighed once with the widest registers and once with
  /// those of every machine.
  @Test(arguments: [false, true])
  func `all registers give the same bits, and weights are those of the robust likelihood`(
    hasMap: Bool
  ) {
    var stream = VectorStream(seed: 9)
    var generator = SeededGenerator(seed: 9)
    let count = 7
    var blocks = (0..<count).map { _ in
      Self.block(at: 20 * stream.uniform(), 20 * stream.uniform())
    }
    for index in blocks.indices { blocks[index].exponentError = 0.1 * stream.gaussianPair().0 }
    var beliefs = [LinkBeliefs](repeating: LinkBeliefs(), count: count)
    let weights = [SIMD8<Float>](repeating: SIMD8(repeating: 1 / Float(8 * count)), count: count)
    var constants = cparticles_level()
    (constants.x, constants.y, constants.height) = (8, 9, 1.5)
    (constants.measured_power, constants.slope, constants.slope_of_exponent) = (
      -59, -4.5, -2.1714725
    )
    (constants.far, constants.near, constants.packet, constants.temper) = (4, 2, 9, 0.7)
    constants.has_shadowings = hasMap
    constants.least_log_likelihood = RobustLevel.leastLogLikelihood(typicalVariance: 29)
    var outliers = 0
    for _ in 0..<40 {
      constants.rssi = Float.random(in: -100 ... -60, using: &generator)
      let decays = (0..<count).map { _ in
        ShadowingDecay(over: stream.uniform(), nearDistance: 0.8)
      }
      let shadowings = (0..<(hasMap ? count : 0)).map { _ in
        LinkShadowing(offset: 3 * stream.gaussianPair().0, deviation: 5 * stream.uniform())
      }
      var moments = [SIMD8<Float>](repeating: .zero, count: 2 * count)
      cparticles_expect(&constants, count, blocks, beliefs, decays, shadowings, &moments)
      let before = blocks.map(\.logWeight)
      var (narrowBlocks, narrowBeliefs) = (blocks, beliefs)
      var fitting = [Float](repeating: 0, count: 8)
      var narrowFitting = fitting
      cparticles_hear(
        &constants, count, &blocks, &beliefs, decays, shadowings, weights, &fitting)
      cparticles_hear_narrow(
        &constants, count, &narrowBlocks, &narrowBeliefs, decays, shadowings, weights,
        &narrowFitting)
      #expect(fitting == narrowFitting)
      #expect(bytes(blocks) == bytes(narrowBlocks) && bytes(beliefs) == bytes(narrowBeliefs))
      var fits: Float = 0
      for index in 0..<count {
        for lane in 0..<8 {
          let robust = RobustLevel(
            residual: constants.rssi - moments[2 * index][lane],
            variance: moments[2 * index + 1][lane],
            leastLogLikelihood: constants.least_log_likelihood)
          let gain = blocks[index].logWeight[lane] - before[index][lane]
          #expect(isClose(Double(gain), Double(0.7 * robust.logLikelihood), absolute: 1e-3))
          fits += robust.isOutlier ? 0 : 1
        }
      }
      outliers += 8 * count - Int(fits)
      #expect(
        isClose(Double(fitting.reduce(0, +)), Double(fits) / Double(8 * count), absolute: 1e-5))
    }
    #expect(outliers > 0 && outliers < 40 * 8 * count)
  }

  private func bytes<Value>(_ values: [Value]) -> [UInt8] {
    values.withUnsafeBytes { Array($0) }
  }

  /// The reference keeps a path length per link.
  @Test func `links received at one moment share the path since`() {
    var stream = VectorStream(seed: 4)
    var generator = SeededGenerator(seed: 4)
    var blocks = (0..<3).map { _ in Self.block(at: .zero, .zero) }
    var ways = LinkWays(links: 5, blocks: 3)
    var expected = [[SIMD8<Float>]](
      repeating: [SIMD8<Float>](repeating: .zero, count: 3), count: 5)
    for round in 0..<60 {
      for index in blocks.indices { blocks[index].way += stream.uniform() }
      let received = (0..<5).filter { _ in Bool.random(using: &generator) }
      ways.receive(received, at: blocks)
      for link in received { expected[link] = blocks.map(\.way) }
      if round % 4 == 3 {
        // Neighbouring particles change places, and their path lengths start anew.
        let sources = (0..<3).map { block in
          SIMD8<Int32>(1, 0, 3, 2, 5, 4, 7, 6) &+ Int32(8 * (2 - block))
        }
        ways.resample(sources, of: blocks)
        for link in 0..<5 {
          let all = expected[link]
          for (block, source) in sources.enumerated() {
            for lane in 0..<8 {
              let (from, number) = (Int(source[lane]) / 8, Int(source[lane]) % 8)
              expected[link][block][lane] = all[from][number] - blocks[from].way[number]
            }
          }
        }
        for index in blocks.indices { blocks[index].way = .zero }
      }
      for index in blocks.indices { blocks[index].way += stream.uniform() }
      for link in 0..<5 {
        let decays = ways.decays(from: ways.moment(of: link), to: blocks, nearDistance: 0.8)
        for index in blocks.indices {
          let decay = ShadowingDecay(
            over: blocks[index].way - expected[link][index], nearDistance: 0.8)
          #expect(decays[index].far == decay.far && decays[index].near == decay.near)
        }
      }
    }
  }
}
