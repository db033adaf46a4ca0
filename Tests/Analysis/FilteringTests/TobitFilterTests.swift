import Filtering
import Support
import TestSupport
import Testing

struct TobitFilterTests {
  /// Each missed slot by quadrature: the belief times the probability of a miss, its moments on a
  /// fine grid. A row a case: two levels, q, r, floor, loss, seconds between, slots missed.
  private let script = """
    from scipy.special import log_ndtr
    def miss(m, P, r, floor, loss):
        s = P ** 0.5
        x = np.linspace(min(m - 14 * s, floor - 14 * (s + r ** 0.5)), m + 14 * s, 60001)
        u = (x - floor) / r ** 0.5
        # log(loss + (1 - loss) Φ(-u))
        far = np.log(1 - loss) + log_ndtr(-u)
        chance = np.logaddexp(np.log(loss), far) if loss > 0 else far
        logs = chance - 0.5 * (x - m) ** 2 / P - 0.5 * np.log(2 * np.pi * P)
        top = logs.max()
        w = np.exp(logs - top)
        total = w.sum()
        mean = (w * x).sum() / total
        return mean, (w * (x - mean) ** 2).sum() / total, top + np.log(total * (x[1] - x[0]))
    for first, second, q, r, floor, loss, h, n in rows:
        x, P, L = first, r, 0.0
        for _ in range(int(n)):
            x, P, l = miss(x, P + q * h / (n + 1), r, floor, loss)
            L += l
        P += q * h / (n + 1)
        S, e = P + r, second - x
        answer(x + P / S * e, P * r / S, L - 0.5 * (np.log(2 * np.pi * S) + e * e / S))
    """

  private func said(_ row: [Double]) -> (level: FilteredLevel, logLikelihood: Double) {
    var filter = TobitFilter(
      q: row[2], r: row[3], interval: row[6] / (row[7] + 1), floor: row[4], loss: row[5])
    _ = filter.update(time: 0, rssi: row[0])
    let level = filter.update(time: Int64(row[6] * 1e9), rssi: row[1])
    return (level, filter.logLikelihood)
  }

  @Test(arguments: [0.0, 0.05, 0.3, 0.9])
  func `a missed slot is the belief times the probability of a miss, by quadrature`(loss: Double)
    throws
  {
    var rows: [[Double]] = []
    for level in [-40.0, -80, -90, -95, -105, -140] {
      for (q, r) in [(0.0, 4.0), (6, 12), (100, 1)] {
        rows.append([level, -85, q, r, -95, loss, 2, 1])
      }
      rows.append([level, -91, 6, 12, -95, loss, 1, 9])
    }
    let expected = try reference(script, rows)
    for (row, line) in zip(rows, expected) {
      let said = said(row)
      #expect(isClose(said.level.rssi, line[0], absolute: 1e-8), "\(row)")
      #expect(isClose(said.level.variance, line[1], absolute: 1e-8), "\(row)")
      #expect(isClose(said.logLikelihood, line[2], absolute: 1e-8, relative: 1e-8), "\(row)")
    }
  }

  @Test func `beyond 64 slots a group gives nearly the result of its single slots`() throws {
    let rows: [[Double]] = [
      [-93, -92, 6, 9, -95, 0.3, 10, 99], [-85, -92, 6, 9, -95, 0.3, 20, 199],
      [-93, -94, 1, 9, -95, 0.5, 30, 149], [-80, -90, 6, 9, -95, 0, 20, 199],
    ]
    for (row, line) in zip(rows, try reference(script, rows)) {
      let said = said(row).level
      #expect(isClose(said.rssi, line[0], absolute: 0.7), "\(row)")
      #expect(isClose(said.variance, line[1], relative: 0.1), "\(row)")
    }
    // No jump where groups begin.
    let last = said([-90, -93, 6, 9, -95, 0.3, 6.5, 64]).level
    let next = said([-90, -93, 6, 9, -95, 0.3, 6.5, 65]).level
    #expect(isClose(last.rssi, next.rssi, absolute: 0.05))
  }

  @Test func `is the Kalman filter without missed slots, bit by bit`() {
    let heard = WalkingLevels(300, longestGap: 1, seed: 2)
    var tobit = TobitFilter(q: 6, r: 12, interval: 1, floor: -60, loss: 0)
    var kalman = KalmanFilter(q: 6, r: 12)
    for k in heard.times.indices {
      let said = tobit.update(time: heard.times[k], rssi: heard.levels[k])
      #expect(bits([said]) == bits([kalman.update(time: heard.times[k], rssi: heard.levels[k])]))
    }
    #expect(tobit.logLikelihood == kalman.logLikelihood)
  }

