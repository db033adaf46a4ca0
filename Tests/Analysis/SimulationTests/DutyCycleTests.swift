import Geometry
import NumericalMethods
import Testing

@testable import Simulation

struct DutyCycleTests {
  private func reception(on: Double = 1, off: Double) -> PacketReception {
    var reception = PacketReception()
    (reception.scanOn, reception.scanOff) = (on, off)
    return reception
  }

  private func cycle(_ trace: Int, off: Double = 5) -> DutyCycle {
    DutyCycle(reception(off: off), from: RandomStream(seed: 1, for: .pause, trace))
  }

  @Test func `scans then pauses`() {
    for trace in 0..<100 {
      let cycle = cycle(trace)
      #expect((0..<6_000_000_000).contains(cycle.phase))
      let start = 6_000_000_000 - cycle.phase
      for (time, scans) in [
        (start - 1, false), (start, true), (start + 999_999_999, true),
        (start + 1_000_000_000, false), (start + 5_999_999_999, false),
        (start + 6_000_000_000, true),
      ] {
        #expect(cycle.isScanning(at: time) == scans)
      }
    }
  }

  @Test func `starts anywhere`() {
    let scanning = (0..<9_000).filter { cycle($0).isScanning(at: 0) }.count
    #expect(isShare(scanning, of: 9_000, 1.0 / 6))
  }

  @Test func `without a pause it always scans`() {
    for trace in 0..<20 {
      let cycle = cycle(trace, off: 0)
      #expect((0..<1_000).allSatisfy { cycle.isScanning(at: $0 * 7_654_321) })
    }
  }

  /// Three walks of ten whole periods each: what is left lies in one second of every six, was there
  /// before, and lacks nothing of those seconds.
  @Test func `pauses thin the same recording`() throws {
    var scenario = Scenario(seed: 5)
    scenario.reception.sensitivity = -200
    let all = try sightings(scenario)
    scenario.reception.scanOff = 5
    let left = try sightings(scenario)
    #expect(Set(left).isStrictSubset(of: all))
    #expect(isShare(left.count, of: all.count, 1.0 / 6))
    for trace in 0..<3 {
      let rest = left.filter { $0.trace == trace }.map { $0.time % 6_000_000_000 }.sorted()
      // The rhythm has any phase, so the pause is the widest gap around the circle of six seconds.
      let gaps = zip(rest, rest.dropFirst() + [rest[0] + 6_000_000_000]).map { ($1 - $0, $1) }
      let pause = try #require(gaps.max { $0.0 < $1.0 })
      #expect(pause.0 > 5_000_000_000)
      // As 10 s hold more than 500 packets, the scan is known to a few hundredths of a second.
      #expect(pause.0 < 5_100_000_000)
      let scan = 6_000_000_000 - pause.0
      // A whole number of periods keeps the difference positive.
      let scanned = all.filter {
        $0.trace == trace && ($0.time - pause.1 + 60_000_000_000) % 6_000_000_000 <= scan
      }
      #expect(scanned == left.filter { $0.trace == trace })
    }
  }

  @Test func `pauses thin a calibration too`() throws {
    var scenario = Scenario(seed: 5)
    func readings() throws -> [SimulatedSighting] {
      var all: [SimulatedSighting] = []
      let bench = try SimulatedBench(CalibrationSession(), in: try SimulatedRoom(scenario))
      bench.forEachSighting { all.append($0) }
      return all
    }
    let all = try readings()
    scenario.reception.scanOn = 2
    scenario.reception.scanOff = 2
    let left = try readings()
    #expect(Set(left).isStrictSubset(of: all))
    #expect(isShare(left.count, of: all.count, 0.5))
    #expect(Set(left.map(\.trace)) == Set(0..<16))
  }

  private func sightings(_ scenario: Scenario) throws -> [SimulatedSighting] {
    var all: [SimulatedSighting] = []
    try SimulatedRoom(scenario).forEachSighting { all.append($0) }
    return all
  }
}
