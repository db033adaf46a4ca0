import Glibc
import Sightings
import Support

/// A controller that carries HCI packets as H4 over a stream of bytes: a socket or a serial line.
/// This program is its only host.
///
/// H4 has no times, so those of the events are the machine's at their reading.
final class StreamTransport: HCITransport {
  var name: String { stream.address.description }
  var timeKind: Radio.TimeKind { .host }
  var isManagedByKernel: Bool { false }

  private var stream: ByteStream
  private var framer = H4Framer()
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Connects, within five seconds.
  ///
  /// - Parameter waits: whether to continue without a peer, as with a controller that is gone.
  /// - Throws: `.unavailable`, `.permission`, or `.usage` if it is not a serial line.
  init(_ address: H4Address, waits: Bool = false) throws(RSSIError) {
    stream = ByteStream(address)
    do throws(RSSIError) {
      try open()
      while try stream.advance(within: 100) == .down {}
    } catch {
      guard waits, error.kind == .unavailable else { throw error }
    }
  }

  func send(_ command: [UInt8]) throws(RSSIError) {
    guard stream.isOpen else {
      throw RSSIError(.unavailable, "\(name) is not connected")
    }
    stream.write([0x01] + command, within: 100)
  }

  func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState {
    guard stream.isOpen else {
      guard stream.isConnecting else {
        _ = poll(nil, 0, milliseconds)
        return .gone
      }
      do throws(RSSIError) {
        return try stream.advance(within: milliseconds)
      } catch {
        return .gone
      }
    }
    // A copy outside self, because the framer changes during the push.
    var received: [UInt8] = []
    swap(&received, &buffer)
    defer { swap(&received, &buffer) }
    guard let count = stream.read(into: &received, within: milliseconds) else {
      framer.settle(into: &batch)
      close()
      return .gone
    }
    if count > 0 {
      framer.push(received.span.extracting(first: count), time: SystemClock.now, into: &batch)
    } else if milliseconds >= 50 {
      framer.settle(into: &batch)
    }
    return .up
  }

  func takeLosses() -> [TransportLoss] {
    let skipped = framer.takeSkipped()
    guard skipped > 0 else { return [] }
    return [TransportLoss(reason: .lineNoise, dropped: 0, refusedBytes: skipped)]
  }

  func reset() throws(RSSIError) -> Bool {
    close()
    do throws(RSSIError) {
      try open()
      return true
    } catch {
      guard error.kind == .unavailable else { throw error }
      return false
    }
  }

  func reopen() throws(RSSIError) -> Bool {
    do throws(RSSIError) {
      if !stream.isConnecting { try open() }
      return try stream.advance(within: 50) != .down
    } catch {
      guard error.kind == .unavailable else { throw error }
      return false
    }
  }

  func close() { stream.close() }

  private func open() throws(RSSIError) {
    framer.restart()
    try stream.open()
  }
}
