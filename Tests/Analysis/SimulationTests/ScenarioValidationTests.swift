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
    ("rests.duration", { $0.rests = RestPlan(duration: 0) }),
    ("rests.duration", { $0.rests = RestPlan(duration: .nan) }),
    ("rests.dropOut", { $0.rests = RestPlan(duration: 5, dropOut: 6) }),
    ("rests.levelChange", { $0.rests = RestPlan(levelChange: -1) }),
    ("rests.levelChange", { $0.rests = RestPlan(levelChange: 61) }),
    ("rests.levelChange", { ($0.rests, $0.propagation.exponent) = (RestPlan(levelChange: 1), 0) }),
    ("walks.speed", { ($0.rests, $0.walks.speed) = (RestPlan(), 0) }),
    ("storeys", { ($0.rests, $0.storeys) = (RestPlan(), Storeys()) }),
    ("storeys.count", { $0.storeys = Storeys(count: 1) }),
    ("storeys.height", { $0.storeys = Storeys(\.height, 0) }),
    ("storeys.slabLoss", { $0.storeys = Storeys(\.slabLoss, -1) }),
    ("storeys.slabDeviation", { $0.storeys = Storeys(\.slabDeviation, .nan) }),
    ("storeys.apparentShift", { $0.storeys = Storeys(\.apparentShift, -1) }),
    ("storeys.stairShare", { $0.storeys = Storeys(\.stairShare, 1.1) }),
    ("storeys.climbDuration", { $0.storeys = Storeys(\.climbDuration, 0) }),
    (
      "room.beaconCount × storeys.count",
      { ($0.storeys, $0.room.beaconCount) = (Storeys(), 40_000) }
    ),
    ("flat", { ($0.rests, $0.flat) = (RestPlan(), Flat()) }),
    ("flat", { ($0.storeys, $0.flat) = (Storeys(), Flat()) }),
    ("room.width", { ($0.flat, $0.room.width) = (Flat(), 5.9) }),
    ("room.depth", { ($0.flat, $0.room.depth) = (Flat(), 6.9) }),
    ("flat.wallLoss", { $0.flat = Flat(\.wallLoss, -1) }),
    ("flat.wallDeviation", { $0.flat = Flat(\.wallDeviation, .nan) }),
    ("propagation.measuredPower", { $0.propagation.measuredPower = .nan }),
    ("propagation.measuredPowerDeviation", { $0.propagation.measuredPowerDeviation = -1 }),
    ("propagation.exponent", { $0.propagation.exponent = -2 }),
    ("propagation.shadowingDeviation", { $0.propagation.shadowingDeviation = -1 }),
    ("propagation.shadowingDistance", { $0.propagation.shadowingDistance = 0 }),
    ("propagation.fadingDeviation", { $0.propagation.fadingDeviation = -1 }),
    ("propagation.fadingDistance", { $0.propagation.fadingDistance = 0 }),
    ("propagation.shadowingPersistence", { $0.propagation.shadowingPersistence = 1.1 }),
    ("propagation.commonDeviation", { $0.propagation.commonDeviation = -1 }),
    ("propagation.bodyLoss", { $0.propagation.bodyLoss = -1 }),
    ("propagation.channelDeviation", { $0.propagation.channelDeviation = .nan }),
    ("propagation.kFactor", { $0.propagation.kFactor = .infinity }),
    ("propagation.kFactorDeviation", { $0.propagation.kFactorDeviation = -1 }),
    ("propagation.fadingTime", { $0.propagation.fadingTime = -1...1 }),
    ("propagation.channelCorrelation", { $0.propagation.channelCorrelation = 1.1 }),
    ("propagation.noiseDeviation", { $0.propagation.noiseDeviation = .nan }),
    ("reception.advertisingInterval", { $0.reception.advertisingInterval = 0 }),
    ("reception.advertisingDelay", { $0.reception.advertisingDelay = -1 }),
    ("reception.scanInterval", { $0.reception.scanInterval = 0 }),
    ("reception.scanOn", { $0.reception.scanOn = 0 }),
    ("reception.scanOff", { $0.reception.scanOff = -1 }),
    ("reception.lossProbability", { $0.reception.lossProbability = 1.1 }),
    ("reception.sensitivity", { $0.reception.sensitivity = .nan }),
    ("reception.sensitivityScale", { $0.reception.sensitivityScale = -1 }),
  ]

  @Test(arguments: refusals.indices)
  func `refuses by name`(_ index: Int) {
    let (name, change) = Self.refusals[index]
    var scenario = Scenario()
    change(&scenario)
    let error = #expect(throws: RSSIError.self) { try SimulatedRoom(scenario) }
    #expect(error?.subject == name)
  }

  /// Parameters that the simple model does not have.
  static let foreign: [(String, @Sendable (inout Scenario) -> Void)] = [
    ("propagation.shadowingPersistence", { $0.propagation.shadowingPersistence = 0.5 }),
    ("storeys", { $0.storeys = Storeys() }),
    ("flat", { $0.flat = Flat() }),
    ("propagation.bodyLoss", { $0.propagation.bodyLoss = 3 }),
    ("propagation.kFactor", { $0.propagation.kFactor = 6 }),
    ("propagation.fadingTime", { $0.propagation.fadingTime = 5...5 }),
    ("reception.sensitivityScale", { $0.reception.sensitivityScale = 2 }),
  ]

  @Test(arguments: foreign.indices)
  func `the simple model refuses parameters of the other`(_ index: Int) {
    let (name, change) = Self.foreign[index]
    var scenario = Scenario(model: .simple)
    change(&scenario)
    let error = #expect(throws: RSSIError.self) { try SimulatedRoom(scenario) }
    #expect(error?.subject == name)
  }

  @Test(arguments: RadioModel.allCases)
  func `accepts the defaults`(_ model: RadioModel) throws {
    #expect(try SimulatedRoom(Scenario(model: model)).beacons.count == 8)
  }
}

extension Storeys {
  fileprivate init(_ parameter: WritableKeyPath<Storeys, Double>, _ value: Double) {
    self.init()
    self[keyPath: parameter] = value
  }
}

extension Flat {
  fileprivate init(_ parameter: WritableKeyPath<Flat, Double>, _ value: Double) {
    self.init()
    self[keyPath: parameter] = value
  }
}

extension RestPlan {
  fileprivate init(duration: Double = 600, levelChange: Double? = nil, dropOut: Double = 0) {
    self.init(duration: duration)
    (self.levelChange, self.dropOut) = (levelChange, dropOut)
  }
}
