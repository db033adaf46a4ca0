internal import CBlueZ  // its headers define parts of the C library
import Glibc
import Support

/// Where a socket connects to, in the system's form.
struct SocketAddress {
  var family: Int32
  private var bytes: [UInt8]

  /// Every address of a host, or the one of a path.
  ///
  /// - Throws: `.unavailable` where there is no such host.
  static func all(of address: H4Address) throws(RSSIError) -> [SocketAddress] {
    switch address {
    case .tcp(let host, let port): return try resolve(host, port: port)
    case .unix(let path): return [unix(path)]
    case .serial: return []
    }
  }

  /// Begins to connect a socket.
  ///
  /// - Returns: 0 or the error number, EINPROGRESS while it is under way.
  func connect(_ socket: Descriptor) -> Int32 {
    let result = bytes.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: sockaddr.self) {
        Glibc.connect(socket.number, $0.baseAddress, socklen_t(raw.count))
      }
    }
    return result == 0 ? 0 : errno
  }

  private static func resolve(
    _ host: String, port: UInt16
  ) throws(RSSIError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard status == 0 else {
      throw RSSIError(
        .unavailable,
        "the host '\(host)' cannot be found (\(String(cString: gai_strerror(status)))); check its "
          + "name"
      )
    }
    var found: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      let bytes = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
      found.append(SocketAddress(family: entry.ai_family, bytes: Array(bytes)))
      next = entry.ai_next
    }
    return found
  }

  /// The path has at most 107 bytes, as `H4Address` makes sure.
  private static func unix(_ path: String) -> SocketAddress {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return SocketAddress(family: AF_UNIX, bytes: withUnsafeBytes(of: address) { Array($0) })
  }
}
