internal import CBlueZ  // its headers define parts of the C library
import Glibc
import Support

/// A connection to a controller behind a socket, under way.
struct StreamConnecting {
  private var untried: [SocketAddress]
  private var socket: Descriptor?

  /// - Throws: `.unavailable` where there is no such host.
  init(_ address: H4Address) throws(RSSIError) {
    untried =
      switch address {
      case .tcp(let host, let port):
        try SocketAddress.all(of: HostAndPort(host: host, port: port))
      case .unix(let path): [.unix(path)]
      case .serial: []
      }
  }

  enum Progress {
    case connected(Descriptor)
    case underWay
    /// Nothing can be reached; an error number of the system.
    case failed(Int32)
  }

  /// Goes on connecting, waiting for so many milliseconds at most.
  mutating func advance(within milliseconds: Int32) -> Progress {
    var failure = ECONNREFUSED
    while true {
      if let connecting = socket {
        guard connecting.wait(for: POLLOUT, within: milliseconds) else { return .underWay }
        socket = nil
        failure = Self.pendingError(of: connecting)
        if failure == 0 { return .connected(connecting) }
      }
      guard !untried.isEmpty else { return .failed(failure) }
      let address = untried.removeFirst()
      let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let number = Glibc.socket(address.family, flags, 0)
      guard number >= 0 else {
        failure = errno
        continue
      }
      let next = Descriptor(number)
      if address.family != AF_UNIX { Self.tune(next) }
      failure = address.connect(next.number)
      if failure == 0 || failure == EINPROGRESS { socket = next }
    }
  }

  private static func pendingError(of socket: Descriptor) -> Int32 {
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let result = getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &error, &length)
    return result == 0 ? error : errno
  }

  /// Commands leave at once; a peer that vanished without a word is noticed within half a minute.
  private static func tune(_ socket: Descriptor) {
    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
      var value = value
      setsockopt(socket.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
    set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    set(SOL_SOCKET, SO_KEEPALIVE, 1)
    set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10)
    set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5)
    set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
    set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 30_000)
  }
}
