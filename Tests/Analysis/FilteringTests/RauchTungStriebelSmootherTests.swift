import Filtering
import TestSupport
import Testing

struct RauchTungStriebelSmootherTests {
  @Test(arguments: [(0.0, 4.0), (0.5, 9.0), (6.0, 12.0), (20.0, 2.0)])
  func `is the Gaussian posterior of a random walk given all levels`(q: Double, r: Double) throws {
    let heard = WalkingLevels(60, seed: UInt64(r))
    let expected = try denseWalk(heard, q: q, r: r, lag: 1e6)
    let said = heard.said(by: RauchTungStriebelSmoother(q: q, r: r))
    try #require(said.count == expected.count)
    for (said, line) in zip(said, expected) {
      #expect(isClose(said.rssi, line[0], absolute: 1e-9))
      #expect(isClose(said.variance, line[1], relative: 1e-9))
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `is the same backwards in time`(seed: UInt64) {
    let heard = WalkingLevels(200, seed: seed)
    var mirrored = heard
    mirrored.times = heard.times.reversed().map { -$0 }
    mirrored.levels.reverse()
    let said = heard.said(by: RauchTungStriebelSmoother(q: 6, r: 12))
    let others = mirrored.said(by: RauchTungStriebelSmoother(q: 6, r: 12))
    #expect(agree(said, others.reversed(), tolerance: 1e-9))
  }

  @Test func `ends where the filter ends, is never less certain, and has its likelihood`() {
    let heard = WalkingLevels(300, seed: 4)
    var filter = KalmanFilter(q: 6, r: 12)
    let filtered = heard.times.indices.map {
      filter.update(time: heard.times[$0], rssi: heard.levels[$0])
    }
    var smoother = RauchTungStriebelSmoother(q: 6, r: 12)
    var said: [FilteredLevel] = []
    for k in heard.times.indices {
      smoother.update(time: heard.times[k], rssi: heard.levels[k], into: &said)
    }
    #expect(said.isEmpty)
    smoother.finish(into: &said)
    #expect(said.last == filtered.last)
    #expect(zip(said, filtered).allSatisfy { $0.variance <= $1.variance * (1 + 1e-12) })
    #expect(smoother.logLikelihood == filter.logLikelihood)
    #expect(smoother.delay == nil)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `says the same whenever it is told the time`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let heard = WalkingLevels(100, seed: seed)
    let smoother = RauchTungStriebelSmoother(q: 6, r: 12)
    #expect(bits(saidInSteps(smoother, heard, &generator)) == bits(heard.said(by: smoother)))
  }

  @Test func `knows no origin of time or level, and takes the longest gap`() {
    let heard = WalkingLevels(200, longestGap: 300, seed: 6)
    let said = heard.said(by: RauchTungStriebelSmoother(q: 6, r: 12))
    #expect(said.allSatisfy { $0.rssi.isFinite && $0.variance > 0 && $0.variance <= 12 })
    let moved = heard.shifted(seconds: -1_700_000_123, decibels: 17)
      .said(by: RauchTungStriebelSmoother(q: 6, r: 12))
    #expect(agree(said, moved, decibels: 17))
    var ends = WalkingLevels(2, seed: 1)
    ends.times = [.min, .max]
    ends.levels = [-60, -80]
    let far = ends.said(by: RauchTungStriebelSmoother(q: 1, r: 1))
    #expect(
      agree(far, [.init(rssi: -60, variance: 1), .init(rssi: -80, variance: 1)], tolerance: 1e-6))
  }

  @Test func `is made from its text`() throws {
    #expect(try FilterSpecification("rts").missingNoise == .randomWalk)
    let heard = WalkingLevels(50, seed: 3)
    let said = try levels(
      of: ["rts:q=2,r=9"],
      at: heard.times.indices.map {
        Heard(link: 0, time: heard.times[$0], rssi: heard.levels[$0])
      }, places: oneLink)
    #expect(bits(said) == bits(heard.said(by: RauchTungStriebelSmoother(q: 2, r: 9))))
  }
}
