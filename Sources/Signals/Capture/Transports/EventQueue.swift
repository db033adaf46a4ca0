import Glibc
import Support
import Synchronization

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

  /// What became of an attempt to add packets.
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
