import Geometry
import TestSupport
import Testing

@testable import Simulation

struct WalkerTests {
  /// The truth that users interpolate between corners is the place of the simulation.
  @Test func `interpolates between corners`() throws {
    let walk = Walk(scenario: Scenario(seed: 3), trace: 1)
    let corners = Array(walk)
    var walker = try #require(Walker(walk))
    for (a, b) in zip(corners, corners.dropFirst()) {
      for share in [0, 0.25, 0.5, 1] {
        let time = a.time + Int64(Double(b.time - a.time) * share)
        let exact = Double(time - a.time) / Double(b.time - a.time)
        let state = walker.advance(to: time)
        let at = try #require(state)
        let x = (1 - exact) * a.position.x + exact * b.position.x
        let y = (1 - exact) * a.position.y + exact * b.position.y
        #expect(isClose(at.position.x, x) && isClose(at.position.y, y))
        // One metre per second since the start; whole nanoseconds at each corner.
        #expect(isClose(at.walked, Double(time - corners[0].time) / 1e9, absolute: 1e-7))
      }
    }
  }

  @Test func `is nowhere after the end`() throws {
    let walk = Walk(scenario: Scenario(), trace: 0)
    var walker = try #require(Walker(walk))
    let end = Scenario.start + 60_000_000_000
    let atTheEnd = walker.advance(to: end)
    let after = walker.advance(to: end + 1)
    #expect(atTheEnd != nil)
    #expect(after == nil)
  }
}
