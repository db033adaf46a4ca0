package import Support

/// A controller, by its transport.
package enum Controller: Sendable {
  /// An adapter through raw sockets, shared with other programs; nil for the first one.
  case adapter(UInt16?)
  /// An adapter for this program alone, through the kernel's user channel; restored to its former
  /// state at the end.
  case userChannel(UInt16)
  /// A controller that speaks HCI over H4 at the end of a socket or a serial line: `tcp:HOST:PORT`,
  /// `unix:PATH` or `/dev/ttyX[:BAUD]`, see `H4Address`.
  case h4(String)

  /// Opens the controller for scanning, switched on.
  ///
  /// - Parameter settings: the scan parameters, and whether to wait for a controller that is
  ///   absent.
  /// - Throws: `RSSIError`: `.unavailable` with a list of the adapters, or if another program uses
  ///   the user channel; `.permission` with the command that grants it; `.usage` for settings that
  ///   no controller can meet.
  package func scanner(
    _ settings: ScanSettings = ScanSettings()
  ) throws(RSSIError) -> some CaptureSource & ~Copyable {
    try settings.check()
    return try ScanSource(
      transport: open(switchesOn: true, waits: settings.waitsForAdapter), settings: settings)
  }

  /// Opens the controller for advertising. An adapter that is off stays off, because the user who
  /// switched it off does not want it to transmit.
  ///
  /// - Throws: `RSSIError` as `scanner`, and `.unavailable` for an adapter that is off, with the
  ///   command that switches it on.
  package func broadcaster(
    _ settings: BroadcastSettings
  ) throws(RSSIError) -> some Broadcast & ~Copyable {
    try settings.check()
    return try Broadcaster(transport: open(switchesOn: false, waits: false), settings: settings)
  }

  private func open(
    switchesOn: Bool, waits: Bool
  ) throws(RSSIError) -> any HCITransport {
    switch self {
    case .adapter(let index): try RawSocketTransport(index: index, switchesOn: switchesOn)
    case .userChannel(let index): try UserChannelTransport(index: index)
    case .h4(let address): try StreamTransport(H4Address(address), waits: waits)
    }
  }
}
