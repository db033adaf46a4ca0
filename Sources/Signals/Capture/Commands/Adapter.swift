public import Support

/// A Bluetooth adapter that the kernel knows.
public struct Adapter: Equatable, Sendable, CustomStringConvertible {
  /// Its number: 0 for `hci0`.
  public var index: UInt16
  /// Such as `00:1A:7D:DA:71:13`; all zeros until the kernel has set it up.
  public var address: String
  public var isUp: Bool

  public init(index: UInt16, address: String, isUp: Bool) {
    self.index = index
    self.address = address
    self.isUp = isUp
  }

  public var name: String { "hci\(index)" }

  /// Such as `hci0 00:1A:7D:DA:71:13 up`.
  public var description: String { "\(name) \(address) \(isUp ? "up" : "down")" }

  /// Whether another adapter is this one, come back perhaps under another number: the one with its
  /// address, or, where the kernel knew none, with its number.
  func isSameRadio(as other: Adapter) -> Bool {
    let hasAddress = address.contains { $0 != "0" && $0 != ":" }
    return hasAddress ? address == other.address : index == other.index
  }
}

/// The adapters that there are, by number; needs no privilege.
///
/// - Throws: `RSSIError.unavailable` where the kernel has no Bluetooth.
public func adapters() throws(RSSIError) -> [Adapter] { try AdapterControl().adapters() }
