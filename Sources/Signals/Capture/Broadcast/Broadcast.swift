package import Advertising

/// An advertising controller: the counterpart of a `CaptureSource`.
package protocol Broadcast: ~Copyable {
  /// Advertises until the delegate ends it.
  ///
  /// It asks the delegate at least ten times per second, handles resets and other programs' commands
  /// by itself, and restores the adapter when it returns or throws: advertising off, its
  /// advertising set removed.
  ///
  /// - Throws: `RSSIError` if advertising cannot start or continue; any error of the delegate.
  mutating func run<Delegate: BroadcastDelegate & ~Copyable>(for delegate: inout Delegate) throws
}

/// A source of the advertising data, which also decides on the duration.
package protocol BroadcastDelegate: ~Copyable {
  /// Returns the advertising data from now on, at most 31 bytes.
  mutating func advertisingData() -> [UInt8]

  /// Notes that the controller advertises: the first time, and again after each interruption.
  mutating func began(_ radio: BroadcastRadio)

  /// Shows a message to the user.
  mutating func note(_ text: String)

  /// Performs work that is due by time; returns false if advertising is to end.
  mutating func tick() throws -> Bool
}

/// The controller that advertises.
package struct BroadcastRadio: Equatable, Sendable {
  /// The adapter, such as `hci0` or `tcp:192.0.2.7:9000`.
  package var adapter: String
  /// The description of the controller.
  package var controller: String
  /// The address that receivers see, of type 0 (public) or 1 (random).
  package var address: DeviceAddress
  /// The transmit power that the controller reports, in dBm; nil if it reports none.
  package var txPower: Int8?
}
