package import Support

/// An adapter through a raw socket, beside whatever else uses it. It is not switched on: who
/// switched it off wants it not to transmit.
///
/// - Parameter index: its number, 0 for `hci0`; nil = the first that there is.
/// - Throws: `RSSIError`: `.unavailable` where there is none or it is off, with the command that
///   switches it on; `.permission` with the command that grants it; `.usage`.
package func hciBroadcast(
  index: UInt16? = nil, settings: BroadcastSettings
) throws(RSSIError) -> some Broadcast & ~Copyable {
  try settings.check()
  return try Broadcaster(
    transport: RawSocketTransport(index: index, switchesOn: false), settings: settings)
}

/// An adapter for this program alone, through the kernel's user channel; given back as it was
/// found.
///
/// - Throws: as `hciBroadcast`, and `.unavailable` where another program has it.
package func userChannelBroadcast(
  index: UInt16, settings: BroadcastSettings
) throws(RSSIError) -> some Broadcast & ~Copyable {
  try settings.check()
  return try Broadcaster(transport: UserChannelTransport(index: index), settings: settings)
}

/// A controller that speaks HCI over H4 at the end of a socket or a serial line.
///
/// - Parameter address: `tcp:HOST:PORT`, `unix:PATH` or `/dev/ttyX[:BAUD]`, see `H4Address`.
/// - Throws: `RSSIError`: `.usage`, `.unavailable`, `.permission`.
package func h4Broadcast(
  _ address: String, settings: BroadcastSettings
) throws(RSSIError) -> some Broadcast & ~Copyable {
  try settings.check()
  return try Broadcaster(transport: StreamTransport(H4Address(address)), settings: settings)
}
