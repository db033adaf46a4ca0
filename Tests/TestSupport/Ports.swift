import Foundation
import Testing

/// Returns a port of this machine that nothing listens on and that no other program gets by chance.
///
/// A socket that never listens keeps it until the tests end. Linux gives a bound port to another
/// socket only by its number, and if both have SO_REUSEADDR, as those of servers have: the server
/// that a test starts takes it, again after each restart.
public func reservedPort() throws -> Int { try boundSocket().port }

/// Returns a socket that takes connections on a port of this machine, and the port.
public func listeningSocket() throws -> (socket: Int32, port: Int) {
  let bound = try boundSocket()
  try #require(listen(bound.socket, 5) == 0)
  return bound
}

private func boundSocket() throws -> (socket: Int32, port: Int) {
  let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var yes: Int32 = 1
  var address = loopback(port: 0)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
        && bind(socket, address, length) == 0 && getsockname(socket, address, &length) == 0
    }
  }
  try #require(isBound)
  return (socket, Int(address.sin_port.byteSwapped))
}

func takesConnections(port: Int) -> Bool {
  guard let socket = connectedSocket(port: port) else { return false }
  close(socket)
  return true
}

/// A socket that is connected to a port of this machine; nil where nothing listens on it.
func connectedSocket(port: Int) -> Int32? {
  let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = loopback(port: port)
  let result = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard result != 0 else { return socket }
  close(socket)
  return nil
}

private func loopback(port: Int) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).byteSwapped
  address.sin_addr.s_addr = UInt32(0x7F00_0001).byteSwapped
  return address
}
