internal import Advertising
internal import CBlueZ
import Glibc
import Support
import Synchronization

/// A thread that reads packets from a socket as they arrive.
///
/// The kernel drops packets that do not fit into a socket's receive buffer, which by default holds
/// 278 events, so a program that writes to a disk between two reads loses some. This thread only
/// reads. When unhandled packets fill the queue it stops reading, so that memory stays bounded; the
/// kernel counts the packets that it drops then (`dropped`).
final class SocketReader: Sendable {
  /// The part of a packet that is kept.
  enum Framing {
    /// HCI events without their packet type; other packets are counted.
    case events
    /// Whole packets.
    case whole
  }

  private let socket: Descriptor
  private let queue: EventQueue
  private let thread: pthread_t

  /// Starts reading a non-blocking socket.
  ///
  /// - Parameter capacity: the maximum size of unhandled packets, in bytes.
  init(_ socket: Descriptor, framing: Framing, capacity: Int = 32 << 20) throws(RSSIError) {
    let queue = try EventQueue(capacity: capacity)
    let work = SocketReading(socket: socket, queue: queue, framing: framing)
    thread = try startThread { work.run() }
    self.socket = socket
    self.queue = queue
  }

  deinit {
    queue.close()
    pthread_join(thread, nil)
  }

  /// The descriptor to poll, which is readable when `take` has something.
  var arrival: Int32 { queue.arrival.number }

  /// Moves the packets read so far into a batch.
  ///
  /// - Returns: the system's error number, once there will be no more packets.
  func take(into batch: inout EventBatch) -> Int32? { queue.take(into: &batch) }

  /// Waits, at most 0.1 s, until the thread has read all packets of the socket.
  func catchUp() {
    for _ in 0..<100 {
      var waiting = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) > 0 else { return }
      _ = poll(nil, 0, 1)
    }
  }

  /// The number of packets that the kernel has dropped since the socket was opened, modulo 2^32;
  /// nil if it does not report it (kernels before 4.12).
  var dropped: UInt32? {
    var count: UInt32 = 0
    return cbluez_dropped(socket.number, &count) == 0 ? count : nil
  }
}

/// The work of the thread of a `SocketReader`.
private final class SocketReading: Sendable {
  let socket: Descriptor
  let queue: EventQueue
  let framing: SocketReader.Framing
  /// The maximum length of a packet, more than that of any event and any relevant monitor packet.
  private static let longestPacket = 4096
  /// The number of packets read while the other thread has to wait.
  private static let burst = 64

  init(socket: Descriptor, queue: EventQueue, framing: SocketReader.Framing) {
    self.socket = socket
    self.queue = queue
    self.framing = framing
  }

  func run() {
    var buffer = [UInt8](repeating: 0, count: Self.longestPacket)
    var isFull = false
    while true {
      var waiting = [
        pollfd(fd: queue.room.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&waiting, isFull ? 1 : 2, -1)
      if waiting[0].revents != 0 { queue.room.clear() }
      switch queue.add({ batch in readBurst(into: &batch, through: &buffer) }) {
      case .done: isFull = false
      case .full: isFull = true
      case .failed, .closed: return
      }
    }
  }

  /// Reads available packets, up to a burst; returns an error number when there will be no more.
  private func readBurst(into batch: inout EventBatch, through buffer: inout [UInt8]) -> Int32? {
    for _ in 0..<Self.burst {
      var time: Int64 = 0
      let length = buffer.withUnsafeMutableBytes {
        cbluez_receive(socket.number, $0.baseAddress, $0.count, &time)
      }
      switch -length {
      case Int(EAGAIN): return nil
      case Int(EINTR): continue
      case 1...: return Int32(-length)
      case 0: return EPIPE
      default: break
      }
      if time == 0 { time = SystemClock.now }
      switch framing {
      case .events:
        if let kind = PacketKind.ofH4(type: buffer[0]) {
          batch.pass(kind)
          continue
        }
        batch.append(buffer.span.extracting(1..<length), time: time)
      case .whole:
        batch.append(buffer.span.extracting(0..<length), time: time)
      }
    }
    return nil
  }
}

/// A queue of packets between the thread that reads them and the one that handles them.
///
/// Two batches are exchanged: one fills while the other is handled, so nothing is copied and both
/// keep their memory. A queue that holds `capacity` bytes accepts no more until it is emptied.
final class EventQueue: Sendable {
  private struct State {
    var batch = EventBatch()
    /// The system's error number that ended the packets.
    var failure: Int32?
    var isFull = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let capacity: Int
  /// The event that packets, or a failure, are available.
  let arrival: WakeUp
  /// The event that a full queue has been emptied, or closed.
  let room: WakeUp

