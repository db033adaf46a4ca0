import Support

/// The complete description of a simulated recording: equal scenarios give equal recordings.
public struct Scenario: Hashable, Sendable {
  /// The random seed, which selects one of 2^64 rooms of the same description.
  public var seed: UInt64
  /// The model of the radio, which sets the defaults of propagation and reception.
  public let model: RadioModel
  /// The room with its beacons.
  public var room = Room()
  /// The walks of the receiver.
  public var walks = WalkPlan()
  /// The rests of beacons around a stationary receiver; `nil` lets the receiver walk among fixed
  /// beacons.
  public var rests: RestPlan?
  /// The floors of a building; `nil` is one room.
  public var storeys: Storeys?
  /// The flat in place of one room; `nil` is one room.
  public var flat: Flat?
  /// The parameters of the radio path.
  public var propagation: Propagation
  /// The parameters of beacons and receivers.
  public var reception: PacketReception

  /// Creates the default room, walks and radio.
  public init(seed: UInt64 = 1, model: RadioModel = .rician) {
    self.seed = seed
    self.model = model
    propagation = Propagation(model)
    reception = PacketReception(model)
  }

  /// The start of every recording: 2024-01-01T00:00:00Z, in nanoseconds since the Unix epoch.
  public static let start: Int64 = 1_704_067_200_000_000_000
}

/// A model of levels and reception.
public enum RadioModel: String, CaseIterable, Hashable, Sendable {
  /// Rician fading in time and distance, a map of shadowing, a body and a soft limit of reception.
  case rician
  /// Independent noise, shadowing and fading by distance walked, and a sharp limit of reception.
  case simple
}

/// A rectangular room, its beacons on the walls and the height at which the receiver is carried.
public struct Room: Hashable, Sendable {
  /// The extent along x, in metres.
  public var width = 12.0
  /// The extent along y, in metres.
  public var depth = 8.0
  /// The number of beacons on the walls, of each floor.
  public var beaconCount = 8
  /// The height of the beacons above the floor, in metres.
  public var beaconHeight = 2.0
  /// The height of the receiver above the floor, in metres.
  public var receiverHeight = 1.0

  /// Creates a room of 12 m by 8 m with 8 beacons.
  public init() {}
}

/// The walks of the receiver through the room; with rests, the length of traces and the speed of
/// moved beacons.
public struct WalkPlan: Hashable, Sendable {
  /// The number of walks, each a trace of its own.
  public var count = 3
  /// The duration of each walk, in seconds.
  public var duration = 60.0
  /// The speed, in metres per second; 0 stands still.
  public var speed = 1.0
  /// The mean length of the stops at corners, in seconds: each is from 0 to twice as long.
  public var stop = 0.0
  /// The pause between two walks, in seconds.
  public var pause = 10.0

  /// Creates a plan of three walks of a minute.
  public init() {}

  /// Returns the start of a walk, in nanoseconds since the Unix epoch.
  func start(ofTrace trace: Int) -> Int64 {
    Scenario.start + Int64(trace) * (nanoseconds(duration) + nanoseconds(pause))
  }
}

/// Returns a time in seconds as whole nanoseconds.
func nanoseconds(_ seconds: Double) -> Int64 {
  Int64((seconds * 1e9).rounded(.toNearestOrAwayFromZero))
}

extension Scenario {
  /// Rejects the first invalid parameter.
  func validate() throws(RSSIError) {
    try rests?.validate(exponent: propagation.exponent, speed: walks.speed)
    try require("room.width", room.width, in: 1...10_000)
    try require("room.depth", room.depth, in: 1...10_000)
    try require("room.beaconCount", Double(room.beaconCount), in: 1...65_535)
    try require("room.beaconHeight", room.beaconHeight, in: -1000...1000)
    try require("room.receiverHeight", room.receiverHeight, in: -1000...1000)
    try storeys?.validate(in: self)
    try flat?.validate(in: self)
    try require("walks.count", Double(walks.count), in: 0...1_000_000)
    try require("walks.duration", walks.duration, in: 0.001...1e8)
    try require("walks.speed", walks.speed, in: 0...100)
    try require("walks.stop", walks.stop, in: 0...1e6)
    try require("walks.pause", walks.pause, in: 0...1e8)
    let total = Double(walks.count) * (walks.duration + walks.pause)
    try require("walks.count × (duration + pause)", total, in: 0...1e9)
    try propagation.validate(for: model)
    try reception.validate(for: model)
  }
}

/// Rejects a parameter outside its range; NaN is outside every range.
func require(
  _ parameter: String, _ value: Double, in range: ClosedRange<Double>
) throws(RSSIError) {
  guard range.contains(value) else {
    throw RSSIError(
      .usage, "the simulation cannot use \(plain(value))", in: parameter,
      advice: "choose a value from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
  }
}

/// Rejects a value that the simple model does not support.
func require<Value: Equatable>(
  _ parameter: String, _ value: Value, as simple: Value, for model: RadioModel
) throws(RSSIError) {
  guard model == .simple, value != simple else { return }
  throw RSSIError(
    .usage, "the model simple does not have this parameter", in: parameter,
    advice: "leave it out, or choose the model rician")
}
