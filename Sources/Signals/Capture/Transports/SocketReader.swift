internal import Advertising
internal import CBlueZ
import Glibc
import Support
import Synchronization

/// A thread that takes packets from a socket as they arrive.
///
/// The kernel drops what does not fit into a socket's receive buffer, which by default holds 278
/// events, so a program that writes to a disk between two reads loses some. This thread only reads.
/// When the packets that no one took fill the queue it stops reading, so that memory stays bounded;
/// what the kernel drops then, it counts (`dropped`).
final class SocketReader: Sendable {
  /// The part of a packet that is kept.
  enum Framing {
    /// HCI events without their packet type; other packets are counted.
    case events
    /// Everything as it is.
    case whole
  }

  private let socket: Descriptor
  private let queue: EventQueue
  private let thread: pthread_t

  /// Starts reading a non-blocking socket.
  ///
  /// - Parameter capacity: bytes of packets that may wait to be taken.
  init(_ socket: Descriptor, framing: Framing, capacity: Int = 32 << 20) throws(RSSIError) {
    let queue = try EventQueue(capacity: capacity)
    let work = SocketReading(socket: socket, queue: queue, framing: framing)
    // Signals are for the thread that handles packets, whose waiting they interrupt.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(work)
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<SocketReading>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard result == 0 else {
      context.release()
      throw RSSIError(
        .unavailable, "no thread to read with: \(systemMessage(result)); end other programs")
    }
    self.socket = socket
    self.queue = queue
    self.thread = thread
  }

  deinit {
    queue.close()
    pthread_join(thread, nil)
  }

  /// The descriptor to poll: readable when `take` has something.
  var arrival: Int32 { queue.arrival.number }

  /// Moves what was read into a batch.
  ///
  /// - Returns: the system's error number, once there will be no more packets.
  func take(into batch: inout EventBatch) -> Int32? { queue.take(into: &batch) }

  /// Waits, a tenth of a second at most, until the thread has read what the socket holds.
  func catchUp() {
    for _ in 0..<100 {
      var waiting = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) > 0 else { return }
      _ = poll(nil, 0, 1)
    }
  }

  /// The number of packets that the kernel has thrown away since the socket was opened, modulo
  /// 2^32; nil if it does not state it (kernels before 4.12).
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
  /// Longer than any event and any monitor packet that is of interest.
  private static let longestPacket = 4096
  /// Packets read while the other thread has to wait.
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

  /// Reads what is there, up to a burst; an error number when there will be no more.
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

/// Packets between the thread that takes them from the kernel and the one that handles them.
///
/// Two batches change hands: one fills while the other is worked on, so nothing is copied and both
/// keep their memory. A queue that holds `capacity` bytes takes no more until it is emptied.
final class EventQueue: Sendable {
  private struct State {
    var batch = EventBatch()
    /// Why there will be no more packets: the system's error number.
    var failure: Int32?
    var isFull = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let capacity: Int
  /// Happens when packets, or a failure, are there to be taken.
  let arrival: WakeUp
  /// Happens when a full queue has been emptied, or closed.
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

  /// Adds what a function appends; it returns an error number when there will be no more.
  func add(_ append: (inout EventBatch) -> Int32?) -> Addition {
    let result = state.withLock { state -> Addition in
      if state.isClosed { return .closed }
      if state.isFull { return .full }
      state.failure = append(&state.batch)
      if state.failure != nil { return .failed }
      // An event's range and time count too: small events are mostly that.
      let events = state.batch.events.count * MemoryLayout<EventBatch.Event>.stride
      state.isFull = state.batch.bytes.count + events >= capacity
      return .done
    }
    arrival.signal()
    return result
  }

  /// Moves what is there into an empty batch, or behind what a batch holds.
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

/// Something that one thread waits for with `poll` and another lets happen (an eventfd).
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
  ///   - level: of the option that asks for times.
  ///   - option: what asks for times.
  ///   - problem: what to call it where the kernel gives none.
  convenience init(
    stamped socket: Descriptor, level: Int32 = SOL_SOCKET, option: Int32 = SO_TIMESTAMPNS,
    framing: Framing, problem: String
  ) throws(RSSIError) {
    let stamps = cbluez_enable(socket.number, level, option)
    guard stamps == 0 else { throw socketError(-stamps, problem) }
    // As much as the kernel may hold while this program is not scheduled.
    _ = cbluez_enlarge_buffer(socket.number, 16 << 20)
    try self.init(socket, framing: framing)
  }
}
