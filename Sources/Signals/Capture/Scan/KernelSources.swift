package import Support

/// An adapter through raw sockets, beside whatever else uses it; opened, and up, when this returns.
///
/// - Parameters:
///   - index: its number, 0 for `hci0`; nil = the first that there is.
///   - name: what the receiver is called; the adapter's own name unless given.
/// - Throws: `RSSIError`: `.unavailable` with a list of the adapters, `.permission` with the
///   command that grants it, `.usage` where no controller can scan as asked.
package func hciSource(
  index: UInt16? = nil, settings: ScanSettings = ScanSettings(), name: String? = nil
) throws(RSSIError) -> some CaptureSource & ~Copyable {
  try ScanSource(transport: RawSocketTransport(index: index), settings: settings, name: name)
}

/// An adapter for this program alone, through the kernel's user channel; taken when this returns,
/// and given back, up where it was up, when the source ends.
///
/// - Parameters: as in `hciSource`.
/// - Throws: `RSSIError`: `.unavailable` also where another program has it.
package func userChannelSource(
  index: UInt16, settings: ScanSettings = ScanSettings(), name: String? = nil
) throws(RSSIError) -> some CaptureSource & ~Copyable {
  try ScanSource(transport: UserChannelTransport(index: index), settings: settings, name: name)
}
