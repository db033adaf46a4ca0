import Geometry
import Support
import TestSupport
import Testing

@testable import Simulation

struct SimulatedBenchTests {
  /// Least squares of level on 1 and log10 d by numpy: P, n and their standard errors.
  private func fit(_ rows: [(distance: Double, level: Double)]) throws -> [Double] {
    let script = """
      import sys, numpy as np
      d, z = np.array([[float(v) for v in r.split(',')] for r in sys.argv[1].split()]).T
      A = np.column_stack([np.ones(len(d)), -10 * np.log10(d)])
      x, *_ = np.linalg.lstsq(A, z, rcond=None)
      s2 = np.sum((z - A @ x) ** 2) / (len(d) - 2)
      print(*x, *np.sqrt(s2 * np.diag(np.linalg.inv(A.T @ A))))
      """
    let text = rows.map { "\($0.distance),\($0.level)" }.joined(separator: " ")
    let result = try runPython(script, [text])
    try #require(result.exitCode == 0, "\(result.error)")
    return result.output.split(whereSeparator: \.isWhitespace).map { Double($0)! }
  }

  /// The mean level reported in each stay.
  private func means(_ bench: SimulatedBench) -> [(distance: Double, level: Double)] {
    var levels = [[Double]](repeating: [], count: bench.stays.count)
    bench.forEachSighting { levels[$0.trace].append(Double($0.rssi)) }
    return zip(bench.stays, levels).map { ($0.distance, Moments($1).mean) }
  }

  @Test func `stays follow one another`() throws {
    let room = try SimulatedRoom(Scenario())
    let bench = try SimulatedBench(CalibrationSession(beacons: [2, 5]), in: room)
    #expect(bench.stays.count == 32)
    for (index, stay) in bench.stays.enumerated() {
      #expect(stay.index == index)
      #expect(stay.beacon == (index < 16 ? 2 : 5))
      #expect(stay.distance == 0.5 * Double(index % 16 + 1))
      #expect(stay.start == Scenario.start + Int64(index) * 25_000_000_000)
      #expect(stay.end == stay.start + 20_000_000_000)
    }
  }

  @Test(arguments: RadioModel.allCases)
  func `sightings belong to their stay`(_ model: RadioModel) throws {
    let room = try SimulatedRoom(Scenario(model: model))
    let bench = try SimulatedBench(CalibrationSession(beacons: [1]), in: room)
    var last = Int64.min
    var level: [Int: Double] = [:]
    bench.forEachSighting { sighting in
      let stay = bench.stays[sighting.trace]
      #expect((stay.start...stay.end).contains(sighting.time))
      #expect(sighting.time >= last)
      #expect(sighting.beacon == 1 && sighting.distance == stay.distance)
      // Nothing moves, so the mean level stays.
      #expect(level[sighting.trace, default: sighting.meanRSSI] == sighting.meanRSSI)
      level[sighting.trace] = sighting.meanRSSI
      last = sighting.time
    }
    #expect(level.count == 16)
    #expect(Set(level.values).count == 16)
  }

  /// Without anything random, the true mean levels lie on the curve.
  @Test(arguments: RadioModel.allCases)
  func `noiseless levels give back the constants`(_ model: RadioModel) throws {
    var scenario = Scenario(model: model)
    scenario.propagation.exponent = 2.3
    scenario.propagation.shadowingDeviation = 0
    scenario.propagation.commonDeviation = 0
    let room = try SimulatedRoom(scenario)
    let bench = try SimulatedBench(CalibrationSession(beacons: [3]), in: room)
    var rows: [Double: Double] = [:]
    bench.forEachSighting { rows[$0.distance] = $0.meanRSSI }
    let constants = try fit(rows.map { ($0.key, $0.value) })
    #expect(isClose(constants[0], room.beacons[3].measuredPower, absolute: 1e-9))
    #expect(isClose(constants[1], 2.3, absolute: 1e-9))
  }

  /// With shadowing, fading, noise and loss, least squares on the means of stays comes within 5 of
  /// its own standard errors.
  @Test func `noisy levels give back the constants within their errors`() throws {
    var scenario = Scenario(seed: 11, model: .simple)
    scenario.propagation.measuredPowerDeviation = 0
    scenario.reception.sensitivity = -200
    let room = try SimulatedRoom(scenario)
    let session = CalibrationSession(beacons: Array(0..<8))
    let constants = try fit(means(try SimulatedBench(session, in: room)))
    #expect(abs(constants[0] + 59) <= 5 * constants[2])
    #expect(abs(constants[1] - 2) <= 5 * constants[3])
    // A deviation of √(4² + 2.5² / 3) dB over 128 stays makes se(n) 0.11; twice that would be
    // wrong.
    #expect((0.05...0.22).contains(constants[3]))
  }

  /// A beacon that the room does not have, or a distance at which the law ends.
  @Test func `refuses what is not there`() throws {
    let room = try SimulatedRoom(Scenario())
    #expect(throws: RSSIError.self) {
      try SimulatedBench(CalibrationSession(beacons: [8]), in: room)
    }
    var session = CalibrationSession()
    session.distances = [1, 0]
    #expect(throws: RSSIError.self) { try SimulatedBench(session, in: room) }
  }
}
