import Glibc
package import Support

/// An anchor that writes lines of the dialect `u-blox` to a serial line, or to a socket.
///
/// Nothing is written to it: it reports by itself once it runs. Where the line ends, it is opened
/// again, and the time without it is recorded as a loss.
package struct LineSource: CaptureSource {
  private let address: H4Address
  private var gateways: GatewayIntake
  /// The beginning of a line whose end is still to come.
  private var rest: [UInt8] = []

  /// A longer line counts as several.
  private static let longestLine = 4096
  /// Milliseconds from one call of the sink's `tick` to the next.
  private static let tickInterval: Int32 = 50
  /// Nanoseconds before the line is opened again.
  private static let pause: Int64 = .second

  /// - Parameter address: `tcp:HOST:PORT`, `unix:PATH` or `/dev/ttyX[:BAUD]`.
  /// - Throws: `RSSIError` of kind `usage`, before anything is opened.
  package init(address: String) throws(RSSIError) {
    self.address = try H4Address(address)
    gateways = GatewayIntake(dialect: .uBlox, place: self.address.description)
  }

  package mutating func run<Sink: CaptureSink & ~Copyable>(into sink: inout Sink) throws {
    var stream = ByteStream(address)
    try stream.open()
    while try stream.advance(within: 100) == .down {}
    defer { stream.close() }
    try sink.notice(.start)
    // The sink has thrown what it has to throw.
    defer { try? gateways.finish(to: &sink) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var outage: Int64?
    var retry: Int64 = 0
    repeat {
      if stream.isOpen {
        if let count = stream.read(into: &buffer, within: Self.tickInterval) {
          try take(buffer[..<count], &sink)
        } else {
          stream.close()
          rest = []
          outage = SystemClock.now
          retry = MachineClock.system.monotonic() + Self.pause
          try sink.notice(.message("\(address) ended; it is opened again once it is there"))
        }
      } else {
        _ = poll(nil, 0, Self.tickInterval)
        guard MachineClock.system.monotonic() >= retry else { continue }
        if try !reopen(&stream) {
          if !stream.isConnecting { retry = MachineClock.system.monotonic() + Self.pause }
        } else if let start = outage.take() {
          try gateways.recordOutage(since: start, &sink)
          try sink.notice(.message("\(address) is there again"))
        }
      }
      try gateways.account(to: &sink)
    } while try sink.tick()
    if let outage { try gateways.recordOutage(since: outage, &sink) }
  }

  /// - Throws: where it cannot come back, such as for want of permission.
  private func reopen(_ stream: inout ByteStream) throws(RSSIError) -> Bool {
    do throws(RSSIError) {
      if !stream.isConnecting { try stream.open() }
      return try stream.advance(within: Self.tickInterval) != .down
    } catch {
      guard error.kind == .unavailable else { throw error }
      return false
    }
  }

  /// Takes the lines that are whole now.
  private mutating func take<Sink: CaptureSink & ~Copyable>(
    _ bytes: ArraySlice<UInt8>, _ sink: inout Sink
  ) throws {
    let arrival = SystemClock.now
    for byte in bytes {
      let isEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      if !isEnd { rest.append(byte) }
      guard isEnd && !rest.isEmpty || rest.count == Self.longestLine else { continue }
      try gateways.take(BrokerMessage(topic: [], payload: rest, arrival: arrival), &sink)
      rest.removeAll(keepingCapacity: true)
    }
  }
}
