import Foundation
import NumericalMethods
import TestSupport
import Testing

@testable import Evaluation

struct MixedComparisonTests {
  /// The cells of devices × sites × walks with random differences between algorithms, of which the
  /// second has errors that are 10 % larger.
  private func cells(
    devices: Int = 4, sites: Int = 3, walks: Int = 2, deviation: Double = 0.15, seed: UInt64
  ) -> [ComparedCell] {
    var generator = SeededGenerator(seed: seed)
    func offsets(_ count: Int, _ deviation: Double) -> [Double] {
      (0..<count).map { _ in deviation * generator.gaussian() }
    }
    let (device, site) = (offsets(devices, 0.2), offsets(sites, 0.3))
    let (ofDevice, ofSite) = (offsets(2 * devices, deviation), offsets(2 * sites, deviation))
    var cells: [ComparedCell] = []
    for d in 0..<devices {
      for s in 0..<sites {
        for _ in 0..<walks {
          let both = device[d] + site[s] + 0.15 * generator.gaussian()
          func logarithm(_ algorithm: Int) -> Double {
            both + ofDevice[2 * d + algorithm] + ofSite[2 * s + algorithm]
              + 0.1 * Double(algorithm) + 0.2 * generator.gaussian()
          }
          cells.append(
            ComparedCell(
              levels: [.trace: cells.count, .unit: cells.count, .device: d, .site: s],
              logarithms: (logarithm(0), logarithm(1))))
        }
      }
    }
    return cells
  }

  /// The restricted likelihood with dense matrices, maximised by scipy: the effect, its standard
  /// error and the deviations of trace, device, device × algorithm, site, site × algorithm, rest.
  private let script = """
    from scipy.optimize import minimize
    rows = np.array(rows)
    trace, device, site = (np.tile(rows[:, k], 2) for k in range(3))
    second = np.repeat([0.0, 1.0], len(rows))
    y = np.concatenate([rows[:, 3], rows[:, 4]])
    X = np.column_stack([np.ones_like(y), second - 0.5])
    def same(*keys): return np.all([k[:, None] == k[None, :] for k in keys], axis=0).astype(float)
    parts = [same(trace), same(device), same(device, second), same(site), same(site, second),
             np.eye(len(y))]
    def model(sd):
        V = sum(s * s * part for s, part in zip(sd, parts))
        inverse = np.linalg.inv(V)
        A = X.T @ inverse @ X
        beta = np.linalg.solve(A, X.T @ inverse @ y)
        r = y - X @ beta
        value = np.linalg.slogdet(V)[1] + np.linalg.slogdet(A)[1] + r @ inverse @ r
        return value, beta[1], np.linalg.inv(A)[1, 1] ** 0.5
    best = None
    for start in [[0.15, 0.2, 0.15, 0.3, 0.15, 0.2], [0.2, 0.1, 0.02, 0.1, 0.02, 0.2]]:
        fit = minimize(lambda sd: model(sd)[0], start, method="Nelder-Mead",
                       options=dict(xatol=1e-7, fatol=1e-10, maxiter=20000, maxfev=20000, adaptive=True))
        if best is None or fit.fun < best.fun: best = fit
    answer(*model(best.x)[1:], *abs(best.x))
    """

