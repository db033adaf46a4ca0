package import Support

/// A controller that speaks HCI over H4 at the end of a socket or a serial line, made to scan.
///
/// - Parameters:
///   - address: `tcp:HOST:PORT`, `unix:PATH` or `/dev/ttyX[:BAUD]`, see `H4Address`.
///   - settings: how to scan, and whether to wait where no one is there yet.
///   - name: what the receiver is called; the address unless given.
/// - Throws: `RSSIError`: `.usage`, `.unavailable`, `.permission`.
package func h4Source(
  _ address: String, settings: ScanSettings = ScanSettings(), name: String? = nil
) throws(RSSIError) -> some CaptureSource & ~Copyable {
  try settings.check()
  let transport = try StreamTransport(H4Address(address), waits: settings.waitsForAdapter)
  return try ScanSource(transport: transport, settings: settings, name: name)
}
