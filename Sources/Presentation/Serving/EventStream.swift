import Glibc
import Synchronization

/// A stream of events for any number of clients, each of which reads at its own pace.
///
/// The latest messages are kept once for all clients: a client that is further behind is dropped,
/// and the sender never waits. Numbers of messages ascend from 1.
///
/// ```swift
/// let stream = EventStream()
/// stream.send("position", #"{"x_m":1}"#)
/// ```
package final class EventStream: Sendable {
  private struct Kept {
    /// The messages as bytes of an event stream, the oldest first.
    var messages: [[UInt8]] = []
    /// The number of messages at the start of `messages` that are already discarded.
    var dead = 0
    var bytes = 0
    /// The number of the latest message.
    var last: UInt64 = 0
    var first: UInt64 { last - UInt64(messages.count - dead) + 1 }
    /// The functions to call on news, by server.
    var wakers: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }

  private let kept = Mutex(Kept())
  private let mostBytes: Int

  /// - Parameter mostBytes: the size of the messages that are kept for slow clients.
  package init(mostBytes: Int = 4_000_000) { self.mostBytes = mostBytes }

  /// The number of the latest message; 0 before the first.
  package var last: UInt64 { kept.withLock { $0.last } }

  /// Sends a message to all clients; any thread may call it.
  ///
  /// - Parameters:
  ///   - event: the kind of the event.
  ///   - data: the content, one line.
  /// - Returns: the number of the message.
  @discardableResult
  package func send(_ event: String, _ data: String) -> UInt64 {
    kept.withLock { kept in
      kept.last += 1
      let message = Array("id: \(kept.last)\nevent: \(event)\ndata: \(data)\n\n".utf8)
      kept.messages.append(message)
      kept.bytes += message.count
      while kept.bytes > mostBytes, kept.dead + 1 < kept.messages.count {
        kept.bytes -= kept.messages[kept.dead].count
        kept.messages[kept.dead] = []
        kept.dead += 1
      }
      if kept.dead > kept.messages.count / 2, kept.dead > 64 {
        kept.messages.removeFirst(kept.dead)
        kept.dead = 0
      }
      for wake in kept.wakers.values { wake() }
      return kept.last
    }
  }

  /// - Parameter wake: called on any thread when there are new messages; nil = no longer.
  func onNews(of server: ObjectIdentifier, _ wake: (@Sendable () -> Void)?) {
    kept.withLock { $0.wakers[server] = wake }
  }

  /// Copies the bytes of a message from a place on; returns nil if there is none yet.
  ///
  /// - Throws: `Behind` if the message is not kept any longer.
  func copy(
    _ number: UInt64, from place: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Behind) -> (copied: Int, isWhole: Bool)? {
    try kept.withLock { kept throws(Behind) in
      guard number <= kept.last else { return nil }
      guard number >= kept.first else { throw Behind() }
      let message = kept.messages[kept.dead + Int(number - kept.first)]
      let count = min(buffer.count, message.count - place)
      message.withUnsafeBytes { buffer.copyBytes(from: $0[place..<place + count]) }
      return (count, place + count == message.count)
    }
  }

  /// Returns whether a client whose latest message has this number missed none.
  func keeps(after number: UInt64) -> Bool {
    kept.withLock { number <= $0.last && number + 1 >= $0.first }
  }

  /// The error of a client that is too far behind.
  struct Behind: Error {}
}

/// One client of an event stream; only the server's thread uses it.
final class EventReader {
  let stream: EventStream
  let connection: OpaquePointer
  var isSuspended = false
  /// The bytes that are sent before the messages.
  private var prefix: [UInt8]
  private var next: UInt64
  private var place = 0

  /// - Parameter after: the number of the latest message that the client has; nil = only new ones.
  init(_ stream: EventStream, after: UInt64?, connection: OpaquePointer) {
    (self.stream, self.connection) = (stream, connection)
    // A proxy passes nothing on before there is content.
    prefix = Array(":\n\n".utf8)
    let last = stream.last
    if let after, !stream.keeps(after: after) {
      // The missed messages are not kept, or are of another run of the program: the client has to
      // request the whole state.
      prefix += Array("event: reset\ndata: {}\n\n".utf8)
      next = last + 1
    } else {
      next = (after ?? last) + 1
    }
  }

  /// Reads bytes to send; returns 0 if there are none yet.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(EventStream.Behind) -> Int {
    var filled = min(prefix.count, buffer.count)
    buffer.copyBytes(from: prefix.prefix(filled))
    prefix.removeFirst(filled)
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      guard let (copied, isWhole) = try stream.copy(next, from: place, into: rest) else { break }
      filled += copied
      (next, place) = isWhole ? (next + 1, 0) : (next, place + copied)
    }
    return filled
  }

  /// Lets the client, and proxies on the way, see that the stream is alive.
  func beat() { if place == 0, prefix.isEmpty { prefix = Array(":\n\n".utf8) } }
}