  @Test func `ratio, interval and deviations are those of scipy`() throws {
    let cells = cells(seed: 3)
    let found = try #require(MixedComparison("a", "b", cells))
    let rows = cells.map { cell in
      [.trace, .device, .site].map { Double(cell.levels[$0] ?? 0) }
        + [cell.logarithms.0, cell.logarithms.1]
    }
    let expected = try reference(script, rows)[0]
    #expect(isClose(log(found.ratio), expected[0], absolute: 1e-5))
    let freedom = try #require(found.degreesOfFreedom)
    let interval = try #require(found.interval)
    let half = log(interval.upper / interval.lower) / 2
    let error = half / StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975)
    #expect(isClose(error, expected[1], relative: 5e-3))
    #expect(
      found.components.map(\.factor) == [.trace, .device, .device, .site, .site, nil])
    for (component, deviation) in zip(found.components, expected[2...]) {
      #expect(isClose(component.deviation, deviation, absolute: 1e-3, relative: 5e-3))
    }
  }

  @Test func `with devices alone it is the t-test of the devices' means`() throws {
    // Balanced, so that the mean difference has the variance between devices over their number.
    let cells = cells(devices: 6, sites: 1, walks: 4, deviation: 0.3, seed: 5)
    let found = try #require(MixedComparison("a", "b", cells))
    let means = (0..<6).map { device in
      let own = cells.filter { $0.levels[.device] == device }
      return own.reduce(0) { $0 + $1.logarithms.1 - $1.logarithms.0 } / Double(own.count)
    }
    let mean = means.reduce(0, +) / 6
    let variance = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 5
    #expect(isClose(log(found.ratio), mean, absolute: 1e-9))
    #expect(isClose(try #require(found.degreesOfFreedom), 5, relative: 0.01))
    let half =
      StudentTDistribution(degreesOfFreedom: 5).quantile(0.975) * (variance / 6).squareRoot()
    let interval = try #require(found.interval)
    #expect(isClose(log(interval.upper), mean + half, relative: 0.01))
  }

  @Test func `the interval holds where a t-test over recordings does not`() throws {
    var (held, tested, ofRecordings) = (0, 0, 0)
    for seed in 1...100 as ClosedRange<UInt64> {
      let cells = cells(deviation: 0.2, seed: seed)
      guard let interval = MixedComparison("a", "b", cells)?.interval else { continue }
      tested += 1
      if interval.lower <= exp(0.1), exp(0.1) <= interval.upper { held += 1 }
      let differences = cells.map { $0.logarithms.1 - $0.logarithms.0 }
      let count = Double(differences.count)
      let mean = differences.reduce(0, +) / count
      let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let half =
        StudentTDistribution(degreesOfFreedom: count - 1).quantile(0.975)
        * (squares / (count - 1) / count).squareRoot()
      if abs(mean - 0.1) <= half { ofRecordings += 1 }
    }
    #expect(tested >= 98)
    #expect(held >= 88)
    #expect(ofRecordings < 80)
  }

  @Test func `one device at one site has no mixed model`() {
    let cells = cells(devices: 1, sites: 1, walks: 8, seed: 1)
    #expect(MixedComparison("a", "b", cells) == nil)
  }

  @Test func `equal algorithms have no likelihood`() {
    let cells = cells(seed: 1).map { cell in
      ComparedCell(
        levels: cell.levels, logarithms: (cell.logarithms.0, cell.logarithms.0))
    }
    #expect(MixedComparison("a", "b", cells) == nil)
  }

  @Test func `a leaderboard compares over the devices of its recordings`() throws {
    var generator = SeededGenerator(seed: 2)
    var settings = LeaderboardSettings()
    settings.bootstrap = TraceBootstrap(resamples: 50)
    settings.origins = (0..<12).map { RecordingOrigin(device: "phone \($0 % 4)", site: $0 / 6) }
    var traces = questions(Array(repeating: 10, count: 12))
    for trace in traces.indices {
      for question in traces[trace].questions.indices {
        traces[trace].questions[question].recording = trace
      }
    }
    func errors(_ size: Double) -> [[Double?]] {
      (0..<12).map { _ in (0..<10).map { _ in size * exp(0.2 * generator.gaussian()) } }
    }
    let near = answers("near", errors(1))
    let far = answers("far", errors(1.5))
    let board = Leaderboard(traces: traces, answers: [near, far], settings: settings)
    let mixed = try #require(board.mixed.first)
    #expect(board.mixed.count == 1 && mixed.first == "near" && mixed.second == "far")
    #expect(mixed.cells == 12 && isClose(mixed.ratio, 1.5, relative: 0.15))
    settings.origins = []
    #expect(Leaderboard(traces: traces, answers: [near, far], settings: settings).mixed.isEmpty)
  }
}
