internal import CMicroHTTPD
import Glibc
import Support

/// The connections of a server, each of which has to make progress: otherwise a client that sends
/// its request byte by byte, or does not read the answer, would keep its place.
struct OpenConnections {
  private var all: [OpaquePointer: (socket: Int32, progress: ConnectionProgress)] = [:]
  private let most: Int

  init(atMost most: Int) { self.most = most }

  mutating func began(_ connection: OpaquePointer, at now: Int64) {
    all[connection] = (cmicrohttpd_socket(connection), ConnectionProgress(began: now))
  }

  /// Notes that a request is complete, and that its answer is sent from now on.
  mutating func answers(_ connection: OpaquePointer, isStream: Bool, at now: Int64) {
    all[connection]?.progress.answers(isStream: isStream, at: now)
  }

  /// Counts bytes of an answer that the library was given.
  mutating func gave(_ count: Int, to connection: OpaquePointer) {
    all[connection]?.progress.given += count
  }

  mutating func ended(_ connection: OpaquePointer) { all[connection] = nil }

  /// Breaks off the connections without progress; the library then ends them.
  mutating func breakOff(at now: Int64) {
    // Half of the places that streams leave free is kept for new clients.
    let streams = all.values.count { $0.progress.isStream }
    let isCrowded = all.count - streams >= (most - streams + 1) / 2
    for index in all.indices where all.values[index].progress.isDoubtful(at: now) {
      let socket = all.values[index].socket
      var waiting: Int32 = 0
      if ioctl(socket, UInt(TIOCOUTQ), &waiting) == 0 {
        all.values[index].progress.look(waiting: Int(waiting), at: now)
      }
      if all.values[index].progress.isOver(at: now, isCrowded: isCrowded) {
        shutdown(socket, Int32(SHUT_RDWR))
      }
    }
  }
}

/// The progress of one connection: a request has five seconds, and an answer continues as long as
/// its client receives something within five seconds.
struct ConnectionProgress {
  // Nanoseconds of the monotonic clock.
  private let began: Int64
  private var latest: Int64
  private var isAnswered = false
  private(set) var isStream = false
  /// The bytes of the answer that the library was given.
  var given = 0
  /// The bytes that the client had received at the latest progress.
  private var received = 0

  private static let second: Int64 = 1_000_000_000
  private static let patience = 5 * second
  private static let patienceInCrowd = second / 2
  /// The time for a complete answer, except a stream, if others wait for its place.
  private static let longestInCrowd = 10 * second
  /// The number of bytes below which an answer makes no progress.
  private static let leastBytes = 4096

  init(began: Int64) { (self.began, latest) = (began, began) }

  mutating func answers(isStream: Bool, at now: Int64) {
    (isAnswered, self.isStream, latest) = (true, isStream, now)
  }

  /// Returns whether the connection must be checked.
  func isDoubtful(at now: Int64) -> Bool { now - latest >= Self.patienceInCrowd }

  /// - Parameter waiting: the bytes that were sent and not yet received.
  mutating func look(waiting: Int, at now: Int64) {
    guard isAnswered else { return }
    let received = given - waiting
    // A stream without news has nothing to send.
    let isIdle = waiting == 0 && (isStream || received != self.received)
    guard isIdle || received - self.received >= Self.leastBytes else { return }
    (self.received, latest) = (received, now)
  }

  func isOver(at now: Int64, isCrowded: Bool) -> Bool {
    now - latest >= (isCrowded ? Self.patienceInCrowd : Self.patience)
      || isCrowded && !isStream && now - began >= Self.longestInCrowd
  }
}
