import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

@Suite("Errors of several beacons and receivers")
struct DeviceClustersTests {
  /// Beacons heard by receivers at places of each link, which have offsets of their own.
  private func stations(
    beacons: Int, receivers: Int, places: Int = 4, beaconDeviation: Double = 2.5,
    packets: Int = 20, _ generator: inout SeededGenerator
  ) -> [Station] {
    var simulation = SimulatedStations()
    simulation.packets = packets
    let offsets = (0..<beacons).map { _ in beaconDeviation * generator.gaussian() }
    var stations: [Station] = []
    for beacon in 0..<beacons {
      for receiver in 0..<receivers {
        simulation.distances = (0..<places).map { _ in
          pow(20, Double.random(in: 0...1, using: &generator))
        }
        simulation.power = -59 + offsets[beacon]
        for var station in simulation.draw(&generator) {
          station.beacon = "b\(beacon)"
          station.receiver = "r\(receiver)"
          station.position = UInt64(stations.count)
          stations.append(station)
        }
      }
    }
    return stations
  }

  private func fitted(_ stations: [Station]) -> PathLossGroup {
    PathLossFit().group(key: "k", stations)
  }

  /// The same positions, with every device of one kind that a function names.
  private func renamed(_ stations: [Station], by name: (Station) -> String) -> PathLossGroup {
    fitted(
      stations.map { station in
        var station = station
        (station.beacon, station.receiver) = (name(station), "receiver")
        return station
      })
  }

  /// The bias-reduced covariance of n clusters by dense matrices: offsets of clusters and positions,
  /// and noise of packets, each with the variance that the means of the level below leave.
  private static let denseClusters =
    componentsByMeans + """
      def power(M, p):
          w, V = np.linalg.eigh((M + M.T) / 2)
          return V @ np.diag([v ** p if v > 1e-10 * w.max() else 0 for v in w]) @ V.T
      def between(m, u, X, g):
          "The variance between clusters of means of variance u, and the factor of u within them."
          B = (g[:, None] == np.unique(g)).astype(float)
          w = 1 / u
          n = B.T @ w
          mean, rows = B.T @ (w * m) / n, B.T @ (w[:, None] * X) / n[:, None]
          s = (w * (m - B @ mean) ** 2).sum() / (len(m) - len(n))
          def excess(p):
              root = np.sqrt(1 / (p + s / n))
              line = np.linalg.lstsq(root[:, None] * rows, root * mean, rcond=None)[0]
              return ((root * (mean - rows @ line)) ** 2).sum() - (len(n) - X.shape[1])
          return (brentq(excess, 0, 1e6, xtol=1e-13) if excess(0) > 0 else 0), s
      z, d, g, c = rows
      x = -10 * np.log10(d)
      X = np.stack([np.ones_like(x), x], 1)
      ids, first = np.unique(g, return_index=True)
      Z = (g[:, None] == ids).astype(float)
      v, q = components(Z, z - X @ np.linalg.lstsq(X, z, rcond=None)[0], X)
      k = Z.sum(0)
      W = np.diag(1 / (q + v * (Z @ k)))
      bread = np.linalg.inv(X.T @ W @ X)
      e = z - X @ bread @ X.T @ W @ z
      t, s = between(Z.T @ e / k, v + q / k, X[first], c[first])
      C = (c[:, None] == np.unique(c)).astype(float)
      working = s * (q * np.eye(len(z)) + v * Z @ Z.T) + t * C @ C.T
      left = np.eye(len(z)) - X @ bread @ X.T @ W
      residual = W @ left @ working @ left.T @ W
      S, V = power(bread, 0.5), np.zeros((2, 2))
      for one in np.unique(c):
          m = c == one
          true = S @ X[m].T @ (W @ working @ W)[np.ix_(m, m)] @ X[m] @ S
          seen = S @ X[m].T @ residual[np.ix_(m, m)] @ X[m] @ S
          A = power(seen, -0.5) @ power(power(seen, 0.5) @ true @ power(seen, 0.5), 0.5) @ power(seen, -0.5)
          V += np.outer(S @ A @ S @ X[m].T @ (W @ e)[m], S @ A @ S @ X[m].T @ (W @ e)[m])
      answer(*np.sqrt(np.diag(V)))
      """