  @Test func `far above the floor a loss carries no information`() {
    let heard = WalkingLevels(300, longestGap: 5, seed: 3)
    let said = heard.said(by: TobitFilter(q: 0.5, r: 9, interval: 0.1, floor: -120, loss: 0.3))
    #expect(agree(said, heard.said(by: KalmanFilter(q: 0.5, r: 9)), tolerance: 1e-6))
  }

  @Test func `without any other loss, a miss far above the floor is still finite`() {
    let heard = WalkingLevels(300, longestGap: 100, seed: 4)
    var filter = TobitFilter(q: 0.01, r: 0.1, interval: 0.1, floor: -150, loss: 0)
    for k in heard.times.indices {
      let said = filter.update(time: heard.times[k], rssi: heard.levels[k])
      #expect(said.rssi.isFinite && said.variance > 0 && said.variance < 0.1 + 1e-12)
      #expect(filter.logLikelihood.isFinite)
    }
  }

  @Test func `near the floor its bias is less than a third of the Kalman filter's`() {
    var sums = (tobit: 0.0, kalman: 0.0, squaresTobit: 0.0, squaresKalman: 0.0, count: 0.0)
    for seed in 1...20 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var tobit = TobitFilter(q: 1, r: 16, interval: 0.2, floor: -95, loss: 0.3)
      var kalman = KalmanFilter(q: 1, r: 16)
      var level = -95.0
      for slot in Int64(0)..<1500 {
        // About the floor, with a deviation of 2 dB that lasts 8 s: 1 dB² more each second.
        level += -0.2 / 8 * (level + 95) + 0.2.squareRoot() * generator.gaussian()
        let heard = level + 4 * generator.gaussian()
        guard Double.random(in: 0..<1, using: &generator) >= 0.3, heard >= -95 else { continue }
        let time = slot * 200_000_000
        let error = tobit.update(time: time, rssi: heard).rssi - level
        let plain = kalman.update(time: time, rssi: heard).rssi - level
        guard slot > 100 else { continue }
        sums.tobit += error
        sums.kalman += plain
        sums.squaresTobit += error * error
        sums.squaresKalman += plain * plain
        sums.count += 1
      }
    }
    #expect(sums.count > 5000)
    #expect(sums.kalman / sums.count > 2)
    #expect(abs(sums.tobit) < sums.kalman / 3)
    #expect(sums.squaresTobit < sums.squaresKalman / 2)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>, [0.0, 0.3])
  func `is sound`(seed: UInt64, loss: Double) {
    expectSoundness(seed: seed) {
      TobitFilter(q: 6, r: 12, interval: 0.1, floor: -90 + $0, loss: loss)
    }
  }

  @Test func `is made from its text; what it leaves out is estimated`() throws {
    for (text, model) in [
      ("tobit:interval=1s", MissedSlotsModel(interval: 1)),
      ("tobit:interval=1s,floor=-95", MissedSlotsModel(interval: 1, floor: -95)),
      (
        "tobit:interval=1s,floor=-95,q=1,r=9",
        MissedSlotsModel(interval: 1, floor: -95, noise: Noise(q: 1, r: 9))
      ),
    ] { #expect(try FilterSpecification(text).missingNoise == .missedSlots(model)) }
    let complete = try FilterSpecification("tobit:interval=1s,floor=-95,loss=0.2,q=1,r=9")
    #expect(complete.missingNoise == nil)
    let heard = WalkingLevels(80, longestGap: 5, seed: 3)
    let sightings = heard.times.indices.map {
      Heard(link: 0, time: heard.times[$0], rssi: heard.levels[$0])
    }
    let usual = try levels(
      of: ["tobit:interval=200ms,floor=-80,loss=0.3,q=1,r=9"], at: sightings, places: oneLink)
    let filter = TobitFilter(q: 1, r: 9, interval: 0.2, floor: -80, loss: 0.3)
    #expect(bits(usual) == bits(heard.said(by: filter)))
  }

  @Test(arguments: [
    ("tobit", "interval=100ms"),
    ("tobit:interval=0,floor=-95", "a time above 0"),
    ("tobit:interval=1s,floor=95", "from -150 to 20 dBm"),
    ("tobit:interval=1s,floor=-95,loss=1", "from 0 to below 1"),
  ])
  func `names the expected form`(text: String, words: String) throws {
    let error = #expect(throws: RSSIError.self) { try FilterSpecification(text) }
    let sentence = try #require(error).description
    #expect(sentence.contains(words) && sentence.contains("\"\(text)\""), "\(sentence)")
  }
}
