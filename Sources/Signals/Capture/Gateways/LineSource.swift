import Glibc
package import Support

/// An anchor that writes lines of the dialect `u-blox` to a serial line, or to a socket.
///
/// Nothing is written to it, since it reports without being asked. If the line ends it is opened
/// again, and the interruption is recorded as a loss.
package struct LineSource: CaptureSource {
  private let address: H4Address
  private var gateways: GatewayIntake
  /// The incomplete line at the end of the input.
  private var rest: [UInt8] = []

  /// The maximum length of a line; a longer one counts as several.
  private static let longestLine = 4096
  /// The time between two calls of the sink's `tick`, in milliseconds.
  private static let tickInterval: Int32 = 50
  /// The pause before the line is opened again, in nanoseconds.
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
    // An error of the sink is thrown by the loop.
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
          try sink.notice(.message("\(address) ended; it is opened again when it returns"))
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

  /// - Throws: if reopening is impossible, such as for lack of permission.
  private func reopen(_ stream: inout ByteStream) throws(RSSIError) -> Bool {
    do throws(RSSIError) {
      if !stream.isConnecting { try stream.open() }
      return try stream.advance(within: Self.tickInterval) != .down
    } catch {
      guard error.kind == .unavailable else { throw error }
      return false
    }
  }

  /// Handles the complete lines.
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
