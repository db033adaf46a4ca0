import Foundation
import PathLoss
import TestSupport
import Testing

@Suite("Shape and scatter of the curve")
struct ShapeTests {
  private func found(_ code: String, _ stations: [Station]) -> Diagnostic? {
    PathLossFit().group(key: "k", stations).diagnostics.first { $0.code == code }
  }

  /// Stations with other levels, in whole dBm, of `shift` dB each.
  private func shifted(_ stations: [Station], by shift: (Int, Station) -> Double) -> [Station] {
    stations.enumerated().map { index, station in
      var station = station
      let shift = shift(index, station).rounded()
      for cell in station.levels.indices { station.levels[cell].level += shift }
      return station
    }
  }

  private func bent(_ generator: inout SeededGenerator) -> [Station] {
    var simulation = SimulatedStations()
    simulation.distances = (0..<24).map { pow(40, Double($0) / 23) }
    simulation.positionDeviation = 1.5
    return shifted(simulation.draw(&generator)) { -20 * max(0, log10($1.distance / 8)) }
  }

  /// The p-value of generalised least squares with a dense covariance matrix, at the correlation of
  /// the greatest restricted likelihood.
  @Test func `a bend, with the numbers of generalised least squares by numpy`() throws {
    var generator = SeededGenerator(seed: 71)
    let sessions = (0..<3).map { _ in bent(&generator) }
    let script =
      componentsByMeans + """
        from scipy import stats
        for z, n, d, g in zip(rows[::4], rows[1::4], rows[2::4], rows[3::4]):
            n = n.astype(int)
            y, r, at = np.repeat(z, n), np.repeat(d, n), np.repeat(g, n)
            X = np.stack([np.ones_like(r), -10 * np.log10(r)], 1)
            e = y - X @ np.linalg.lstsq(X, y, rcond=None)[0]
            ids = np.unique(at)
            Z = (at[:, None] == ids).astype(float)
            p, q = components(Z, e, X)
            k = Z.sum(0)
            m, u, s = Z.T @ e / k, Z.T @ X[:, 1] / k, Z.T @ r / k
            x = u - u.mean()
            A = np.stack([np.ones_like(x), x, x * x], 1)
            best = None
            for c in np.linspace(0, 1, 11):
                V = p * ((1 - c) * np.eye(len(x)) + c * np.exp(-abs(s[:, None] - s) / 1.5)) + np.diag(q / k)
                W = np.linalg.inv(V)
                C = np.linalg.inv(A.T @ W @ A)
                b = C @ A.T @ W @ m
                f = len(x) - 3
                v = (m - A @ b) @ W @ (m - A @ b) / f
                L = -0.5 * (np.linalg.slogdet(V)[1] - np.linalg.slogdet(C)[1] + f * np.log(v))
                if best is None or L > best[0]:
                    best = (L, 2 * b[2] * (u.min() - u.max()), 2 * stats.t.sf(abs(b[2]) / (v * C[2, 2]) ** 0.5, f))
            answer(best[1], best[2])
        """
    let expected = try reference(script, sessions.flatMap(countRows))
    try #require(expected.count == sessions.count)
    for (stations, answer) in zip(sessions, expected) {
      let bend = try #require(found("lack-of-fit", stations))
      #expect(isClose(try #require(bend.value), answer[0], relative: 1e-4))
      #expect(isClose(try #require(bend.pValue), answer[1], relative: 1e-3))
      #expect(bend.message.contains("grows"))
    }
  }

  /// Five beacons at marks that shift all of them alike: 60 readings of 12 marks are 12.
  @Test(arguments: [1, 5])
  func `a line with scatter of places seldom looks bent`(beacons: Int) {
    var generator = SeededGenerator(seed: 72)
    var simulation = SimulatedStations()
    simulation.packets = 20
    simulation.positionDeviation = 1
    simulation.distances = (0..<12).map { pow(16, Double($0) / 11) }
    var counts: [String: Int] = [:]
    for _ in 0..<100 {
      let marks = simulation.distances.map { _ in 3 * generator.gaussian() }
      let stations = (0..<beacons).flatMap { beacon -> [Station] in
        let own = 2 * generator.gaussian()
        return shifted(simulation.draw(&generator)) { index, _ in own + marks[index] }.map {
          var station = $0
          station.beacon = "b\(beacon)"
          station.position += UInt64(100 * beacon)
          return station
        }
      }
      for one in PathLossFit().group(key: "k", stations).diagnostics {
        counts[one.code, default: 0] += 1
      }
    }
    for code in ["lack-of-fit", "outlying-positions", "non-constant-variance", "blocked-packets"] {
      // Of 100 tests at 0.01 more than 6 occur once in 10,000.
      #expect(counts[code, default: 0] <= 6, "\(code)")
    }
  }

