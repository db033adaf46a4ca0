import Glibc
import Support

/// A socket that takes connections at an address of this machine.
struct ListeningSocket: ~Copyable {
  let number: Int32
  /// The address, with the port that the system chose for port 0.
  let place: HostAndPort

  /// - Throws: `.unavailable` for an address that another program uses, or that this machine does
  ///   not have; `.permission` for a reserved port.
  init(_ place: HostAndPort, backlog: Int32) throws(RSSIError) {
    var failure = EADDRNOTAVAIL
    for address in try SocketAddress.all(of: place) {
      let flags = Int32(
        SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let number = socket(address.family, flags, 0)
      guard number >= 0 else {
        failure = errno
        continue
      }
      // A port can be used although connections of an earlier program on it are not over.
      var isReused: Int32 = 1
      setsockopt(
        number, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
      failure = address.bind(number)
      if failure == 0, listen(number, backlog) != 0 { failure = errno }
      if failure == 0 {
        self.number = number
        self.place = HostAndPort(host: place.host, port: Self.port(of: number) ?? place.port)
        return
      }
      close(number)
    }
    throw Self.error(failure, place)
  }

  private static func port(of socket: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard result == 0 else { return nil }
    // The port is at the same place in the addresses of IPv4 and IPv6.
    return withUnsafeBytes(of: address) {
      UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }

  private static func error(_ number: Int32, _ place: HostAndPort) -> RSSIError {
    switch number {
    case EADDRINUSE:
      RSSIError(
        .unavailable, "another program uses this address", in: "\(place)",
        advice: "end that program, or choose another port (0 for a free one)")
    case EADDRNOTAVAIL:
      RSSIError(
        .unavailable, "this machine does not have this address", in: "\(place)",
        advice: "see `ip address`, or use 127.0.0.1")
    case EACCES, EPERM:
      RSSIError(
        .permission, "this port is reserved", in: "\(place)",
        advice: "choose a port from 1024 on")
    default:
      RSSIError(
        .unavailable, "cannot listen: \(systemMessage(number))", in: "\(place)",
        advice: "choose another address")
    }
  }
}
