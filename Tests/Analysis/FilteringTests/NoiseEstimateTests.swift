import Filtering
import TestSupport
import Testing

struct NoiseEstimateTests {
  private let script =
    likelihoodScript + """
      for _ in sets():
          value, q, r = best()
          answer(q, r, -value)
      """

  /// q, r and their log-likelihood by scipy.
  private func scipy(_ links: [NoiseEstimate.Link], leastR: Double) throws -> [Double] {
    try reference(script, likelihoodRows(links, leastR: leastR))[0]
  }

  private func expectSame(
    _ estimate: NoiseEstimate, _ scipy: [Double], at location: SourceLocation = #_sourceLocation
  ) {
    #expect(isClose(estimate.q, scipy[0], relative: 1e-4), sourceLocation: location)
    #expect(isClose(estimate.r, scipy[1], relative: 1e-4), sourceLocation: location)
    #expect(isClose(estimate.logLikelihood, scipy[2], absolute: 1e-6), sourceLocation: location)
  }

  @Test func `finds the noise of simulated links, where the likelihood is largest`() throws {
    var generator = SeededGenerator(seed: 7)
    let cases = Reception.allCases.flatMap { reception in
      [(6.0, 12.0), (0.2, 4.0)].map { (reception, q: $0.0, r: $0.1) }
    }
    let links = cases.map { reception, q, r in
      levels(at: reception.times(800, &generator), q: q, r: r, &generator).rounded()
    }
    let expected = try reference(script, links.flatMap { likelihoodRows([$0], leastR: 1.0 / 12) })
    try #require(expected.count == cases.count)
    for ((link, truth), scipy) in zip(zip(links, cases), expected) {
      let estimate = try #require(NoiseEstimate([link]))
      expectSame(estimate, scipy)
      let uncertainty = estimate.uncertainty(from: [link])
      #expect(isClose(estimate.q, truth.q, absolute: 5 * uncertainty.qStandardError))
      // Rounding to 1 dB adds its own variance.
      #expect(isClose(estimate.r, truth.r + 1.0 / 12, absolute: 5 * uncertainty.rStandardError))
    }
  }

  @Test func `pools links of different lengths, each with a start of its own`() throws {
    var generator = SeededGenerator(seed: 8)
    let links = [5, 40, 1, 300, 900].enumerated().map { index, count in
      var link = levels(
        at: Reception.allCases[index % 3].times(count, &generator), q: 6, r: 12, &generator)
      // Levels of different links are not comparable; only their changes count.
      for k in link.levels.indices { link.levels[k] -= Float(20 * index) }
      return link
    }
    let estimate = try #require(NoiseEstimate(links + [NoiseEstimate.Link()]))
    expectSame(estimate, try scipy(links.filter { $0.times.count > 1 }, leastR: 1e-6))
  }

  @Test(arguments: [0, 1, 2])
  func `its likelihood is that of a dense Gaussian`(repeats: Int) throws {
    var generator = SeededGenerator(seed: 20)
    var links = [60, 250].map { count in
      levels(at: Reception.dutyCycled.times(count, &generator), q: 6, r: 12, &generator).rounded()
    }
    // Several levels at one time.
    for k in links[1].times.indices where k > 0 && k % 3 < repeats {
      links[1].times[k] = links[1].times[k - 1]
    }
    let estimate = try #require(NoiseEstimate(links))
    let script = """
      from scipy.stats import multivariate_normal
      q, r = rows[0]
      total = 0.0
      for t, z in zip(rows[1::2], rows[2::2]):
          n = len(z)
          walk = q * np.minimum.outer(t, t)
          d = np.diff(np.eye(n), axis=0)
          total += multivariate_normal.logpdf(d @ z, cov=d @ (walk + r * np.eye(n)) @ d.T)
      answer(total)
      """
    var rows = likelihoodRows(links, leastR: 0)
    rows[0] = [estimate.q, estimate.r]
    let expected = try reference(script, rows)[0][0]
    #expect(isClose(estimate.logLikelihood, expected, absolute: 1e-8))
  }

  @Test(arguments: [false, true])
  func `its likelihood is that of the filter with its parameters`(late: Bool) throws {
    var generator = SeededGenerator(seed: 10)
    var link = levels(at: Reception.dense.times(400, &generator), q: 6, r: 12, &generator)
    if late {
      for k in stride(from: 5, to: 400, by: 9) { link.times[k] -= 700_000_000 }
    }
    let estimate = try #require(NoiseEstimate([link]))
    let filtered = likelihood(of: [link], estimate.q, estimate.r)
    #expect(isClose(estimate.logLikelihood, filtered, absolute: 1e-8))
  }

  @Test(arguments: [1, 0.5] as [Float])
  func `is never below the variance of rounding, and best under that condition`(step: Float) throws
  {
    var generator = SeededGenerator(seed: 9)
    let walk = levels(at: Reception.dense.times(500, &generator), q: 8, r: 0, &generator)
    let rounded = walk.smoothed().rounded(to: step)
    let estimate = try #require(NoiseEstimate([rounded]))
    let leastR = Double(step * step) / 12
    #expect(estimate.r == leastR)
    expectSame(estimate, try scipy([rounded], leastR: leastR))
  }

