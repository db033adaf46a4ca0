package import Support

/// A Bluetooth adapter that the kernel knows.
package struct Adapter: Equatable, Sendable, CustomStringConvertible {
  /// Its number: 0 for `hci0`.
  package var index: UInt16
  /// Such as `00:1A:7D:DA:71:13`; all zeros until the kernel has set it up.
  package var address: String
  package var isUp: Bool

  package init(index: UInt16, address: String, isUp: Bool) {
    self.index = index
    self.address = address
    self.isUp = isUp
  }

  package var name: String { "hci\(index)" }

  /// Such as `hci0 00:1A:7D:DA:71:13 up`.
  package var description: String { "\(name) \(address) \(isUp ? "up" : "down")" }

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
package func adapters() throws(RSSIError) -> [Adapter] { try AdapterControl().adapters() }
