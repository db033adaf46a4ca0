internal import CMicroHTTPD
import Glibc
import Support

/// The connections of a server, each of which has its time: a client that sends its request byte by
/// byte, or does not read the answer, would keep its place else.
struct OpenConnections {
  /// When each began, by the monotonic clock, and its socket.
  private var all: [OpaquePointer: (began: Int64, socket: Int32)] = [:]
  private let most: Int

  /// Nanoseconds for a connection, and for one of a server that has no place left.
  private static let patience = 5 * nanosecondsPerSecond
  private static let shortPatience = nanosecondsPerSecond
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  init(atMost most: Int) { self.most = most }

  var isEmpty: Bool { all.isEmpty }

  mutating func began(_ connection: OpaquePointer, at now: Int64) {
    all[connection] = (now, cmicrohttpd_socket(connection))
  }

  /// Leaves a connection alone that stays: the library ends it where its client takes nothing.
  mutating func stays(_ connection: OpaquePointer) { all[connection] = nil }

  mutating func ended(_ connection: OpaquePointer) { all[connection] = nil }

  /// Breaks the connections off whose time is over; the library then ends them.
  func breakOff(at now: Int64) {
    let patience = all.count >= most ? Self.shortPatience : Self.patience
    for (began, socket) in all.values where now - began >= patience {
      shutdown(socket, Int32(SHUT_RDWR))
    }
  }
}
