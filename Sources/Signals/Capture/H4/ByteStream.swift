internal import CBlueZ  // its headers define parts of the C library
import Glibc
import Support

/// A stream of bytes to a device on a socket or a serial line, which can be reopened.
struct ByteStream: ~Copyable {
  let address: H4Address
  /// The open descriptor; nil while the stream is closed.
  private var stream: Descriptor?
  /// The settings of a serial line before it was opened.
  private var lineBefore: termios?
  private var connecting: StreamConnecting?
  private var connectingDeadline: Int64 = 0

  init(_ address: H4Address) { self.address = address }

  var isOpen: Bool { stream != nil }
  var isConnecting: Bool { connecting != nil }

  /// Opens the line, or starts to connect.
  mutating func open() throws(RSSIError) {
    if case .serial(let path, let baud) = address {
      let line = try SerialLine.open(path)
      lineBefore = try SerialLine.configure(line, path: path, baud: baud)
      stream = line
    } else {
      connecting = try StreamConnecting(address)
      connectingDeadline = MachineClock.system.monotonic() + 5 * .second
    }
  }

  /// Continues to connect: `.down` during the attempt, `.restarted` at the end.
  mutating func advance(within milliseconds: Int32) throws(RSSIError) -> TransportState {
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

  /// Reads available bytes, waiting at most a number of milliseconds.
  ///
  /// - Returns: the number of bytes, 0 if none arrived; nil at the end of the stream.
  func read(into buffer: inout [UInt8], within milliseconds: Int32) -> Int? {
    guard let stream else { return nil }
    var hasWaited = false
    while true {
      if let count = stream.read(into: &buffer) { return count > 0 ? count : nil }
      switch errno {
      case EINTR: continue
      case EAGAIN where !hasWaited:
        hasWaited = true
        guard stream.wait(for: POLLIN, within: milliseconds) else { return 0 }
      case EAGAIN: return 0
      default: return nil
      }
    }
  }

  /// Writes all bytes, waiting at most a number of milliseconds. A failure is detected by the next
  /// read.
  func write(_ bytes: [UInt8], within milliseconds: Int32) {
    _ = stream?.write(bytes, within: milliseconds)
  }

  mutating func close() {
    if let stream, let lineBefore { SerialLine.restore(stream, to: lineBefore) }
    stream = nil
    connecting = nil
    lineBefore = nil
  }

  private func failure(_ number: Int32) -> RSSIError {
    let problem =
      switch number {
      case ECONNREFUSED, ENOENT: "nothing listens on \(address)"
      case ETIMEDOUT: "\(address) does not answer"
      default: "\(address) cannot be reached (\(systemMessage(number)))"
      }
    if number == EACCES || number == EPERM {
      return RSSIError(.permission, "permission denied for \(address); ask for access to it")
    }
    return RSSIError(
      .unavailable, "\(problem); start what serves the controller there, or check the address")
  }
}

/// A connection attempt to a controller behind a socket.
struct StreamConnecting {
  private var untried: [SocketAddress]
  private var socket: Descriptor?

  /// - Throws: `.unavailable` if the host does not exist.
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
    /// No address can be reached; with an error number of the system.
    case failed(Int32)
  }

  /// Continues to connect, waiting at most a number of milliseconds.
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

  /// Sends commands at once, and detects a peer that vanished within half a minute.
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