  @Test
  func `levels without any noise make r the rounding of Float and q the mean of d² / h`() throws {
    var generator = SeededGenerator(seed: 21)
    let times = Reception.sparse.times(400, &generator)
    // Changes that go on as they went: noise would turn some of them back.
    var link = NoiseEstimate.Link()
    var (level, last, sum) = (-60.0, times[0], 0.0)
    for (k, time) in times.enumerated() {
      let seconds = Double(time - last) * 1e-9
      let change = (3 * seconds).squareRoot() * [1.3, 0.7, 1.1, 0.9, -0.9, -1.1, -1.3, -0.7][k % 8]
      level += change
      if k > 0 { sum += change * change / seconds }
      last = time
      link.times.append(time)
      link.levels.append(Float(level))
    }
    let estimate = try #require(NoiseEstimate([link]))
    #expect(estimate.r > 0 && estimate.r < 1e-10)
    #expect(isClose(estimate.q, sum / 399, relative: 1e-5))
    #expect(estimate.uncertainty(from: [link]).rStandardError.isNaN)
  }

  @Test
  func `a tag at rest has a q of 0 exactly where no movement explains its levels better`() throws {
    var generator = SeededGenerator(seed: 11)
    let links = (0..<8).map { _ in
      levels(at: Reception.dense.times(300, &generator), q: 0, r: 9, &generator).rounded()
    }
    let expected = try reference(script, links.flatMap { likelihoodRows([$0], leastR: 1.0 / 12) })
    try #require(expected.count == links.count)
    var zeros = 0
    for (link, scipy) in zip(links, expected) {
      let estimate = try #require(NoiseEstimate([link]))
      #expect((estimate.q == 0) == (scipy[0] == 0))
      expectSame(estimate, scipy)
      if estimate.q == 0 {
        zeros += 1
        #expect(isClose(estimate.r, sampleVariance(link), relative: 1e-10))
      }
    }
    #expect((1..<8).contains(zeros))
  }

  @Test func `levels that alternate, or that all came at one time, are noise alone`() throws {
    let times = (0..<40).map { Int64($0) * 1_000_000_000 }
    let alternating = NoiseEstimate.Link(
      times: times, levels: (0..<40).map { Float(-60 - $0 % 2 * 4) })
    var generator = SeededGenerator(seed: 22)
    let levels = (0..<40).map { _ in Float(-60 + 3 * generator.gaussian()) }
    let atOnce = NoiseEstimate.Link(times: Array(repeating: 5, count: 40), levels: levels)
    let climbing = NoiseEstimate.Link(times: atOnce.times, levels: (0..<40).map { Float($0) })
    for link in [alternating, atOnce, climbing] {
      let estimate = try #require(NoiseEstimate([link]))
      #expect(estimate.q == 0)
      #expect(isClose(estimate.r, sampleVariance(link), relative: 1e-10))
    }
  }

  @Test func `a link may be silent for a year`() throws {
    var generator = SeededGenerator(seed: 23)
    var link = levels(at: Reception.dense.times(600, &generator), q: 6, r: 12, &generator).rounded()
    for k in 300..<600 { link.times[k] += 31_000_000_000_000_000 }
    expectSame(try #require(NoiseEstimate([link])), try scipy([link], leastR: 1.0 / 12))
  }

  @Test
  func `a link's traces are as many links, and what is no number is as if it never came`() throws {
    var generator = SeededGenerator(seed: 24)
    var links = (0..<60).map { _ in
      levels(at: Reception.sparse.times(12, &generator), q: 6, r: 12, &generator).rounded()
    }
    let estimate = try #require(NoiseEstimate(links))
    expectSame(estimate, try scipy(links, leastR: 1.0 / 12))
    for k in links.indices {
      links[k].times.insert(links[k].times[3] + 1, at: 4)
      links[k].levels.insert([.nan, .infinity, -.infinity][k % 3], at: 4)
    }
    #expect(NoiseEstimate(links) == estimate)
  }

  @Test func `there is none from fewer than 10 steps, or from levels that never change`() {
    var generator = SeededGenerator(seed: 12)
    let ten = levels(at: Reception.dense.times(10, &generator), q: 6, r: 12, &generator)
    let eleven = levels(at: Reception.dense.times(11, &generator), q: 6, r: 12, &generator)
    #expect(NoiseEstimate([ten]) == nil)
    #expect(NoiseEstimate([eleven]) != nil)
    #expect(NoiseEstimate([]) == nil)
    let single = NoiseEstimate.Link(times: [1], levels: [-60])
    #expect(NoiseEstimate(Array(repeating: single, count: 100)) == nil)
    let constant = NoiseEstimate.Link(
      times: eleven.times, levels: Array(repeating: -60, count: 11))
    #expect(NoiseEstimate([constant, constant]) == nil)
  }

  /// With no movement the diffuse start leaves n − 1 degrees of freedom.
  private func sampleVariance(_ link: NoiseEstimate.Link) -> Double {
    let levels = link.levels.map(Double.init)
    let mean = levels.reduce(0, +) / Double(levels.count)
    return levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count - 1)
  }
}

/// The log-likelihood of links by the filter itself.
func likelihood(of links: [NoiseEstimate.Link], _ q: Double, _ r: Double) -> Double {
  links.reduce(0) { sum, link in
    var filter = KalmanFilter(q: q, r: r)
    for (time, level) in zip(link.times, link.levels) where level.isFinite {
      _ = filter.update(time: time, rssi: Double(level))
    }
    return sum + filter.logLikelihood
  }
}
