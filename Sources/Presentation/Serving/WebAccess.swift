package import Support
import Synchronization

/// The access rules of a server.
///
/// A page of another site must neither read nor change anything: its requests have an `Origin` or a
/// `Sec-Fetch-Site` that is refused. A name that it points at this machine (DNS rebinding) is in
/// `Host`, which must be an address, `localhost` or the server's own URL.
package final class WebAccess: Sendable {
  private let token: [UInt8]
  private let port: UInt16
  /// The address of the server through a proxy, such as `https://rssi.example.org`; nil = no proxy.
  private let publicURL: String?
  private let isReadingFree: Bool
  private let requests = Mutex<[Caller: Allowance]>([:])

  /// A group of clients whose requests are counted together, so that none takes the requests of
  /// another.
  private struct Caller: Hashable {
    enum Kind {
      /// A client with the token.
      case owner
      /// A page of this server, as browsers report.
      case page
      /// A page of another site, which may link to the page.
      case foreign
      case other
    }

    var peer: [UInt8]
    var kind: Kind
  }

  /// The number of requests of a caller that may come at once, and again in each second.
  private static let most = 400.0
  /// The number of callers that are counted separately.
  private static let mostCallers = 1000

  /// - Parameters:
  ///   - token: the secret for changes.
  ///   - place: the address of the server.
  ///   - publicURL: the address through a proxy, without a slash at its end.
  package init(token: String, at place: HostAndPort, publicURL: String? = nil) {
    self.token = Array(token.utf8)
    port = place.port
    self.publicURL = publicURL
    isReadingFree = Self.isLoopback(place.host) && publicURL == nil
  }

  /// Returns whether an address is only reachable from this machine.
  package static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host == "[::1]"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }

  /// Returns the refusal of a request; nil if it is permitted.
  ///
  /// - Parameters:
  ///   - isOpen: true if the answer contains nothing about the site, such as the page's script.
  ///   - now: the time by the monotonic clock.
  package func refusal(of request: WebRequest, isOpen: Bool, at now: Int64) -> WebAnswer? {
    guard let host = request.headers["host"], let own = origin(of: host) else {
      return .foreignName
    }
    let isForeign = ["cross-site", "same-site"].contains(request.headers["sec-fetch-site"])
    if let origin = request.headers["origin"], origin != own {
      return .refusal(403, "requests of other sites are refused")
    }
    if isForeign, request.method != "GET" || !isOpen {
      return .refusal(403, "requests of other sites are refused")
    }
    let isOwner = request.headers["authorization"].map(isToken) ?? false
    // Requests that were refused until here are not counted.
    let kind: Caller.Kind =
      isOwner
      ? .owner
      : isForeign ? .foreign : request.headers["sec-fetch-site"] == "same-origin" ? .page : .other
    guard hasRequest(Caller(peer: request.peer, kind: kind), at: now) else {
      return .later(429, "too many requests: try again in a second")
    }
    guard isOwner || isOpen || isReadingFree && ["GET", "HEAD"].contains(request.method) else {
      var answer = WebAnswer.refusal(401, "the token of the server is missing or wrong")
      answer.headers["WWW-Authenticate"] = "Bearer"
      return answer
    }
    return nil
  }

  private func hasRequest(_ caller: Caller, at now: Int64) -> Bool {
    requests.withLock { requests in
      if requests.count >= Self.mostCallers, requests[caller] == nil {
        // Callers without a request for a second have all their requests again.
        requests = requests.filter { now - ($0.value.time ?? now) < 1_000_000_000 }
      }
      var caller = caller
      if requests.count >= Self.mostCallers, requests[caller] == nil { caller.peer = [] }
      var left = requests[caller] ?? Allowance(most: Self.most, perSecond: Self.most)
      let isAllowed = left.has(1, at: now)
      if isAllowed { left.spend(1) }
      requests[caller] = left
      return isAllowed
    }
  }

  /// Returns the origin of pages of this server under the name that a client uses; nil for another
  /// name.
  private func origin(of host: String) -> String? {
    if let publicURL, publicURL.split(separator: "/").last.map(String.init) == host {
      return publicURL
    }
    return Self.isOwnName(host, port: port) ? "http://\(host)" : nil
  }

  /// Returns a Boolean value that is true if a `Host` is an address or `localhost` with the
  /// server's port, and so not a name of another site that leads to this machine.
  ///
  /// - Parameter names: further names of the server, in lower case.
  package static func isOwnName(_ host: String, port: UInt16, names: Set<String> = []) -> Bool {
    // Browsers omit the port of HTTP.
    guard let place = HostAndPort(host) ?? HostAndPort("\(host):80"), place.port == port
    else { return false }
    let isAddress =
      place.host.contains(":") || place.host.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") }
    return isAddress || place.host == "localhost" || names.contains(place.host.lowercased())
  }

  /// Returns whether a header has the token, in constant time.
  private func isToken(_ given: String) -> Bool {
    let bytes = Array(given.utf8)
    let expected = Array("Bearer ".utf8) + token
    guard bytes.count == expected.count else { return false }
    return zip(bytes, expected).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension WebAnswer {
  /// The refusal of a request under another name than the server's.
  static let foreignName = refusal(
    421, "this server has another name: use its address, or localhost")
}
