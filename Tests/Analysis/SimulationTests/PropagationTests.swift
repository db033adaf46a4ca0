import TestSupport
import Testing

@testable import Simulation

struct PropagationTests {
  @Test(arguments: [(1.0, -59.0), (10, -84), (0.1, -34), (100, -109)])
  func `loses ten times the exponent per decade`(_ distance: Double, _ level: Double) {
    var propagation = Propagation()
    propagation.exponent = 2.5
    #expect(isClose(propagation.level(of: -59, at: distance), level))
  }

  @Test func `is finite at the beacon`() {
    let propagation = Propagation()
    #expect(propagation.level(of: -59, at: 0) == propagation.level(of: -59, at: 0.1))
  }
}
