import Glibc
import Sightings
import Support

/// A controller at the end of a stream of bytes: a socket or a serial line that carries HCI packets
/// as H4. This program is its only host.
///
/// H4 tells no times, so those of the events are the machine's when it read them.
struct StreamTransport: HCITransport, ~Copyable {
  let address: H4Address
  var name: String { address.description }
  var timeKind: Radio.TimeKind { .host }
  var isManagedByKernel: Bool { false }

  /// The open stream, nil while there is none.
  private var stream: Descriptor?
  /// The settings of a serial line before it was opened.
  private var lineBefore: termios?
  private var connecting: StreamConnecting?
  private var connectingDeadline: Int64 = 0
  private var framer = H4Framer()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Connects, within five seconds.
  ///
  /// - Parameter waits: whether to go on where nobody is there yet, as if it were gone.
  /// - Throws: `.unavailable`, `.permission`, or `.usage` where it is no serial line.
  init(_ address: H4Address, waits: Bool = false) throws(RSSIError) {
    self.address = address
    do throws(RSSIError) {
      try open()
      while try advance(within: 100) == .down {}
    } catch {
      guard waits, error.kind == .unavailable else { throw error }
    }
  }

  mutating func send(_ command: [UInt8]) throws(RSSIError) {
    guard let stream else {
      throw RSSIError(.unavailable, "\(name) is not connected")
    }
    // Where it cannot be written, reading says what became of the stream.
    _ = stream.write([0x01] + command, within: 100)
  }

  mutating func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState {
    guard let stream else {
      guard connecting != nil else {
        _ = poll(nil, 0, milliseconds)
        return .gone
      }
      do throws(RSSIError) {
        return try advance(within: milliseconds)
      } catch {
        return .gone
      }
    }
    guard read(stream, into: &batch, within: milliseconds) else {
      framer.settle(into: &batch)
      close()
      return .gone
    }
    return .up
  }

  /// Reads what is there; false where the stream has ended.
  private mutating func read(
    _ stream: Descriptor, into batch: inout EventBatch, within milliseconds: Int32
  ) -> Bool {
    var received: [UInt8] = []
    swap(&received, &buffer)
    defer { swap(&received, &buffer) }
    var hasWaited = false
    while true {
      if let count = stream.read(into: &received) {
        guard count > 0 else { return false }
        let bytes = received.span.extracting(first: count)
        framer.push(bytes, time: SystemClock.now, into: &batch)
        return true
      }
      switch errno {
      case EINTR: return true
      case EAGAIN where !hasWaited:
        hasWaited = true
        guard stream.wait(for: POLLIN, within: milliseconds) else {
          if milliseconds >= 50 { framer.settle(into: &batch) }
          return true
        }
      case EAGAIN: return true
      default: return false
      }
    }
  }

  mutating func takeLosses() -> [TransportLoss] {
    let skipped = framer.takeSkipped()
    guard skipped > 0 else { return [] }
    return [TransportLoss(reason: .lineNoise, dropped: 0, refusedBytes: skipped)]
  }

  mutating func reset() throws(RSSIError) -> Bool {
    close()
    do throws(RSSIError) {
      try open()
      return true
    } catch {
      guard error.kind == .unavailable else { throw error }
      return false
    }
  }

  mutating func reopen() throws(RSSIError) -> Bool {
    do throws(RSSIError) {
      if connecting == nil { try open() }
      return try advance(within: 50) != .down
    } catch {
      guard error.kind == .unavailable else { throw error }
      return false
    }
  }

  mutating func close() {
    if let stream, let lineBefore { SerialLine.restore(stream, to: lineBefore) }
    stream = nil
    connecting = nil
    lineBefore = nil
  }

  /// Opens the line, or begins to connect.
  private mutating func open() throws(RSSIError) {
    framer.restart()
    if case .serial(let path, let baud) = address {
      let line = try SerialLine.open(path)
      lineBefore = try SerialLine.configure(line, path: path, baud: baud)
      stream = line
    } else {
      connecting = try StreamConnecting(address)
      connectingDeadline = MachineClock.system.monotonic() + 5 * .second
    }
  }

  /// Goes on connecting: `.down` while it is under way, `.restarted` once it is done.
  private mutating func advance(within milliseconds: Int32) throws(RSSIError) -> TransportState {
    guard var connecting else { return .up }
    self.connecting = nil
    switch connecting.advance(within: milliseconds) {
    case .connected(let socket):
      stream = socket
      return .restarted
    case .underWay:
      guard MachineClock.system.monotonic() < connectingDeadline else { throw failure(ETIMEDOUT) }
      self.connecting = connecting
      return .down
    case .failed(let number): throw failure(number)
    }
  }

  private func failure(_ number: Int32) -> RSSIError {
    let problem =
      switch number {
      case ECONNREFUSED, ENOENT: "nothing listens on \(name)"
      case ETIMEDOUT: "\(name) does not answer"
      default: "\(name) cannot be reached (\(systemMessage(number)))"
      }
    if number == EACCES || number == EPERM {
      return RSSIError(.permission, "you may not connect to \(name); ask for access to it")
    }
    return RSSIError(
      .unavailable, "\(problem); start what serves the controller there, or check the address")
  }
}
