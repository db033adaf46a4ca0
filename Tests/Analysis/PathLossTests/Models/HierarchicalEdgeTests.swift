import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

/// Boundaries, what cannot change the answer, and what has none.
struct HierarchicalEdgeTests {
  private func packets(
    seed: UInt64, _ links: SimulatedLinks = SimulatedLinks()
  ) -> [Packet] {
    var generator = SeededGenerator(seed: seed)
    return links.packets(&generator)
  }

  /// The numbers of a fit that must agree, whatever the order of its rows.
  private func numbers(_ fit: HierarchicalFit) throws -> [Double] {
    let power = try #require(fit.powerInterval)
    let exponent = try #require(fit.exponentInterval)
    return [fit.measuredPower, fit.exponent] + fit.covariance.flatMap(\.self) + power.limits
      + exponent.limits
      + RandomEffect.allCases.compactMap { fit.deviations[$0]?.value }
      + [fit.packetDeviation.value, fit.logLikelihood]
  }

  @Test func `beacons that do not differ keep a deviation`() throws {
    let links = SimulatedLinks(receivers: 1, positions: 3, packets: 3, beaconDeviation: 0)
    // The dense likelihood times the ratio of beacons, from several starts.
    let script = """
      from scipy.optimize import minimize
      b, c, s, x, y = rows
      X = np.stack([np.ones_like(x), x], 1)
      B, S = [(g[:, None] == np.unique(g)).astype(float) for g in (b, s)]
      def parts(t):
          W = np.linalg.inv(np.eye(len(y)) + np.exp(2 * t[0]) * B @ B.T + np.exp(2 * t[1]) * S @ S.T)
          beta = np.linalg.solve(X.T @ W @ X, X.T @ W @ y)
          return W, beta, y - X @ beta
      def d(t):
          W, beta, e = parts(t)
          return (-np.linalg.slogdet(W)[1] + np.linalg.slogdet(X.T @ W @ X)[1]
                  + (len(y) - 2) * np.log(e @ W @ e) - 2 * t[0])
      best = min((minimize(d, [i, j], method="Nelder-Mead", options=dict(xatol=1e-7, fatol=1e-10))
                  for i in (-2, 0) for j in (-2, 0)), key=lambda found: found.fun)
      answer(np.exp(best.x[0]), *parts(best.x)[1])
      """
    var unseen = 0
    for seed in 0..<40 {
      let packets = packets(seed: UInt64(seed), links)
      let fit = try HierarchicalFit(sums(packets))
      #expect(fit.hasConverged)
      let deviation = try #require(fit.deviations[.beacon])
      let interval = try #require(deviation.interval)
      #expect(deviation.value > 0 && interval.contains(deviation.value))
      #expect(fit.beacons.allSatisfy { $0.offsetError > 0 })
      guard fit.unseen == [.beacon] else { continue }
      unseen += 1
      guard unseen <= 5 else { continue }
      let expected = try reference(script, rows(packets))[0]
      #expect(
        isClose(deviation.value / fit.packetDeviation.value, expected[0], relative: 2e-3))
      #expect(isClose(fit.measuredPower, expected[1], absolute: 1e-3))
      #expect(isClose(fit.exponent, expected[2], absolute: 1e-4))
    }
    // Half of a binomial of 40, by four standard deviations, and somewhat more where levels are
    // few.
    #expect((8...34).contains(unseen))
  }

  @Test func `adding 1 dB to every level moves P alone`() throws {
    let packets = packets(seed: 3)
    let fit = try HierarchicalFit(sums(packets))
    let moved = try HierarchicalFit(
      sums(
        packets.map { packet in
          var packet = packet
          packet.level += 1
          return packet
        }))
    #expect(isClose(moved.measuredPower, fit.measuredPower + 1, absolute: 1e-6, relative: 0))
    var (mine, theirs) = (try numbers(fit), try numbers(moved))
    for place in [0, 6, 7] { (mine[place], theirs[place]) = (mine[place] + 1, theirs[place]) }
    for (a, b) in zip(mine, theirs) { #expect(isClose(a, b, absolute: 1e-6, relative: 1e-4)) }
    for (a, b) in zip(fit.beacons, moved.beacons) {
      #expect(isClose(a.offset, b.offset, absolute: 1e-4))
      #expect(isClose(a.measuredPower + 1, b.measuredPower, absolute: 1e-4))
    }
  }

  @Test func `another unit of distance moves P by what it must, and n not at all`() throws {
    let packets = packets(seed: 4)
    let fit = try HierarchicalFit(sums(packets))
    // In centimetres: x is 20 less, and P the power at 1 cm.
    let moved = try HierarchicalFit(
      sums(
        packets.map { packet in
          var packet = packet
          packet.x -= 20
          return packet
        }))
    #expect(isClose(moved.exponent, fit.exponent, absolute: 1e-6))
    #expect(
      isClose(moved.measuredPower, fit.measuredPower + 20 * fit.exponent, absolute: 1e-5))
    #expect(isClose(moved.logLikelihood, fit.logLikelihood, absolute: 1e-7, relative: 0))
  }

  @Test func `the order of rows does not matter, nor does splitting one`() throws {
    let packets = packets(seed: 5)
    let whole = sums(packets)
    let fit = try numbers(HierarchicalFit(whole))
    var generator = SeededGenerator(seed: 6)
    let shuffled = try numbers(HierarchicalFit(whole.shuffled(using: &generator)))
    // Every packet a row of its own.
    let split = try numbers(HierarchicalFit(packets.flatMap { sums([$0]) }))
    for other in [shuffled, split] {
      #expect(fit.count == other.count)
      for (a, b) in zip(fit, other) { #expect(isClose(a, b, absolute: 1e-6, relative: 2e-4)) }
    }
  }

  @Test func `distances that differ within a row are used`() throws {
    // One row whose packets are at many distances, against one row per packet.
    let packets = packets(seed: 7).map { packet in
      var packet = packet
      packet.x += 0.01 * packet.level.truncatingRemainder(dividingBy: 7)
      return packet
    }
    let rows = try numbers(HierarchicalFit(sums(packets)))
    let single = try numbers(HierarchicalFit(packets.flatMap { sums([$0]) }))
    for (a, b) in zip(rows, single) { #expect(isClose(a, b, absolute: 1e-6, relative: 2e-4)) }
  }

  @Test func `keeps its digits with a million packets at a position`() throws {
    let few = sums(packets(seed: 8))
    let many = few.map { one in
      PositionSums(
        beacon: one.beacon, receiver: one.receiver, position: one.position, n: one.n * 1e6,
        x: one.x * 1e6, xx: one.xx * 1e6, y: one.y * 1e6, xy: one.xy * 1e6, yy: one.yy * 1e6)
    }
    let fit = try HierarchicalFit(many)
    #expect(fit.hasConverged)
    // Means are exact then: the rest is a fit of one mean per position.
    let means = try HierarchicalFit(
      few.map { one in
        let (x, y) = (one.x / one.n, one.y / one.n)
        return PositionSums(
          beacon: one.beacon, receiver: one.receiver, position: one.position, n: 1, x: x,
          xx: x * x, y: y, xy: x * y, yy: y * y)
      })
    #expect(means.omissions.map(\.reason) == [.onePacketEach])
    #expect(isClose(fit.measuredPower, means.measuredPower, relative: 1e-4))
    #expect(isClose(fit.exponent, means.exponent, relative: 1e-3))
    let position = try #require(fit.deviations[.position])
    #expect(isClose(position.value, means.packetDeviation.value, relative: 1e-3))
  }

  @Test func `reports offsets that cannot be distinguished from others`() throws {
    let twins = packets(seed: 9, SimulatedLinks(beacons: 6, receivers: 1)).map { packet in
      var packet = packet
      packet.receiver = packet.beacon
      return packet
    }
    let fit = try HierarchicalFit(sums(twins))
    #expect(fit.omissions.map(\.effect) == [.receiver])
    #expect(fit.omissions.map(\.reason) == [.same(as: .beacon)])
    #expect(
      fit.omissions[0].description
        == "each receiver has one beacon of its own: "
        + "the deviation of the beacons includes both")
    #expect(fit.receivers.isEmpty)
    #expect(fit.beacons.count == 6)
    let single = try HierarchicalFit(
      sums(packets(seed: 9, SimulatedLinks(beacons: 12, receivers: 1, positions: 1))))
    #expect(single.omissions.first?.reason == .same(as: .position))
    #expect(single.omissions.map(\.effect) == [.beacon, .receiver])
    #expect(HierarchicalFit.gauge.contains("average beacon at the average receiver"))
  }

  @Test func `refuses what determines nothing, in a sentence`() {
    func row(_ position: Int, _ x: Double, _ y: Double, n: Double = 5, noise: Double = 2)
      -> PositionSums
    {
      PositionSums(
        beacon: 0, receiver: 0, position: position, n: n, x: n * x, xx: n * x * x, y: n * y,
        xy: n * x * y, yy: n * y * y + noise)
    }
    typealias Refusal = HierarchicalFit.Refusal
    func expect(_ refusal: Refusal, _ rows: [PositionSums]) {
      #expect(throws: refusal) { try HierarchicalFit(rows) }
    }
    expect(.tooFewPositions(0), [])
    expect(.tooFewPositions(2), [row(0, 0, -59), row(1, -10, -80)])
    expect(.oneDistance, [row(0, -3, -59), row(1, -3, -80), row(2, -3, -70)])
    // Positions off the line, and on it.
    expect(
      .noNoise, [row(0, 0, -59, noise: 0), row(1, -5, -70, noise: 0), row(2, -10, -79, noise: 0)])
    expect(.noNoise, (0..<5).map { row($0, -2 * Double($0), -59 - 4 * Double($0), noise: 0) })
    var rows = [row(0, 0, -59), row(1, -5, -70), row(2, -10, -79)]
    #expect(throws: Never.self) { try HierarchicalFit(rows) }
    rows[1].n = 0
    expect(.unusableSums(1), rows)
    rows[1] = row(-1, -5, -70)
    expect(.unusableSums(1), rows)
    rows[1] = row(1, .nan, -70)
    expect(.unusableSums(1), rows)
    rows[1] = row(1, -5, -70)
    rows[1].yy = 1
    expect(.unusableSums(1), rows)
    #expect(
      Refusal.tooFewPositions(1).description
        == "too few positions (1) to estimate the errors of a hierarchical fit: "
        + "record at 3 or more")
  }
}
