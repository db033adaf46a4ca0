package import Advertising

/// A controller that is made to advertise: the opposite of a `CaptureSource`.
package protocol Broadcast: ~Copyable {
  /// Advertises until the delegate wants no more.
  ///
  /// It asks the delegate at least ten times a second, comes through resets and other programs'
  /// commands by itself, and leaves the adapter as it found it when it returns or throws:
  /// advertising off, its advertising set removed.
  ///
  /// - Throws: `RSSIError` where advertising cannot begin or go on; what the delegate throws.
  mutating func run<Delegate: BroadcastDelegate & ~Copyable>(for delegate: inout Delegate) throws
}

/// A source of the data to advertise, which also decides for how long.
package protocol BroadcastDelegate: ~Copyable {
  /// The advertising data from now on; 31 bytes at most.
  mutating func advertisingData() -> [UInt8]

  /// Learns that the controller advertises: the first time, and again after each interruption.
  mutating func began(_ radio: BroadcastRadio)

  /// States something to the person who advertises.
  mutating func note(_ text: String)

  /// Does what is due by time; false when it is to end.
  mutating func tick() throws -> Bool
}

/// The controller that advertises.
package struct BroadcastRadio: Equatable, Sendable {
  /// Such as `hci0` or `tcp:192.0.2.7:9000`.
  package var adapter: String
  /// The controller in words.
  package var controller: String
  /// The address that receivers see, type 0 public or 1 random.
  package var address: DeviceAddress
  /// The power that it states it transmits with, dBm; nil if it does not.
  package var txPower: Int8?
}
