internal import CBlueZ
import Glibc
package import Support

/// A Bluetooth adapter of this machine.
public struct Adapter: Equatable, Sendable, CustomStringConvertible {
  /// The number of the adapter: 0 for `hci0`.
  public var index: UInt16
  /// The address, such as `00:1A:7D:DA:71:13`; all zeros until the kernel has set it up.
  public var address: String
  /// A Boolean value that is true if the adapter is switched on.
  public var isUp: Bool

  /// Creates an adapter.
  public init(index: UInt16, address: String, isUp: Bool) {
    self.index = index
    self.address = address
    self.isUp = isUp
  }

  /// The name in the kernel, such as `hci0`.
  public var name: String { "hci\(index)" }

  /// The name, address and state, such as `hci0 00:1A:7D:DA:71:13 up`.
  public var description: String { "\(name) \(address) \(isUp ? "up" : "down")" }

  /// Returns a Boolean value that is true if another adapter is the same device, possibly with
  /// another number: the one with its address, or, if that is unknown, with its number.
  func isSameRadio(as other: Adapter) -> Bool {
    let hasAddress = address.contains { $0 != "0" && $0 != ":" }
    return hasAddress ? address == other.address : index == other.index
  }
}

/// Returns the available adapters, by number; needs no privilege.
///
/// - Throws: `RSSIError.unavailable` if the kernel has no Bluetooth support.
package func adapters() throws(RSSIError) -> [Adapter] { try AdapterControl().adapters() }

/// The kernel's control interface of adapters: listing, up, down.
struct AdapterControl {
  private let socket: Descriptor

  init() throws(RSSIError) {
    let number = cbluez_open(UInt16(HCI_DEV_NONE), UInt16(HCI_CHANNEL_RAW))
    guard number >= 0 else { throw socketError(-number, "the Bluetooth socket") }
    socket = Descriptor(number)
  }

  func adapters() throws(RSSIError) -> [Adapter] {
    var numbers = [UInt16](repeating: 0, count: Int(HCI_MAX_DEV))
    let count = cbluez_devices(socket.number, &numbers, Int32(numbers.count))
    guard count >= 0 else { throw socketError(-count, "the list of adapters") }
    var found: [Adapter] = []
    for index in numbers[..<Int(count)].sorted() {
      // An adapter that vanished meanwhile is omitted.
      if let adapter = adapter(index) { found.append(adapter) }
    }
    return found
  }

  func adapter(_ index: UInt16) -> Adapter? {
    var info = hci_dev_info()
    guard cbluez_information(socket.number, index, &info) == 0 else { return nil }
    let address = withUnsafeBytes(of: info.bdaddr) { bytes in
      addressText(bytes.bindMemory(to: UInt8.self).span)
    }
    return Adapter(index: index, address: address, isUp: cbluez_is_up(&info) != 0)
  }

  /// Returns a known adapter, whatever its number now; nil if it is absent.
  func find(_ known: Adapter) throws(RSSIError) -> Adapter? {
    try adapters().first { known.isSameRadio(as: $0) }
  }

  /// Returns an adapter that must exist; the error lists the available ones.
  ///
  /// - Parameter index: the adapter's number; nil for the first.
  func require(_ index: UInt16?) throws(RSSIError) -> Adapter {
    if let index, let adapter = adapter(index) { return adapter }
    let found = try adapters()
    if index == nil, let first = found.first { return first }
    let missing = index.map { "there is no adapter hci\($0)" } ?? "there is no Bluetooth adapter"
    guard !found.isEmpty else {
      throw RSSIError(
        .unavailable,
        "\(missing), nor any other: plug one in (`lsusb`, `dmesg | grep -i bluetooth`), or use "
          + "h4:…, mqtt:… or replay:…")
    }
    throw RSSIError(
      .unavailable,
      "\(missing); there is \(found.map(\.description).joined(separator: ", "))")
  }

  func bringUp(_ index: UInt16) throws(RSSIError) {
    let result = cbluez_up(socket.number, index)
    guard result == 0 || result == -EALREADY else {
      throw socketError(-result, "hci\(index) is down and cannot be brought up")
    }
  }

  func bringDown(_ index: UInt16) throws(RSSIError) {
    let result = cbluez_down(socket.number, index)
    guard result == 0 || result == -EALREADY else {
      throw socketError(-result, "hci\(index) is up and cannot be brought down")
    }
  }
}

/// Returns an address in the usual notation, from bytes with the least significant first.
func addressText(_ bytes: Span<UInt8>) -> String {
  hexadecimal(bytes.indices.reversed().map { bytes[$0] }, uppercase: true, separator: ":")
}
