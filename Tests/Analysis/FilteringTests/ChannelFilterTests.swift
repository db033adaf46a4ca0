import TestSupport
import Testing

@testable import Filtering

struct ChannelFilterTests {
  @Test(arguments: [(0.0, 4.0, 2.0, 5.0), (0.5, 12, 3, 10), (6, 12, 4, 1), (20, 2, 5, 60)])
  func `is the Gaussian posterior of a random walk heard on channels that fade`(
    q: Double, r: Double, offset: Double, fading: Double
  ) throws {
    let script = """
      from scipy.stats import multivariate_normal
      t, z, c, (q, r, s, tau) = rows
      known = (c >= 37) & (c <= 39)
      noise = np.where(known, max(r - 2 / 3 * s * s, r / 2), r)
      same = (c[:, None] == c[None, :]) & known[:, None]
      rest = np.where(same, s * s * np.exp(-abs(np.subtract.outer(t, t)) / tau), 0) + np.diag(noise)
      for n in range(1, len(z) + 1):
          # Seen from now, each level is the present one, less what the walk did since.
          age = t[n - 1] - t[:n]
          w = np.linalg.solve(q * np.minimum.outer(age, age) + rest[:n, :n], np.ones(n))
          likelihood = 0
          if n > 1:
              T = np.column_stack([-np.ones(n - 1), np.eye(n - 1)])
              K = T @ (q * np.minimum.outer(t[:n], t[:n]) + rest[:n, :n]) @ T.T
              likelihood = multivariate_normal.logpdf(T @ z[:n], np.zeros(n - 1), K)
          answer(w @ z[:n] / w.sum(), 1 / w.sum(), likelihood)
      """
    let heard = WalkingLevels(70, seed: UInt64(fading))
    let expected = try reference(
      script,
      [heard.seconds, heard.levels, heard.channels.map(Double.init), [q, r, offset, fading]])
    try #require(expected.count == heard.times.count)
    var filter = ChannelFilter(q: q, r: r, offset: offset, fading: fading)
    for (k, line) in expected.enumerated() {
      let said = filter.update(
        time: heard.times[k], rssi: heard.levels[k], channel: heard.channels[k])
      #expect(isClose(said.rssi, line[0], absolute: 1e-8))
      #expect(isClose(said.variance, line[1], relative: 1e-8))
      #expect(isClose(filter.logLikelihood, line[2], absolute: 1e-8, relative: 1e-8))
    }
  }

  @Test func `is the Kalman filter where no channel is known, or channels do not differ`() {
    var heard = WalkingLevels(300, seed: 2)
    let kalman = heard.said(by: KalmanFilter(q: 6, r: 12))
    #expect(agree(heard.said(by: ChannelFilter(q: 6, r: 12, offset: 0, fading: 10)), kalman))
    // Those of extended advertisements are none of the three.
    for channel in [UInt8(255), 0, 12, 36, 40] {
      heard.channels = heard.channels.map { _ in channel }
      var filter = ChannelFilter(q: 6, r: 12, offset: 3, fading: 10)
      #expect(agree(heard.said(by: filter), kalman))
      var plain = KalmanFilter(q: 6, r: 12)
      for k in heard.times.indices {
        _ = filter.update(time: heard.times[k], rssi: heard.levels[k], channel: channel)
        _ = plain.update(time: heard.times[k], rssi: heard.levels[k])
      }
      #expect(isClose(filter.logLikelihood, plain.logLikelihood, relative: 1e-10))
    }
  }

  @Test func `the channels are alike`() {
    var heard = WalkingLevels(100, seed: 3)
    let said = heard.said(by: ChannelFilter(q: 1, r: 12, offset: 3, fading: 10))
    heard.channels = heard.channels.map { $0 == 255 ? 255 : $0 == 39 ? 37 : $0 + 1 }
    #expect(agree(heard.said(by: ChannelFilter(q: 1, r: 12, offset: 3, fading: 10)), said))
  }

  @Test func `at rest, on channels that differ for long, it errs less than the Kalman filter`() {
    // Measured deviations within and between the channels of a place; the level is the mean of all
    // channels there could be, which three of them miss by 3/√3 dB on average.
    var errors = (channels: 0.0, kalman: 0.0)
    for seed in 1...60 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let offsets = (0..<3).map { _ in 3 * generator.gaussian() }
      var filter = ChannelFilter(q: 0.05, r: 10, offset: 3, fading: 10)
      var kalman = KalmanFilter(q: 0.05, r: 10)
      for k in Int64(0)..<300 {
        // Two of three packets come on one channel, as where the others are disturbed.
        let channel = [0, 0, 0, 0, 1, 2].randomElement(using: &generator) ?? 0
        let level = -70 + offsets[channel] + 1.9 * generator.gaussian()
        let said = filter.update(
          time: k * 200_000_000, rssi: level, channel: UInt8(37 + channel)
        ).rssi
        let plain = kalman.update(time: k * 200_000_000, rssi: level).rssi
        errors.channels += (said + 70) * (said + 70)
        errors.kalman += (plain + 70) * (plain + 70)
      }
    }
    #expect(errors.channels < 0.85 * errors.kalman)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a gap is the same in one step or in two`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let heard = WalkingLevels(20, seed: seed)
    var once = ChannelFilter(q: 2, r: 9, offset: 3, fading: 10)
    for k in heard.times.indices {
      _ = once.update(time: heard.times[k], rssi: heard.levels[k], channel: heard.channels[k])
    }
    var twice = once
    let first = Double.random(in: 0...20, using: &generator)
    let then = Double.random(in: 0...20, using: &generator)
    once.predict(first + then)
    twice.predict(first)
    twice.predict(then)
    for channel in [UInt8(38), 37, 39, 255] {
      let said = once.update(time: heard.times[19], rssi: -70, channel: channel)
      let same = twice.update(time: heard.times[19], rssi: -70, channel: channel)
      #expect(isClose(said.rssi, same.rssi, relative: 1e-12))
      #expect(isClose(said.variance, same.variance, relative: 1e-12))
    }
  }

  @Test(arguments: [(12.0, 3.0, 6.0), (20, 3, 14), (4, 3, 2), (9, 0, 9)])
  func `noise within a channel is what the channels' differences leave`(
    r: Double, offset: Double, within: Double
  ) {
    #expect(isClose(ChannelFilter(q: 1, r: r, offset: offset, fading: 1).channelR, within))
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `is sound`(seed: UInt64) {
    expectSoundness(seed: seed) { _ in ChannelFilter(q: 6, r: 12, offset: 3, fading: 10) }
  }

  @Test func `is made from its text, with offsets of 3 dB that fade in 10 s`() throws {
    #expect(try FilterSpecification("channels").missingNoise == .randomWalk)
    let heard = WalkingLevels(80, seed: 3)
    let sightings = heard.times.indices.map {
      Heard(link: 0, time: heard.times[$0], rssi: heard.levels[$0], channel: heard.channels[$0])
    }
    let usual = try levels(of: ["channels:q=1,r=9"], at: sightings, places: oneLink)
    #expect(bits(usual) == bits(heard.said(by: ChannelFilter(q: 1, r: 9, offset: 3, fading: 10))))
    let other = try levels(
      of: ["channels:offset=5,fading=2s,q=1,r=9"], at: sightings, places: oneLink)
    #expect(bits(other) == bits(heard.said(by: ChannelFilter(q: 1, r: 9, offset: 5, fading: 2))))
  }
}
