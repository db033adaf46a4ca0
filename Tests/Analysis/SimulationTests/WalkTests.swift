import Geometry
import TestSupport
import Testing

@testable import Simulation

struct WalkTests {
  @Test func `stops have the mean length, and leave the places as they are`() throws {
    var scenario = Scenario(seed: 5)
    (scenario.walks.duration, scenario.walks.stop) = (20_000, 6)
    let corners = Array(Walk(scenario: scenario, trace: 0))
    let pairs = zip(corners, corners.dropFirst())
    let stops = pairs.filter { $0.position == $1.position }.map { Double($1.time - $0.time) / 1e9 }
    let legs = pairs.filter { $0.position != $1.position }
    #expect(stops.count > 1000 && abs(stops.count - legs.count) <= 1)
    #expect(stops.allSatisfy { (0...12).contains($0) })
    // Standard error of the mean of uniform lengths.
    let error = 12 / (12 * Double(stops.count)).squareRoot()
    #expect(abs(stops.reduce(0, +) / Double(stops.count) - 6) < 4 * error)
    for (from, to) in legs.dropLast() {
      let speed = from.position.distance(to: to.position) / (Double(to.time - from.time) / 1e9)
      #expect(abs(speed - 1) < 1e-3)
    }
    #expect(corners.map(\.time) == corners.map(\.time).sorted())
  }

  @Test func `starts and ends on time`() {
    var scenario = Scenario()
    scenario.walks.duration = 12.3456789
    for trace in 0..<3 {
      let times = Walk(scenario: scenario, trace: trace).map(\.time)
      let start = 1_704_067_200_000_000_000 + Int64(trace) * 22_345_678_900
      #expect(times.first == start)
      #expect(times.last == start + 12_345_678_900)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func `keeps its speed`() {
    var scenario = Scenario(seed: 4)
    scenario.walks.speed = 1.4
    let corners = Array(Walk(scenario: scenario, trace: 0))
    #expect(corners.count > 5)
    for (a, b) in zip(corners, corners.dropFirst()) {
      let seconds = Double(b.time - a.time) / 1e9
      // Times are whole nanoseconds, half of one off at either end.
      #expect(isClose(a.position.distance(to: b.position), 1.4 * seconds, absolute: 1.4e-9))
    }
  }

  @Test func `stays inside the room and fills it`() {
    var scenario = Scenario()
    scenario.walks.duration = 20_000
    let corners = Walk(scenario: scenario, trace: 0).dropLast()
    #expect(corners.allSatisfy { (0.5...11.5).contains($0.position.x) })
    #expect(corners.allSatisfy { (0.5...7.5).contains($0.position.y) })
    // Corners are uniform on 11 m and 7 m, but for the rare ones that are too near to the last.
    #expect(Moments(corners.map(\.position.x)).hasMean(6, deviation: 11 / 12.0.squareRoot()))
    #expect(Moments(corners.map(\.position.y)).hasMean(4, deviation: 7 / 12.0.squareRoot()))
  }

  @Test func `walks differ`() {
    let walks = (0..<3).map { Walk(scenario: Scenario(), trace: $0).map(\.position) }
    #expect(Set(walks).count == 3)
  }

  @Test func `stands still at no speed`() {
    var scenario = Scenario()
    scenario.walks.speed = 0
    let corners = Array(Walk(scenario: scenario, trace: 0))
    #expect(corners.count == 2)
    #expect(corners[0].position == corners[1].position)
    #expect(corners[1].time - corners[0].time == 60_000_000_000)
  }
}
