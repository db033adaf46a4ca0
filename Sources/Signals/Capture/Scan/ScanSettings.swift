import Support

/// The settings of a scan.
public struct ScanSettings: Equatable, Sendable {
  /// A physical layer on which beacons advertise.
  public enum PHY: String, CaseIterable, Sendable {
    /// The layer LE 1M.
    case le1M = "1m"
    /// The layer LE Coded.
    case coded
  }

  /// A Boolean value that is true to request scan responses, which transmits; off by default,
  /// because it disturbs the measurement and doubles the rows.
  public var isActive = false
  /// The physical layers to scan, in the given order; two are scanned alternately, so each receives
  /// less.
  public var phys: [PHY] = [.le1M]
  /// The time from one scan window to the next, in seconds, from 0.0025 to 10.24.
  public var interval = 0.06
  /// The duration of scanning in each interval, in seconds; as long as the interval, so that
  /// nothing is missed.
  public var window = 0.06
  /// The time without any event after which scanning is restarted, in seconds.
  public var silence = 10.0
  /// A Boolean value that is true to wait for the return of an adapter that is gone; false to end.
  public var waitsForAdapter = false

  /// Creates the default settings.
  public init() {}
}

/// The two families of scan commands.
///
/// The extended ones receive extended advertising too. A controller that supports them must not be
/// given both kinds: it answers Command Disallowed until it is reset.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 3.1.1, 7.8.10, 7.8.11,
/// 7.8.64 and 7.8.65.
enum ScanCommands: Equatable {
  case legacy, extended

  /// Returns the command that sets the scan parameters: passive or active, physical layers,
  /// interval and window.
  ///
  /// - Parameter hasRandomAddress: whether the controller has a random address to transmit with
  ///   rather than a public one.
  func parameters(_ settings: ScanSettings, hasRandomAddress: Bool = false) -> HCICommand {
    let type: UInt8 = settings.isActive ? 1 : 0
    let ownAddress: UInt8 = hasRandomAddress ? 1 : 0
    let times =
      Self.units(settings.interval).littleEndianBytes
      + Self.units(settings.window).littleEndianBytes
    switch self {
    case .legacy:
      return HCICommand(
        opcode: .leSetScanParameters, parameters: [type] + times + [ownAddress, 0])
    case .extended:
      let phys = ScanSettings.PHY.allCases.filter { settings.phys.contains($0) }
      let bits = phys.reduce(UInt8(0)) { $0 | $1.scanningBit }
      return HCICommand(
        opcode: .leSetExtendedScanParameters,
        parameters: [ownAddress, 0, bits] + phys.flatMap { _ in [type] + times })
    }
  }

  /// Returns the command that starts scanning with duplicate reports, or stops it.
  func enable(_ isOn: Bool) -> HCICommand {
    let enable: UInt8 = isOn ? 1 : 0
    switch self {
    case .legacy: return HCICommand(opcode: .leSetScanEnable, parameters: [enable, 0])
    case .extended:
      return HCICommand(
        opcode: .leSetExtendedScanEnable, parameters: [enable, 0, 0, 0, 0, 0])
    }
  }

  var other: ScanCommands { self == .legacy ? .extended : .legacy }

  /// Returns a time in the controller's units of 0.625 ms, clamped to the range that both families
  /// allow.
  static func units(_ seconds: Double) -> UInt16 {
    UInt16(min(max((seconds / 0.000625).rounded(), 4), 0x4000))
  }
}

extension ScanSettings.PHY {
  /// The layer's bit in LE Set Extended Scan Parameters, which orders its arrays by these bits.
  var scanningBit: UInt8 { self == .le1M ? 1 : 4 }
}

extension ScanSettings {
  /// Checks that the settings are possible for a controller.
  ///
  /// - Throws: `.usage`.
  func check() throws(RSSIError) {
    guard (0.0025...10.24).contains(interval) else {
      throw RSSIError(
        .usage, "a scan interval of \(interval) s is impossible: give 0.0025 to 10.24 s")
    }
    guard (0.0025...interval).contains(window) else {
      throw RSSIError(
        .usage,
        "a scan window of \(window) s is impossible: give 0.0025 s to the interval, \(interval) s")
    }
    guard !phys.isEmpty else {
      throw RSSIError(.usage, "no physical layer to scan: give 1m, coded or both")
    }
    guard silence > 0 else {
      throw RSSIError(.usage, "the silence must be more than 0 s, found \(silence) s")
    }
  }
}

extension ControllerIdentity {
  /// The family of scan commands: octet 37, bits 5 and 6 show support for the extended ones.
  var scanCommands: ScanCommands {
    supportedCommands.count > 37 && supportedCommands[37] & 0x60 == 0x60 ? .extended : .legacy
  }
}