  init(capacity: Int) throws(RSSIError) {
    self.capacity = capacity
    arrival = try WakeUp()
    room = try WakeUp()
  }

  /// The outcome of an attempt to add packets.
  enum Addition {
    case done, full, failed, closed
  }

  /// Adds the packets that a function appends; it returns an error number when there will be no
  /// more.
  func add(_ append: (inout EventBatch) -> Int32?) -> Addition {
    let result = state.withLock { state -> Addition in
      if state.isClosed { return .closed }
      if state.isFull { return .full }
      state.failure = append(&state.batch)
      if state.failure != nil { return .failed }
      // Includes an event's range and time: for small events they are the larger part.
      let events = state.batch.events.count * MemoryLayout<EventBatch.Event>.stride
      state.isFull = state.batch.bytes.count + events >= capacity
      return .done
    }
    arrival.signal()
    return result
  }

  /// Moves the packets into an empty batch, or appends them to a batch.
  ///
  /// - Returns: the system's error number, once there will be no more packets.
  func take(into batch: inout EventBatch) -> Int32? {
    arrival.clear()
    let (failure, wasFull) = state.withLock { state -> (Int32?, Bool) in
      if batch.isEmpty {
        swap(&batch, &state.batch)
      } else {
        for event in state.batch.events {
          batch.append(state.batch.bytes.span.extracting(event.range), time: event.time)
        }
        for (kind, count) in state.batch.others { batch.pass(kind, count: count) }
      }
      state.batch.removeAll()
      let wasFull = state.isFull
      state.isFull = false
      return (state.failure, wasFull)
    }
    if wasFull { room.signal() }
    return failure
  }

  func close() {
    state.withLock { $0.isClosed = true }
    room.signal()
  }
}

/// An event that one thread waits for with `poll` and another signals (an eventfd).
struct WakeUp: Sendable {
  private let descriptor: Descriptor

  init() throws(RSSIError) {
    let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    guard number >= 0 else {
      throw RSSIError(
        .unavailable, "no event descriptor: \(systemMessage(errno)); close other programs' files")
    }
    descriptor = Descriptor(number)
  }

  var number: Int32 { descriptor.number }

  func signal() { _ = eventfd_write(number, 1) }

  func clear() {
    var count: eventfd_t = 0
    _ = eventfd_read(number, &count)
  }
}

extension SocketReader {
  /// Starts reading a socket whose packets the kernel stamps with their time of reception.
  ///
  /// - Parameters:
  ///   - level: the level of the socket option for timestamps.
  ///   - option: the socket option for timestamps.
  ///   - problem: the subject of the error if the kernel has no timestamps.
  convenience init(
    stamped socket: Descriptor, level: Int32 = SOL_SOCKET, option: Int32 = SO_TIMESTAMPNS,
    framing: Framing, problem: String
  ) throws(RSSIError) {
    let stamps = cbluez_enable(socket.number, level, option)
    guard stamps == 0 else { throw socketError(-stamps, problem) }
    // The size that the kernel may buffer while this program is not scheduled.
    _ = cbluez_enlarge_buffer(socket.number, 16 << 20)
    try self.init(socket, framing: framing)
  }
}
