import Foundation
import NumericalMethods
import PathLoss
import TestSupport
import Testing

@testable import Proximity

/// The coverage of the 95 % intervals of distances, over simulated devices whose constants are
/// drawn from fits of public recordings, and whose errors are not normal.
struct DistanceCoverageTests {
  private static let distances = [0.5, 1, 2, 3, 5, 7, 10]

  /// A device in a place: its constants, and the error of its nominal power.
  private struct Device {
    var exponent: Double
    var powerError: Double
    var shadowing: Double

    static let advertisedPower = -59.0

    /// The mean level at a distance, before what its place shadows.
    func mean(_ distance: Double) -> Double {
      Self.advertisedPower + powerError - 10 * exponent * log10(distance)
    }
  }

  /// Exponents, and standard deviations in dB, of ordinary least squares on public recordings, as
  /// docs/watch.md lists them: 0.43 to 2.38, and 3.0 to 6.8 dB. Each recording counts alike.
  private static let recordings: [[(exponent: Double, deviation: Double)]] = [
    [  // hall-static, by sensor
      (1.98, 3.7), (1.67, 4.3), (1.42, 3.3), (1.91, 4.2), (1.25, 3.7), (1.68, 4.0), (2.28, 4.1),
      (1.36, 3.4), (0.94, 3.9), (2.10, 3.6), (1.25, 4.7), (1.50, 3.8),
    ],
    [(1.99, 6.4), (1.82, 5.7), (1.40, 5.0)],  // office-scans, by transmit power
    // flat-walks: in sight and not, of two benches, and its walks
    [(1.46, 3.4), (0.89, 3.1), (1.45, 3.6), (0.73, 3.0), (1.94, 6.6)],
    [(1.24, 5.9)],  // sparse-floor
    [(1.23, 5.1)],  // sparse-room
    [  // cable-car, from 0.5 m on, by run
      (1.75, 3.8), (2.00, 5.2), (2.09, 5.2), (1.25, 4.4), (1.21, 4.5), (1.23, 4.6), (1.52, 5.4),
      (1.56, 6.0), (0.43, 5.4), (2.23, 5.0), (0.69, 5.8), (0.73, 6.1), (2.07, 4.6), (1.33, 5.8),
      (1.33, 5.5),
    ],
    [(2.38, 5.8), (2.16, 6.8)],  // carried-phones, hand to hand
  ]

  /// The population of devices.
  enum Population: CaseIterable {
    case recorded
    /// Behind walls exponents reach 3.5 and shadowing 8 dB.
    case behindWalls
  }

  private func device(_ population: Population, _ random: inout SeededGenerator) -> Device {
    // Powers of one kind of device differ by as much from sensor to sensor, and from standing
    // to lying.
    let powerError = Double.random(in: -8...8, using: &random)
    switch population {
    case .recorded:
      let recording = Self.recordings.randomElement(using: &random) ?? []
      let exponent = recording.randomElement(using: &random)?.exponent ?? 2
      let deviation = recording.randomElement(using: &random)?.deviation ?? 5
      return Device(exponent: exponent, powerError: powerError, shadowing: deviation)
    case .behindWalls:
      return Device(
        exponent: Double.random(in: 1.2...3.5, using: &random), powerError: powerError,
        shadowing: Double.random(in: 3...8, using: &random))
    }
  }

