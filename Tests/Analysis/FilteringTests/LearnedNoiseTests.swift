import Filtering
import TestSupport
import Testing

/// Chains that learn noise on the way, as streams do.
struct LearnedNoiseTests {
  private static let second: Int64 = 1_000_000_000

  /// The filtered levels of a link with one level per second.
  private func filtered(_ filter: String, _ levels: [Double]) throws -> [Double] {
    var chain = FilterChain([try FilterSpecification(filter)], learns: true)
    let link = chain.addLink(LinkPlace(trace: 0, receiver: 0))
    return levels.enumerated().map { second, level in
      var rows = LevelRows()
      rows.append(
        row: second, link: link, time: Int64(second) * Self.second, rssi: level, channel: 37)
      chain.process(&rows)
      return rows.rssi[0]
    }
  }

  @Test(arguments: [
    "kalman", "multiple-model", "velocity", "adaptive", "channels", "tobit:interval=1s,floor=-99",
  ])
  func `every filter follows a beacon that is moved after an hour of rest, within 30 s`(
    filter: String
  ) throws {
    for step in [-20.0, 20] {
      var generator = SeededGenerator(seed: 3)
      let levels = (0..<3660).map { second in
        (-70 + (second < 3600 ? 0 : step) + 3 * generator.gaussian()).rounded()
      }
      let filtered = try filtered(filter, levels)
      #expect(abs(filtered[3599] + 70) < 3)
      #expect(filtered[3600..<3630].contains { abs($0 + 70 - step) < 3 }, "\(filter) by \(step) dB")
    }
  }

  @Test func `learns the noise of a link from its newest levels`() throws {
    // A walk for an hour, then rest: the process noise of the walk is forgotten.
    var generator = SeededGenerator(seed: 5)
    var level = -70.0
    let levels = (0..<6000).map { second in
      if second < 3600 { level += 2 * generator.gaussian() }
      level = max(-95, min(-45, level))
      return level + 3 * generator.gaussian()
    }
    let rest = try filtered("adaptive", levels)[5700...]
    let mean = rest.reduce(0, +) / Double(rest.count)
    let scatter = rest.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rest.count)
    // The random walk of the first hour would leave half of the noise, 4 dB² or more.
    #expect(scatter < 1)
  }

  @Test func `written noise stays as it is`() throws {
    let levels = (0..<200).map { Double(-60 - $0 % 7) }
    var filter = KalmanFilter(q: 1, r: 9)
    let expected = levels.enumerated().map {
      filter.update(time: Int64($0) * Self.second, rssi: $1).rssi
    }
    #expect(try filtered("kalman:q=1,r=9", levels) == expected)
  }
}
