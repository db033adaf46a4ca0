import Foundation
import PathLoss
import TestSupport
import Testing

struct LogDistanceFitTests {
  /// Constants, sigma, standard errors and intervals, in the order of the references' answers.
  private func numbers(_ group: PathLossGroup) throws -> [Double] {
    let power = try #require(group.powerInterval)
    let exponent = try #require(group.exponentInterval)
    return [
      try #require(group.measuredPower), try #require(group.exponent), try #require(group.sigma),
      try #require(group.powerError), try #require(group.exponentError),
    ] + power.limits + exponent.limits
  }

  private func expectClose(_ a: [Double], _ b: [Double], relative: Double = 1e-9) {
    #expect(a.count == b.count)
    for (mine, theirs) in zip(a, b) {
      #expect(isClose(mine, theirs, relative: relative), "\(mine), \(theirs)")
    }
  }

  @Test func `agrees with scipy where each position has one reading`() throws {
    var generator = SeededGenerator(seed: 1)
    let sessions = [3, 4, 20, 300].map { readings(positions: $0, packets: 1, &generator) }
    let script = """
      from scipy.stats import linregress, t
      for z, d, _ in zip(rows[::3], rows[1::3], rows[2::3]):
          x = -10 * np.log10(d)
          line = linregress(x, z)
          s = np.sqrt(((z - line.intercept - line.slope * x) ** 2).sum() / (len(z) - 2))
          half = t.ppf(0.975, len(z) - 2) * np.array([line.intercept_stderr, line.stderr])
          answer(line.intercept, line.slope, s, line.intercept_stderr, line.stderr,
                 line.intercept - half[0], line.intercept + half[0],
                 line.slope - half[1], line.slope + half[1])
      """
    let expected = try reference(script, sessions.flatMap(rows))
    try #require(expected.count == sessions.count)
    for (readings, answer) in zip(sessions, expected) {
      let group = fitted(readings)
      expectClose(try numbers(group), answer)
      #expect(group.errorBasis == .samples)
      #expect(group.samples == readings.count && group.positions == readings.count)
    }
  }

  /// Weighted least squares with the inverse variances of positions, v + w / k, as weights, and its
  /// bias-reduced covariance and degrees of freedom by dense matrices of all readings, as
  /// Pustejovsky and Tipton (2018) and Imbens and Kolesár (2016) write them, with an offset of each
  /// position in the working model; `x`, `z` and the positions `g` are given.
  private let denseCovariance =
    componentsByMeans + """
      from scipy.stats import t
      def power(M, p):
          w, V = np.linalg.eigh((M + M.T) / 2)
          return V @ np.diag([v ** p if v > 1e-10 * w.max() else 0 for v in w]) @ V.T
      def dense(x, z, g):
          X = np.stack([np.ones_like(x), x], 1)
          N, ids = len(z), sorted(set(g))
          G = len(ids)
          Z = (g[:, None] == np.array(ids)).astype(float)
          offset, packet = components(Z, z - X @ np.linalg.lstsq(X, z, rcond=None)[0], X)
          W = np.diag(1 / (packet + offset * (Z @ Z.sum(0))))
          bread = np.linalg.inv(X.T @ W @ X)
          b = bread @ X.T @ W @ z
          e = z - X @ b
          offset, packet = components(Z, e, X)
          left = np.eye(N) - X @ bread @ X.T @ W
          working = packet * np.eye(N) + offset * Z @ Z.T
          S = power(bread, 0.5)
          residual = W @ left @ working @ left.T @ W
          V, columns = np.zeros((2, 2)), [[], []]
          for k in ids:
              m = g == k
              true = S @ X[m].T @ (W @ working @ W)[np.ix_(m, m)] @ X[m] @ S
              seen = S @ X[m].T @ residual[np.ix_(m, m)] @ X[m] @ S
              A = power(seen, -0.5) @ power(power(seen, 0.5) @ true @ power(seen, 0.5), 0.5) @ power(seen, -0.5)
              u = S @ A @ S @ X[m].T @ (W @ e)[m]
              V += np.outer(u, u)
              for which, c in enumerate(np.eye(2)):
                  v = np.zeros(N)
                  v[m] = X[m] @ S @ A @ S @ c
                  columns[which].append(left.T @ W @ v)
          freedoms = []
          for which in (0, 1):
              P = np.stack(columns[which], 1)
              P = P.T @ working @ P
              freedoms.append(max(np.trace(P) ** 2 / (P ** 2).sum(), 1))
          se = np.sqrt(np.diag(V))
          half = t.ppf(0.975, freedoms) * se
          return b, np.sqrt(offset + packet), se, half, freedoms
      def model(x, z, g):
          X = np.stack([np.ones_like(x), x], 1)
          Z = (g[:, None] == np.unique(g)).astype(float)
          v, q = components(Z, z - X @ np.linalg.lstsq(X, z, rcond=None)[0], X)
          inverse = np.linalg.inv(q * np.eye(len(z)) + v * Z @ Z.T)
          cov = np.linalg.inv(X.T @ inverse @ X)
          se, freedom = np.sqrt(np.diag(cov)), Z.shape[1] - 2
          return cov @ X.T @ inverse @ z, np.sqrt(v + q), se, t.ppf(0.975, freedom) * se, [freedom] * 2

      """

