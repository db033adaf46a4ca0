import Geometry
import Support
import Testing

@testable import Simulation

struct ScenarioValidationTests {
  /// Each parameter at a value without meaning, with the name that the refusal must give.
  static let refusals: [(String, @Sendable (inout Scenario) -> Void)] = [
    ("room.width", { $0.room.width = 0 }),
    ("room.depth", { $0.room.depth = .nan }),
    ("room.beaconCount", { $0.room.beaconCount = 0 }),
    ("room.beaconHeight", { $0.room.beaconHeight = .infinity }),
    ("room.receiverHeight", { $0.room.receiverHeight = .nan }),
    ("walks.count", { $0.walks.count = -1 }),
    ("walks.duration", { $0.walks.duration = 0 }),
    ("walks.speed", { $0.walks.speed = -1 }),
    ("walks.pause", { $0.walks.pause = -1 }),
    ("walks.count × (duration + pause)", { ($0.walks.count, $0.walks.pause) = (900, 1e8) }),
    ("propagation.measuredPower", { $0.propagation.measuredPower = .nan }),
    ("propagation.measuredPowerDeviation", { $0.propagation.measuredPowerDeviation = -1 }),
    ("propagation.exponent", { $0.propagation.exponent = -2 }),
    ("propagation.shadowingDeviation", { $0.propagation.shadowingDeviation = -1 }),
    ("propagation.shadowingDistance", { $0.propagation.shadowingDistance = 0 }),
    ("propagation.fadingDeviation", { $0.propagation.fadingDeviation = -1 }),
    ("propagation.fadingDistance", { $0.propagation.fadingDistance = 0 }),
    ("propagation.noiseDeviation", { $0.propagation.noiseDeviation = .nan }),
    ("reception.advertisingInterval", { $0.reception.advertisingInterval = 0 }),
    ("reception.advertisingDelay", { $0.reception.advertisingDelay = -1 }),
    ("reception.scanInterval", { $0.reception.scanInterval = 0 }),
    ("reception.scanOn", { $0.reception.scanOn = 0 }),
    ("reception.scanOff", { $0.reception.scanOff = -1 }),
    ("reception.lossProbability", { $0.reception.lossProbability = 1.1 }),
    ("reception.sensitivity", { $0.reception.sensitivity = .nan }),
  ]

  @Test(arguments: refusals.indices)
  func refusesByName(_ index: Int) {
    let (name, change) = Self.refusals[index]
    var scenario = Scenario()
    change(&scenario)
    let error = #expect(throws: RSSIError.self) { try SimulatedRoom(scenario) }
    #expect(error?.subject == name)
  }

  @Test func acceptsTheDefaults() throws {
    #expect(try SimulatedRoom(Scenario()).beacons.count == 8)
  }
}