  /// The Bonferroni p-value of the externally studentised residual, by leaving the position out.
  @Test func `a position far off the curve of the others, by name`() throws {
    var generator = SeededGenerator(seed: 73)
    var simulation = SimulatedStations()
    simulation.positionDeviation = 1.5
    let stations = shifted(simulation.draw(&generator)) { index, _ in index == 7 ? -14 : 0 }
    let script =
      componentsByMeans + """
        from scipy import stats
        z, n, d, g = rows
        n = n.astype(int)
        y, r, at = np.repeat(z, n), np.repeat(d, n), np.repeat(g, n)
        X = np.stack([np.ones_like(r), -10 * np.log10(r)], 1)
        e = y - X @ np.linalg.lstsq(X, y, rcond=None)[0]
        Z = (at[:, None] == np.unique(at)).astype(float)
        p, q = components(Z, e, X)
        k = Z.sum(0)
        w = (p + q / k) ** -0.5
        A, m = w[:, None] * (Z.T @ X / k[:, None]), w * (Z.T @ e / k)
        # A column of 1 at one position is its deviation from the curve of the others.
        t = []
        for i in range(len(k)):
            B = np.c_[A, np.eye(len(k))[i]]
            C = np.linalg.inv(B.T @ B)
            b = C @ B.T @ m
            f = len(k) - 3
            t.append(abs(b[2]) / ((m - B @ b) @ (m - B @ b) / f * C[2, 2]) ** 0.5)
        answer(np.argmax(t), min(1, len(k) * 2 * stats.t.sf(max(t), f)))
        """
    let expected = try #require(try reference(script, countRows(stations)).first)
    let outlier = try #require(found("outlying-positions", stations))
    #expect(expected[0] == 7)
    #expect(isClose(try #require(outlier.pValue), expected[1], relative: 1e-3))
    #expect(outlier.message.hasPrefix("1 position"))
    #expect(outlier.message.contains("\((stations[7].distance * 100).rounded() / 100) m"))
  }

  /// Levels of stays with Rician fading, some packets of which are weaker by `loss` dB.
  private func faded(
    ratio: Double, blocked: Double, _ generator: inout SeededGenerator
  ) -> [Station] {
    let scale = (0.5 / (ratio + 1)).squareRoot()
    let direct = (ratio / (ratio + 1)).squareRoot()
    return (0..<20).map { index in
      let distance = pow(16, Double(index) / 19)
      let mean = -59 - 22 * log10(distance) + 2 * generator.gaussian()
      var counts: [Double: Int] = [:]
      for _ in 0..<100 {
        let real = direct + scale * generator.gaussian()
        let imaginary = scale * generator.gaussian()
        let loss = Double.random(in: 0..<1, using: &generator) < blocked ? 12.0 : 0
        let level = mean + 10 * log10(real * real + imaginary * imaginary) - loss
        counts[level.rounded(), default: 0] += 1
      }
      return Station(
        beacon: "b", receiver: "r", series: "s", position: UInt64(index), distance: distance,
        levels: counts.sorted { $0.key < $1.key }.map { LevelCount(level: $0.key, count: $0.value) }
      )
    }
  }

  @Test func `packets behind a person are told from fading`() throws {
    var generator = SeededGenerator(seed: 74)
    for ratio in [0.0, 1, 3, 8] {
      let alarms = (0..<20).count { _ in
        found("blocked-packets", faded(ratio: ratio, blocked: 0, &generator)) != nil
      }
      // Of 20 tests at 0.01 more than 2 occur once in 1,000.
      #expect(alarms <= 2, "a ratio of \(ratio)")
    }
    let blocked = (0..<20).map { _ in faded(ratio: 8, blocked: 0.1, &generator) }
    let alarms = blocked.map { found("blocked-packets", $0) }
    #expect(alarms.count { $0 != nil } >= 15)
    let first = try #require(alarms.firstIndex { $0 != nil })
    let script = """
      from scipy import stats
      z, n, d, g = rows
      n = n.astype(int)
      e = np.concatenate([(lambda y: y - y.mean())(np.repeat(z[g == k], n[g == k])) for k in np.unique(g)])
      answer((stats.skew(e) ** 2 + 1) / stats.kurtosis(e, fisher=False))
      """
    let expected = try #require(try reference(script, countRows(blocked[first])).first)
    #expect(isClose(try #require(alarms[first]?.value), expected[0], relative: 1e-9))
  }

  /// Offsets of positions whose standard deviation goes from 1 to 8 dB; 0.89 are found on average.
  @Test func `positions that scatter more far away`() {
    var generator = SeededGenerator(seed: 75)
    let all = (0..<20).map { _ -> Diagnostic? in
      var simulation = SimulatedStations()
      simulation.distances = (0..<40).map { pow(20, Double($0) / 39) }
      simulation.positionDeviation = 0
      let stations = shifted(simulation.draw(&generator)) { _, station in
        (0.6 + 0.37 * station.distance) * generator.gaussian()
      }
      return found("non-constant-variance", stations)
    }
    #expect(all.count { $0 != nil } >= 13)
    #expect(all.allSatisfy { $0?.message.hasPrefix("positions scatter more") ?? true })
  }
}