  @Test
  func `agrees with generalised least squares where positions have several readings`() throws {
    var generator = SeededGenerator(seed: 2)
    // About 16 readings per position, in any order.
    var sessions = [3, 4, 5, 20, 30].map { positions in
      readings(positions: positions, packets: 40, &generator)
        .filter { _ in Double.random(in: 0..<1, using: &generator) < 0.4 }
        .shuffled(using: &generator)
    }
    // And one of which two positions hold most packets.
    sessions.append(
      readings(positions: 8, packets: 300, &generator)
        .filter {
          $0.position == 0 || $0.position == 5 || Double.random(in: 0..<1, using: &generator) < 0.03
        })
    let script =
      denseCovariance + """
        for z, d, g in zip(rows[::3], rows[1::3], rows[2::3]):
            b, s, se, half, freedoms = model(-10 * np.log10(d), z, g)
            answer(*b, s, *se, b[0] - half[0], b[0] + half[0], b[1] - half[1], b[1] + half[1], *freedoms)
        """
    let expected = try reference(script, sessions.flatMap(rows))
    try #require(expected.count == sessions.count)
    for (readings, answer) in zip(sessions, expected) {
      let group = fitted(readings)
      let freedoms = [try #require(group.powerFreedom), try #require(group.exponentFreedom)]
      expectClose(try numbers(group) + freedoms, answer, relative: 1e-6)
      #expect(group.errorBasis == .positions)
      #expect(group.samples == readings.count)
      #expect(group.positions == Set(readings.map(\.position)).count)
    }
  }

  @Test
  func `agrees with the bias-reduced sandwich where positions have several distances`() throws {
    var generator = SeededGenerator(seed: 7)
    let sessions = [4, 6, 12].map { positions in
      readings(positions: positions, packets: 20, &generator)
        .filter { _ in Double.random(in: 0..<1, using: &generator) < 0.6 }
        .enumerated().map { index, reading in
          var reading = reading
          reading.distance *= 1 + 0.1 * Double(index % 5)
          return reading
        }
    }
    let script =
      denseCovariance + """
        for z, d, g in zip(rows[::3], rows[1::3], rows[2::3]):
            b, s, se, half, freedoms = dense(-10 * np.log10(d), z, g)
            answer(*b, s, *se, b[0] - half[0], b[0] + half[0], b[1] - half[1], b[1] + half[1], *freedoms)
        """
    let expected = try reference(script, sessions.flatMap(rows))
    for (readings, answer) in zip(sessions, expected) {
      let group = fitted(readings)
      let freedoms = [try #require(group.powerFreedom), try #require(group.exponentFreedom)]
      expectClose(try numbers(group) + freedoms, answer, relative: 1e-6)
    }
  }

  @Test(arguments: 1...5)
  func `the order of the readings does not matter`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let readings = readings(&generator)
    let group = fitted(readings)
    let shuffled = fitted(readings.shuffled(using: &generator))
    expectClose(try numbers(group), try numbers(shuffled), relative: 1e-10)
    #expect(group.warnings == shuffled.warnings && group.positions == shuffled.positions)
  }

  @Test(arguments: [1e-3, 1e3])
  func `another unit of distance moves the power and leaves the exponent`(scale: Double) throws {
    var generator = SeededGenerator(seed: 5)
    let readings = readings(&generator)
    let group = fitted(readings)
    let scaled = fitted(
      readings.map { Reading(rssi: $0.rssi, distance: $0.distance * scale, position: $0.position) })
    let here = try numbers(group)
    let there = try numbers(scaled)
    // Exponent, sigma, and the exponent's error and interval.
    for index in [1, 2, 4, 7, 8] { #expect(isClose(here[index], there[index], relative: 1e-9)) }
    #expect(isClose(there[0] - here[0], 10 * here[1] * (scale > 1 ? 3 : -3), relative: 1e-9))
  }

  @Test func `errors keep their digits where distances nearly agree`() throws {
    var generator = SeededGenerator(seed: 6)
    let readings = (0..<40).map { k in
      Reading(
        rssi: Double(Int.random(in: -70 ... -60, using: &generator)),
        distance: 10 * (1 + 1e-9 * Double(k % 7)), position: UInt64(k / 4))
    }
    // The same in the units in which distances differ: x less its mean, times 1e8.
    let script =
      denseCovariance + """
        z, x, g = rows
        b, s, se, half, freedoms = dense((x - x.mean()) * 1e8, z, g)
        answer(se[1] * 1e8)
        """
    let x = readings.map { -10 * log10($0.distance) }
    let expected = try reference(
      script, [readings.map(\.rssi), x, readings.map { Double($0.position) }])
    let group = fitted(readings)
    // x itself has only 7 digits of its spread.
    let error = try #require(group.exponentError)
    #expect(isClose(error, expected[0][0], relative: 1e-5))
  }

  @Test(arguments: 1...50)
  func `readings on the curve give the curve, and no error below zero`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let readings = readings(
      positions: 3, packets: 2, positionDeviation: 0, packetDeviation: 0, &generator)
    let group = fitted(readings.shuffled(using: &generator))
    let numbers = try numbers(group)
    #expect(isClose(numbers[0], -59, relative: 1e-9))
    #expect(isClose(numbers[1], 2.2, relative: 1e-9))
    for error in numbers[2...4] { #expect(isClose(error, 0, absolute: 1e-9)) }
    for end in numbers[5...] { #expect(end.isFinite) }
  }
}