  @Test(arguments: [5, 8, 20])
  func `are the bias-reduced errors of devices, positions and packets`(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let stations = stations(beacons: count, receivers: 1, &generator)
    let group = fitted(stations)
    #expect(group.errorBasis == .beacons)
    let levels = stations.flatMap { station -> [[Double]] in
      let beacon = Double(station.beacon.dropFirst()) ?? 0
      return station.levels.flatMap { cell in
        Array(
          repeating: [cell.level, station.distance, Double(station.position), beacon],
          count: cell.count)
      }
    }
    let expected = try reference(
      Self.denseClusters, (0..<4).map { column in levels.map { $0[column] } })
    #expect(isClose(try #require(group.powerError), expected[0][0], relative: 1e-6))
    #expect(isClose(try #require(group.exponentError), expected[0][1], relative: 1e-6))
  }

  @Test(arguments: [1, 30])
  func `equal a jackknife over devices within 15 %, however long stays are`(packets: Int) throws {
    var generator = SeededGenerator(seed: 21)
    var ratios: [Double] = []
    for _ in 0..<10 {
      let stations = stations(beacons: 12, receivers: 1, places: 20, packets: packets, &generator)
      let left = try Set(stations.map(\.beacon)).sorted().map { beacon in
        try #require(fitted(stations.filter { $0.beacon != beacon }).exponent)
      }
      let mean = left.reduce(0, +) / 12
      let jackknife = (left.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } * 11 / 12).squareRoot()
      ratios.append(try #require(fitted(stations).exponentError) / jackknife)
    }
    let median = ratios.sorted()[5]
    print("error over jackknife, median of 10, \(packets) packets: \(median)")
    #expect((0.85...1.15).contains(median))
  }

  @Test func `covariances for both groupings are the sum of both, less that of links`() throws {
    var generator = SeededGenerator(seed: 4)
    let stations = stations(beacons: 7, receivers: 6, places: 2, &generator)
    let group = fitted(stations)
    #expect(group.errorBasis == .devices)
    let parts = [
      renamed(stations, by: \.beacon), renamed(stations, by: \.receiver),
      renamed(stations) { $0.beacon + $0.receiver },
    ]
    for key in [\PathLossGroup.powerError, \.exponentError] {
      let squares = try parts.map { pow(try #require($0[keyPath: key]), 2) }
      let expected = max(squares[0] + squares[1] - squares[2], squares[0], squares[1])
      #expect(isClose(pow(try #require(group[keyPath: key]), 2), expected, relative: 1e-9))
    }
    let freedoms = try parts.prefix(2).map { try #require($0.powerFreedom) }
    #expect(isClose(try #require(group.powerFreedom), try #require(freedoms.min()), relative: 1e-9))
  }

  @Test func `fewer than five clusters give errors of positions, and differences are tested`() {
    var generator = SeededGenerator(seed: 5)
    let group = fitted(
      stations(beacons: 4, receivers: 1, places: 12, beaconDeviation: 6, &generator))
    #expect(group.errorBasis == .positions)
    #expect(group.diagnostics.contains { $0.code == "beacon-effects" })
  }

  @Test(.systemRun)
  func `hold the truth in 92 to 98 % of fits, with offsets of beacons and without`() {
    for deviation in [0.0, 2.5] {
      var generator = SeededGenerator(seed: 6)
      var held = [0, 0, 0]
      for _ in 0..<400 {
        let stations = stations(
          beacons: 8, receivers: 1, places: 12, beaconDeviation: deviation, &generator)
        var fit = PathLossFit()
        fit.levels = [-75]
        let group = fit.group(key: "k", stations)
        let distance = pow(10, 16.0 / 22)
        held[0] += group.exponentInterval?.contains(2.2) == true ? 1 : 0
        held[1] += group.powerInterval?.contains(-59) == true ? 1 : 0
        held[2] += group.distanceAt.first?.interval?.contains(distance) == true ? 1 : 0
      }
      print("n, P and distance held in 400 runs with offsets of \(deviation) dB: \(held)")
      // Three standard errors of the binomial about 92 and 98 %.
      for count in held { #expect((351...400).contains(count)) }
    }
  }
}
