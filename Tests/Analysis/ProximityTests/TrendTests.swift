import Foundation
import NumericalMethods
import Proximity
import TestSupport
import Testing

struct TrendTests {
  private static let second: Int64 = 1_000_000_000

  /// Levels of a beacon at a distance that changes, ten a second of which four in ten are lost,
  /// with noise of packets and fading that lasts; the share of seconds in which the trend shows each
  /// thing.
  private func said(
    walks: Int, seconds: Int, noise: Double, fading: Double, correlation: Double,
    distance: (Double) -> Double, from first: Int
  ) -> (warmer: Double, colder: Double) {
    var generator = SeededGenerator(seed: 7)
    var (warmer, colder, all) = (0, 0, 0)
    for _ in 0..<walks {
      var trend = Trend()
      var fade = fading * generator.gaussian()
      let keep = exp(-0.1 / correlation)
      for step in 0..<seconds * 10 {
        fade = keep * fade + (1 - keep * keep).squareRoot() * fading * generator.gaussian()
        let time = Int64(step) * Self.second / 10
        if step % 10 == 0, step / 10 >= first {
          all += 1
          switch trend.direction(at: time) {
          case .warmer: warmer += 1
          case .colder: colder += 1
          case .unsure, .lost: break
          }
        }
        if Double.random(in: 0..<1, using: &generator) < 0.4 { continue }
        let level =
          -59 - 22 * log10(distance(Double(step) / 10)) + fade + noise * generator.gaussian()
        trend.add(level.rounded(), at: time)
      }
    }
    return (Double(warmer) / Double(all), Double(colder) / Double(all))
  }

  /// The error of the first kind, for noise alone and for fades as strong as the model's.
  @Test(arguments: [(4.0, 0.0, 1.0), (3.0, 3.0, 1.0), (3.0, 3.0, 2.0), (2.0, 4.0, 2.0)])
  func `standing still is not taken for coming nearer`(
    noise: Double, fading: Double, correlation: Double
  ) {
    let said = said(
      walks: 60, seconds: 60, noise: noise, fading: fading, correlation: correlation,
      distance: { _ in 5 }, from: 10)
    #expect(said.warmer + said.colder < 0.06)
  }

  @Test func `walking towards it is noticed`() {
    let said = said(
      walks: 60, seconds: 26, noise: 3, fading: 3, correlation: 1,
      distance: { max(12 - 0.8 * max($0 - 12, 0), 0.8) }, from: 20)
    #expect(said.warmer > 0.4)
    #expect(said.colder < 0.01)
  }

  @Test func `walking away is noticed`() {
    let said = said(
      walks: 60, seconds: 26, noise: 3, fading: 3, correlation: 1,
      distance: { 0.8 + 0.8 * max($0 - 12, 0) }, from: 18)
    #expect(said.colder > 0.5)
    #expect(said.warmer < 0.01)
  }

  /// Against generalised least squares by numpy, at times that are not even.
  @Test func `slope agrees with numpy`() throws {
    var generator = SeededGenerator(seed: 3)
    var trend = Trend()
    var rows: [String] = []
    for step in 0..<70 where step % 7 != 3 && !(30..<42).contains(step) {
      let time = Int64(step) * 137_000_000
      let level = -70 + 0.05 * Double(step) + 3 * generator.gaussian()
      trend.add(level, at: time)
      rows.append("\(time) \(level)")
    }
    let slope = try #require(trend.slope(at: 10 * Self.second))
    let program = """
      import sys, numpy as np
      from scipy import stats
      t, y = np.array([line.split() for line in sys.argv[1].split(",")], float).T
      t /= 1e9
      s = np.floor(t)
      keys = np.unique(s)
      n = np.array([(s == k).sum() for k in keys])
      x = np.array([t[s == k].mean() for k in keys])
      m = np.array([y[s == k].mean() for k in keys])
      ss = sum(((y[s == k] - y[s == k].mean()) ** 2).sum() for k in keys)
      v = (4 * 16 + ss) / (4 + (n - 1).sum())
      S = 12.25 * np.exp(-abs(x[:, None] - x) / 3) + np.diag(v / n)
      X = np.c_[np.ones(len(x)), x]
      C = np.linalg.inv(X.T @ np.linalg.inv(S) @ X)
      b = C @ X.T @ np.linalg.inv(S) @ m
      e = m - X @ b
      scatter = (e @ np.linalg.inv(S) @ e / (len(x) - 2)) ** 0.5
      print(b[1], max(1.959963984540054, stats.t.ppf(0.975, len(x) - 2) * scatter) * C[1, 1] ** 0.5)
      """
    let answer = try runPython(program, [rows.joined(separator: ",")])
    let numbers = answer.output.split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    try #require(numbers.count == 2, "\(answer.error)")
    #expect(abs(slope.rate - numbers[0]) < 1e-9)
    #expect(abs((slope.interval.upper - slope.rate) - numbers[1]) < 1e-9)
  }

  @Test func `silence is a lost signal`() {
    var trend = Trend()
    #expect(trend.direction(at: 0) == .lost)
    for step in 0..<50 { trend.add(-60, at: Int64(step) * Self.second / 10) }
    #expect(trend.direction(at: 6 * Self.second) == .unsure)
    #expect(trend.direction(at: 10 * Self.second) == .lost)
  }

  /// Any order of any times: no crash, no number that is none.
  @Test func `takes any times`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      var trend = Trend()
      for _ in 0..<100 {
        let time: Int64 =
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: Int64.random(in: .min ... .max, using: &generator)
          case 1: Int64.random(in: -100...100, using: &generator) * Self.second
          default: Int64.random(in: 0...20, using: &generator) * Self.second / 2
          }
        trend.add(Double.random(in: -100...20, using: &generator), at: time)
        if let slope = trend.slope(at: time) { #expect(slope.rate.isFinite) }
        _ = trend.direction(at: Int64.random(in: .min ... .max, using: &generator))
      }
    }
  }
}
