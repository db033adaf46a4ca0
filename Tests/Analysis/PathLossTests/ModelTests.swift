import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

struct ModelTests {
  /// Distances at which the exponent changes from 1.8 to 3.5 at 5 m.
  private func bent(
    _ generator: inout SeededGenerator, positions: Int = 40, near: Double = 1.8, far: Double = 3.5
  )
    -> [Station]
  {
    var simulation = SimulatedStations()
    simulation.packets = 50
    simulation.exponent = 0
    simulation.positionDeviation = 1.5
    simulation.distances = (0..<positions).map { pow(40, Double($0) / Double(positions - 1)) }
    return simulation.draw(&generator).map { station in
      var station = station
      let d = station.distance
      let loss = 10 * near * log10(min(d, 5)) + 10 * far * log10(max(d / 5, 1))
      station.levels = station.levels.map {
        LevelCount(level: ($0.level - loss).rounded(), count: $0.count)
      }
      return merged([[station]])[0]
    }
  }

  @Test func `two slopes: breakpoint, slopes and BIC agree with a search by numpy`() throws {
    var generator = SeededGenerator(seed: 31)
    let sessions = (0..<3).map { _ in bent(&generator) }
    let script = """
      for z, n, d, g in zip(rows[::4], rows[1::4], rows[2::4], rows[3::4]):
          x = -10 * np.log10(d)
          ids = np.unique(g)
          m = np.array([(z * n)[g == k].sum() / n[g == k].sum() for k in ids])
          u = np.array([x[g == k][0] for k in ids])
          s = np.sort(u)
          def rss(*columns):
              X = np.stack([np.ones_like(u), *columns], 1)
              return ((m - X @ np.linalg.lstsq(X, m, rcond=None)[0]) ** 2).sum()
          grid = np.linspace(s[4], s[-5], 20001)
          values = [rss(u, np.minimum(0, u - b)) for b in grid]
          best = int(np.argmin(values))
          G = len(ids)
          bic = G * np.log(rss(u)) - G * np.log(values[best]) - 2 * np.log(G)
          X = np.stack([np.ones_like(x), x, np.minimum(0, x - grid[best])], 1)
          w = np.sqrt(n)
          b = np.linalg.lstsq(X * w[:, None], z * w, rcond=None)[0]
          answer(10 ** (-grid[best] / 10), bic, b[0], b[1], b[1] + b[2])
      """
    let expected = try reference(script, sessions.flatMap(countRows))
    for (stations, answer) in zip(sessions, expected) {
      let group = PathLossFit(model: .twoSlope).group(key: "k", stations)
      let two = try #require(group.twoSlope)
      // The grid of the program is coarser.
      #expect(isClose(two.breakpoint, answer[0], relative: 0.01))
      #expect(isClose(two.bicDifference, answer[1], absolute: 0.1))
      #expect(isClose(group.measuredPower ?? .nan, answer[2], absolute: 0.05))
      #expect(isClose(group.exponent ?? .nan, answer[3], absolute: 0.02))
      #expect(isClose(two.farExponent, answer[4], absolute: 0.02))
      #expect(two.bicDifference > 6)
      #expect(
        two.breakpointInterval.contains(two.breakpoint))
      let interval = try #require(two.farExponentInterval)
      #expect(interval.contains(two.farExponent))
      #expect(!group.diagnostics.contains { $0.code == "one-slope-suffices" })
    }
  }

  @Test func `intervals of the breakpoint and of both slopes hold them`() throws {
    var generator = SeededGenerator(seed: 36)
    let runs = 100
    var covered = (breakpoint: 0, near: 0, far: 0)
    for _ in 0..<runs {
      let group = PathLossFit(model: .twoSlope).group(key: "k", bent(&generator, positions: 24))
      let two = try #require(group.twoSlope)
      func holds(_ interval: Interval?, _ value: Double) -> Int {
        interval?.contains(value) ?? false ? 1 : 0
      }
      covered.breakpoint += holds(two.breakpointInterval, 5)
      covered.near += holds(group.exponentInterval, 1.8)
      covered.far += holds(two.farExponentInterval, 3.5)
    }
    print("two slopes: covered in \(runs) runs: \(covered)")
    #expect(covered.breakpoint >= 86 && covered.near >= 86 && covered.far >= 86)
  }

  @Test func `distinguishes one slope from two in nearly all recordings with one`() {
    var generator = SeededGenerator(seed: 32)
    let runs = 40
    let wrong = (0..<runs).count { _ in
      let group = PathLossFit(model: .twoSlope).group(
        key: "k", bent(&generator, near: 2.2, far: 2.2))
      return !group.diagnostics.contains { $0.code == "one-slope-suffices" }
    }
    print("two slopes preferred in \(wrong) of \(runs) recordings that have one")
    #expect(wrong <= 6)
  }

  @Test func `two slopes need five positions on either side, with a note`() {
    var generator = SeededGenerator(seed: 33)
    let group = PathLossFit(model: .twoSlope).group(key: "k", bent(&generator, positions: 9))
    #expect(group.measuredPower == nil && group.twoSlope == nil)
    #expect(group.diagnostics.map(\.code) == ["not-fitted"])
  }

  /// One distance beyond the breakpoint: every slope there has a breakpoint that fits as well.
  @Test(arguments: [false, true])
  func `two slopes need two distances on either side, with a note`(isFar: Bool) throws {
    let distances = Array(repeating: 1.0, count: 5) + [2] + Array(repeating: 4.0, count: 5)
    let stations = merged(
      distances.enumerated().map { index, distance in
        [
          Station(
            beacon: "b", receiver: "r", series: "s", position: UInt64(index),
            distance: isFar ? distance : 4 / distance,
            levels: [LevelCount(level: -60 - Double(index % 3) - 4 * distance, count: 20)])
        ]
      })
    let group = PathLossFit(model: .twoSlope).group(key: "k", stations)
    #expect(group.measuredPower == nil && group.twoSlope == nil)
    #expect(group.warnings.contains { $0.contains("on each side") })
    #expect(throws: Never.self) { try JSONEncoder().encode(group) }
  }

  @Test func `a known exponent leaves the mean of what it does not explain`() throws {
    var generator = SeededGenerator(seed: 34)
    let stations = SimulatedStations().draw(&generator)
    let script =
      componentsByMeans + """
        z, n, d, g = [np.repeat(row, rows[1].astype(int)) for row in rows]
        r = z + 10 * 2.5 * np.log10(d)
        Z = (g[:, None] == np.unique(g)).astype(float)
        answer(r.mean(), np.sqrt(sum(components(Z, r - r.mean(), np.ones((len(r), 1))))))
        """
    let expected = try reference(script, countRows(stations))
    let group = PathLossFit(model: .fixedExponent(2.5)).group(key: "k", stations)
    #expect(isClose(group.measuredPower ?? .nan, expected[0][0], relative: 1e-12))
    #expect(isClose(group.sigma ?? .nan, expected[0][1], relative: 1e-9))
    #expect(group.exponent == 2.5 && group.exponentInterval == nil && group.powerInterval != nil)
    // One distance suffices.
    let one = PathLossFit(model: .fixedExponent(2)).group(key: "k", Array(stations.prefix(1)))
    #expect(one.measuredPower != nil && one.powerInterval == nil)
  }

  @Test(arguments: [(-6.0, true), (6, false)])
  func `a wall that adds to a level, beyond chance, is a wrong plan`(loss: Double, isTold: Bool)
    throws
  {
    var generator = SeededGenerator(seed: 3)
    var simulation = SimulatedStations()
    simulation.positionDeviation = 1
    let stations = simulation.draw(&generator).enumerated().map { index, station in
      var station = station
      station.walls = ["brick": index % 2]
      station.levels = station.levels.map {
        LevelCount(level: $0.level - loss * Double(index % 2), count: $0.count)
      }
      return station
    }
    let group = PathLossFit(model: .walls).group(key: "k", stations)
    let told = group.diagnostics.first { $0.code == "amplifying-wall" }
    #expect((told != nil) == isTold)
    #expect(told.map { $0.message.contains("kind brick") } ?? true)
    #expect(told?.value == (isTold ? group.walls?.first?.attenuation : nil))
  }

  @Test func `losses of walls agree with least squares by numpy`() throws {
    var generator = SeededGenerator(seed: 35)
    var simulation = SimulatedStations()
    simulation.positionDeviation = 1
    simulation.distances = (0..<30).map { 1 + Double($0) * 0.7 }
    let stations = simulation.draw(&generator).enumerated().map { index, station in
      var station = station
      let brick = index / 7 % 3
      let glass = index % 4 == 0 ? 1 : 0
      station.walls = ["brick": brick, "glass": glass, "never": 0]
      station.knownLoss = index % 5 == 0 ? 2 : 0
      let loss = 6 * Double(brick) + 2 * Double(glass) + station.knownLoss
      station.levels = station.levels.map { LevelCount(level: $0.level - loss, count: $0.count) }
      return station
    }
    let cells = stations.flatMap { station in station.levels.map { _ in station } }
    let script = """
      z, n, d, g, brick, glass, known = rows
      X = np.stack([np.ones_like(d), -10 * np.log10(d), -brick, -glass], 1)
      w = np.sqrt(n)
      answer(*np.linalg.lstsq(X * w[:, None], (z + known) * w, rcond=None)[0])
      """
    let expected = try reference(
      script,
      countRows(stations) + [
        cells.map { Double($0.walls?["brick"] ?? 0) },
        cells.map { Double($0.walls?["glass"] ?? 0) },
        cells.map(\.knownLoss),
      ])
    let group = PathLossFit(model: .walls).group(key: "k", stations)
    let walls = try #require(group.walls)
    #expect(walls.map(\.kind) == ["brick", "glass"])
    let mine =
      [try #require(group.measuredPower), try #require(group.exponent)] + walls.map(\.attenuation)
    for (a, b) in zip(mine, expected[0]) { #expect(isClose(a, b, relative: 1e-9)) }
    for wall in walls {
      let interval = try #require(wall.interval)
      #expect(interval.contains(wall.attenuation))
    }
    var unknown = stations
    unknown[3].walls = nil
    #expect(
      PathLossFit(model: .walls).group(key: "k", unknown).diagnostics.map(\.code) == ["no-walls"])
  }
}