  /// A shadow of a standard deviation in dB: rarely deep, as the logarithm of a Rayleigh power
  /// (Gumbel's distribution).
  private func shadow(_ deviation: Double, _ random: inout SeededGenerator) -> Double {
    let uniform = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)
    return (log(-log(uniform)) + 0.577_215_664_9) / (.pi / 6.0.squareRoot()) * deviation
  }

  /// An error of a standard deviation that is not normal.
  private func uniform(_ deviation: Double, _ random: inout SeededGenerator) -> Double {
    Double.random(in: -1...1, using: &random) * 3.0.squareRoot() * deviation
  }

  /// The shares of intervals that hold the truth at each distance, and the median ratio of their
  /// limits.
  private func coverage(
    runs: Int, level: (Double) -> (model: DistanceModel?, level: Double, variance: Double)
  ) -> (shares: [Double], ratio: Double) {
    var ratios: [Double] = []
    let shares = Self.distances.map { distance in
      let held = (0..<runs).count { _ in
        let (model, level, variance) = level(distance)
        guard let interval = model?.distance(atLevel: level, variance: variance)?.interval else {
          return true
        }
        ratios.append(interval.upper / interval.lower)
        return interval.contains(distance)
      }
      return Double(held) / Double(runs)
    }
    ratios.sort()
    return (shares, ratios.isEmpty ? .nan : ratios[ratios.count / 2])
  }

  private func mean(_ shares: [Double]) -> Double { shares.reduce(0, +) / Double(shares.count) }

  @Test(arguments: Population.allCases, [4.0, .nan])
  func `without a calibration, filtered and raw levels`(population: Population, variance: Double) {
    var random = SeededGenerator(seed: 41)
    let model = DistanceModel(uncalibratedPower: Device.advertisedPower)
    let (shares, ratio) = coverage(runs: 2000) { distance in
      let device = device(population, &random)
      // A raw level has the noise of its packet, 2 to 5 dB.
      let noise =
        variance.isNaN
        ? shadow(Double.random(in: 2...5, using: &random), &random)
        : uniform(variance.squareRoot(), &random)
      let level = device.mean(distance) + shadow(device.shadowing, &random) + noise
      return (model, level, variance)
    }
    print("uncalibrated, \(population), variance \(variance): \(shares), ratio \(ratio)")
    #expect((0.92...0.98).contains(mean(shares)))
    #expect(shares.allSatisfy { $0 >= 0.9 })
  }

  /// Packets of each position of a bench.
  enum Bench: CaseIterable {
    case six, sixteen
    /// A few positions have most packets, as where far ones lose them.
    case uneven

    var packets: [Int] {
      switch self {
      case .six: Array(repeating: 30, count: 6)
      case .sixteen: Array(repeating: 30, count: 16)
      case .uneven: (0..<16).map { 300 / ($0 * $0 + 1) + 4 }
      }
    }
  }

  @Test(arguments: Bench.allCases)
  func `intervals with the calibration of a bench`(bench: Bench) {
    var random = SeededGenerator(seed: 43)
    let (shares, ratio) = calibrated(bench, &random) { device(.recorded, &$0) }
    print("bench \(bench): \(shares), ratio \(ratio)")
    #expect((0.92...0.99).contains(mean(shares)))
    #expect(shares.allSatisfy { $0 >= 0.9 })
  }

  @Test func `a bench of sixteen positions narrows a beacon's interval to an eighth`() {
    var random = SeededGenerator(seed: 47)
    // Sensor 40 of hall-static.
    let device = Device(exponent: 2.1, powerError: 0, shadowing: 3.6)
    let (shares, ratio) = calibrated(.sixteen, &random) { _ in device }
    let without = coverage(runs: 400) { distance in
      let level = device.mean(distance) + shadow(3.6, &random) + uniform(1, &random)
      return (DistanceModel(uncalibratedPower: Device.advertisedPower), level, 1)
    }
    print("in sight: \(shares), ratio \(ratio); without \(without)")
    #expect((0.92...0.98).contains(mean(shares)))
    #expect((5...6).contains(ratio) && without.ratio / ratio > 7)
  }

  /// The shares of intervals that hold the truth, and the median ratio of their limits, for devices
  /// that are calibrated in one place and used in another.
  private func calibrated(
    _ bench: Bench, _ random: inout SeededGenerator,
    device: (inout SeededGenerator) -> Device
  ) -> (shares: [Double], ratio: Double) {
    let packets = bench.packets
    var ratios: [Double] = []
    var held: [Double: Int] = [:]
    let runs = 250
    for _ in 0..<runs {
      let device = device(&random)
      let stations = packets.enumerated().map { index, count in
        let distance = 0.5 * pow(24, Double(index) / Double(packets.count - 1))
        let mean = device.mean(distance) + shadow(device.shadowing, &random)
        var counts: [Double: Int] = [:]
        for _ in 0..<count { counts[(mean + uniform(3, &random)).rounded(), default: 0] += 1 }
        return Station(
          beacon: "b", receiver: "r", series: "s", position: UInt64(index), distance: distance,
          span: 0...Int64(count) * 100_000_000,
          levels: counts.sorted { $0.key < $1.key }.map {
            LevelCount(level: $0.key, count: $0.value)
          })
      }
      let model = DistanceModel(PathLossFit().group(key: "k", stations))
      for distance in Self.distances {
        let level = device.mean(distance) + shadow(device.shadowing, &random) + uniform(1, &random)
        // A fit without an exponent gives no distance, and no claim.
        let interval = model?.distance(atLevel: level, variance: 1)?.interval
        if let interval { ratios.append(interval.upper / interval.lower) }
        held[distance, default: 0] += interval?.contains(distance) ?? true ? 1 : 0
      }
    }
    ratios.sort()
    return (
      Self.distances.map { Double(held[$0] ?? 0) / Double(runs) },
      ratios.isEmpty ? .nan : ratios[ratios.count / 2]
    )
  }

  @Test func `degrees of freedom of curve and shadowing add up as Satterthwaite has them`() throws {
    // 16 dB² of shadowing with 14 degrees, 4 dB² of the power with 3: (20)² / (16²/14 + 4²/3).
    var model = DistanceModel(
      line: FittedLine(
        power: -59, exponent: 2, sigma: 5, powerVariance: 4, exponentVariance: 0, covariance: 0,
        quantile: 3.182), shadowing: 4)
    (model.curveFreedom, model.shadowingFreedom) = (3, 14)
    let interval = try #require(model.distance(atLevel: -59, variance: 0)?.interval)
    let freedom = 400 / (256.0 / 14 + 16.0 / 3)
    let half =
      StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975) * 20.0.squareRoot()
    #expect(abs(log10(interval.upper) * 20 - half) < 0.001 * half)
    // A single packet scatters by sigma, in which the shadowing is.
    let raw = try #require(model.distance(atLevel: -59, variance: .nan)?.interval)
    #expect(raw.upper > interval.upper)
    #expect(log10(raw.upper) * 20 < 2.3 * 29.0.squareRoot())
  }
}
