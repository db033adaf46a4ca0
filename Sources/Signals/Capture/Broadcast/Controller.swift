package import Support

/// A controller, by the way to it.
package enum Controller: Sendable {
  /// An adapter through raw sockets, beside whatever else uses it; nil = the first that there is.
  case adapter(UInt16?)
  /// An adapter for this program alone, through the kernel's user channel; given back as it was
  /// found.
  case userChannel(UInt16)
  /// A controller that speaks HCI over H4 at the end of a socket or a serial line: `tcp:HOST:PORT`,
  /// `unix:PATH` or `/dev/ttyX[:BAUD]`, see `H4Address`.
  case h4(String)

  /// Opens it to scan, switched on.
  ///
  /// - Parameter settings: how to scan, and whether to wait if no one is there yet.
  /// - Throws: `RSSIError`: `.unavailable` with a list of the adapters, or if another program has a
  ///   user channel; `.permission` with the command that grants it; `.usage` for settings that no
  ///   controller can meet.
  package func scanner(
    _ settings: ScanSettings = ScanSettings()
  ) throws(RSSIError) -> some CaptureSource & ~Copyable {
    try settings.check()
    return try ScanSource(
      transport: open(switchesOn: true, waits: settings.waitsForAdapter), settings: settings)
  }

  /// Opens it to advertise. An adapter that is off stays off, because a user switched it off who
  /// wants it not to transmit.
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
