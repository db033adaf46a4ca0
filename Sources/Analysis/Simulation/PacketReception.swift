import NumericalMethods
import RealModule
import Support

/// The advertising of beacons and the reception of their packets.
public struct PacketReception: Hashable, Sendable {
  /// The advertising interval, in seconds, without the random delay.
  public var advertisingInterval = 0.1
  /// The upper limit of the uniform random delay added to each interval, in seconds.
  ///
  /// Source: advDelay of the Bluetooth Core Specification 5.4, volume 6, part B, section 4.4.2.2.1.
  public var advertisingDelay = 0.01
  /// The time that the receiver listens on each of the channels 37, 38 and 39 in turn, in seconds.
  public var scanInterval = 0.1
  /// The duration of scanning between two pauses, in seconds.
  public var scanOn = 1.0
  /// The duration of each pause, in seconds, in which no packet is received; 0 scans without a
  /// pause.
  public var scanOff = 0.0
  /// The share of packets lost for reasons other than their level.
  public var lossProbability = 0.3
  /// The level in dBm at which half of the packets are too weak to be received.
  public var sensitivity = -88.0
  /// The scale of the logistic curve of reception about that level, in dB; 0 is a step.
  public var sensitivityScale = 2.5

  /// Creates the reception of a beacon at 10 Hz and a receiver that scans without a pause.
  public init(_ model: RadioModel = .rician) {
    guard model == .simple else { return }
    sensitivity = -95
    sensitivityScale = 0
  }

  /// Returns the whole dBm that a controller reports for a level: rounded half away from zero, -127
  /// to 20.
  static func reported(_ level: Double) -> Int8 {
    Int8(min(max(level.rounded(.toNearestOrAwayFromZero), -127), 20))
  }

  /// Returns the probability that a packet of a level in dBm is strong enough: 1 / (1 + exp(-(level
  /// - sensitivity) / scale)).
  func strongEnough(_ level: Double) -> Double {
    guard sensitivityScale > 0 else { return level >= sensitivity ? 1 : 0 }
    return 1 / (1 + Double.exp((sensitivity - level) / sensitivityScale))
  }

  /// Rejects the first parameter that is invalid, or does not apply to the model.
  func validate(for model: RadioModel) throws(RSSIError) {
    try require("reception.sensitivityScale", sensitivityScale, as: 0, for: model)
    try require("reception.advertisingInterval", advertisingInterval, in: 0.001...1e6)
    try require("reception.advertisingDelay", advertisingDelay, in: 0...1e6)
    try require("reception.scanInterval", scanInterval, in: 0.001...1e6)
    try require("reception.scanOn", scanOn, in: 0.001...1e6)
    try require("reception.scanOff", scanOff, in: 0...1e6)
    try require("reception.lossProbability", lossProbability, in: 0...1)
    try require("reception.sensitivity", sensitivity, in: -1000...1000)
    try require("reception.sensitivityScale", sensitivityScale, in: 0...100)
  }
}

/// The receiver's rotation over the advertising channels: it listens on one at a time.
///
/// A beacon sends each advertising event on 37, 38 and 39, so the receiver receives at most one
/// packet of it, on its current channel.
struct Scanner: Sendable {
  /// The duration of one channel, in nanoseconds.
  let interval: Int64
  /// The position in the rotation at time 0, in nanoseconds.
  let phase: Int64

  /// Starts at a random position in the rotation.
  init(interval seconds: Double, from stream: inout RandomStream<Xoshiro256>) {
    interval = nanoseconds(seconds)
    phase = Int64(stream.uniform() * Double(3 * interval))
  }

  /// Returns the channel, 37 to 39, at a time in nanoseconds since the start.
  func channel(at elapsed: Int64) -> UInt8 {
    37 + UInt8((elapsed + phase) / interval % 3)
  }
}

/// The receiver's alternation between scanning and pauses, in which it receives nothing.
struct DutyCycle: Sendable {
  /// The duration of a scan, in nanoseconds.
  let on: Int64
  /// The period from the start of one scan to that of the next, in nanoseconds.
  let period: Int64
  /// The position in the period at time 0, in nanoseconds.
  let phase: Int64

  /// Starts at a random position in the period.
  ///
  /// - Parameter stream: Its own stream, so that pauses thin a recording and change nothing else.
  init(_ reception: PacketReception, from stream: RandomStream<Xoshiro256>) {
    var stream = stream
    on = nanoseconds(reception.scanOn)
    period = on + nanoseconds(reception.scanOff)
    phase = Int64(stream.uniform() * Double(period))
  }

  /// Returns a Boolean value that is true if the receiver scans at a time in nanoseconds since the
  /// start.
  func isScanning(at elapsed: Int64) -> Bool { (elapsed + phase) % period < on }
}
