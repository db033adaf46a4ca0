import Filtering
import TestSupport
import Testing

struct FixedLagSmootherTests {
  private func smoother(_ lag: Int64, q: Double = 6, r: Double = 12) -> FixedLagSmoother {
    FixedLagSmoother(q: q, r: r, lag: .nanoseconds(lag))
  }

  @Test(arguments: [(0.0, 4.0), (0.5, 9.0), (6.0, 12.0)], [0.3, 2, 10])
  func `is the Gaussian posterior of a random walk given all levels up to the lag`(
    noise: (q: Double, r: Double), lag: Double
  ) throws {
    let heard = WalkingLevels(60, longestGap: 5, seed: UInt64(noise.r))
    let expected = try denseWalk(heard, q: noise.q, r: noise.r, lag: lag)
    let said = heard.said(by: smoother(Int64(lag * 1e9), q: noise.q, r: noise.r))
    try #require(said.count == expected.count)
    for (said, line) in zip(said, expected) {
      #expect(isClose(said.rssi, line[0], absolute: 1e-9))
      #expect(isClose(said.variance, line[1], relative: 1e-9))
    }
  }

  @Test func `uses a level exactly the lag later, and none that is a nanosecond more`() {
    for (gap, isUsed) in [(Int64(1_000_000_000), true), (1_000_000_001, false)] {
      var one = smoother(1_000_000_000)
      var said: [FilteredLevel] = []
      one.update(time: 5, rssi: -60, channel: 37, into: &said)
      one.advance(to: 5 + 1_000_000_000, into: &said)
      #expect(said.isEmpty, "a sighting at that time may still come")
      one.update(time: 5 + gap, rssi: -70, channel: 37, into: &said)
      #expect(said.isEmpty == isUsed)
      one.finish(into: &said)
      #expect(said.count == 2)
      #expect((said[0].rssi < -61) == isUsed)
      #expect((said[0].variance < 12) == isUsed)
    }
  }

  @Test func `a lag longer than the link gives the smoother of Rauch, Tung and Striebel`() {
    let heard = WalkingLevels(300, seed: 2)
    let whole = heard.said(by: RauchTungStriebelSmoother(q: 6, r: 12))
    #expect(agree(heard.said(by: smoother(.max)), whole, tolerance: 1e-9))
    #expect(agree(heard.said(by: smoother(3_600_000_000_000)), whole, tolerance: 1e-9))
  }

  @Test func `without a lag it is the Kalman filter, but for levels at one time`() {
    var heard = WalkingLevels(200, seed: 3)
    for k in 1..<200 where heard.times[k] <= heard.times[k - 1] {
      heard.times[k] = heard.times[k - 1] + 1
    }
    #expect(bits(heard.said(by: smoother(0))) == bits(heard.said(by: KalmanFilter(q: 6, r: 12))))
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `gives the same output whenever it is informed of the time, and as early as possible`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let heard = WalkingLevels(150, longestGap: 5, seed: seed)
    let one = smoother(2_000_000_000)
    #expect(one.delay == 2_000_000_000)
    #expect(bits(saidInSteps(one, heard, &generator)) == bits(heard.said(by: one)))

    var prompt = one
    var said: [FilteredLevel] = []
    for k in heard.times.indices {
      prompt.update(
        time: heard.times[k], rssi: heard.levels[k], channel: 255, into: &said)
      #expect(said.count == heard.times[...k].count { $0 + 2_000_000_000 < heard.times[k] })
    }
    prompt.advance(to: .max, into: &said)
    #expect(said.count == heard.times.count)
  }

  @Test func `knows no origin of time or level, and takes the longest gap`() {
    let heard = WalkingLevels(200, longestGap: 300, seed: 6)
    let said = heard.said(by: smoother(2_000_000_000))
    #expect(said.allSatisfy { $0.rssi.isFinite && $0.variance > 0 && $0.variance <= 12 })
    let moved = heard.shifted(seconds: -1_700_000_123, decibels: 17)
      .said(by: smoother(2_000_000_000))
    #expect(agree(said, moved, decibels: 17))
    var ends = WalkingLevels(2, seed: 1)
    ends.times = [.min, .max]
    ends.levels = [-60, -80]
    for lag in [0, 1, Int64.max] {
      let far = ends.said(by: smoother(lag))
      #expect(
        isClose(far[0].rssi, -60, absolute: 1e-6) && isClose(far[1].rssi, -80, absolute: 1e-6))
    }
  }

  @Test func `is made from its text, with a lag of 2 s`() throws {
    #expect(try FilterSpecification("fixed-lag").missingNoise == .randomWalk)
    let heard = WalkingLevels(80, longestGap: 4, seed: 3)
    let sightings = heard.times.indices.map {
      Heard(link: 0, time: heard.times[$0], rssi: heard.levels[$0])
    }
    let two = try levels(of: ["fixed-lag:q=2,r=9"], at: sightings, places: oneLink)
    #expect(bits(two) == bits(heard.said(by: smoother(2_000_000_000, q: 2, r: 9))))
    let short = try levels(of: ["fixed-lag:lag=500ms,q=2,r=9"], at: sightings, places: oneLink)
    #expect(bits(short) == bits(heard.said(by: smoother(500_000_000, q: 2, r: 9))))
  }
}
