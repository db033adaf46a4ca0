package import LivePipelines
package import Serving
import Sightings
import Support

/// The HTTP interface of a live page: the page itself, which uses nothing else, and the state, the
/// events, the history and the wishes of Live/openapi.json.
package struct LiveAPI: Sendable {
  private let board: LiveBoard
  private let events: EventStream
  private let desk: ServeDesk
  private let access: WebAccess
  // Bytes that all clients share.
  private let page: [UInt8]
  /// The floor plan; nil without a site.
  private let plan: [UInt8]?
  /// The names of the floors of a building; empty for one plane.
  private let floors: [String]
  // Separate limits: requests for histories must not delay those for the state.
  private let states = SharedAnswers()
  private let histories = SharedAnswers()

  /// The limits of a request.
  package static var limits: WebServer.Limits {
    var limits = WebServer.Limits()
    (limits.connections, limits.streams, limits.body) = (256, 200, 4096)
    return limits
  }

  private static let prefix = "/api/v1/"
  private static let mostPositions = 100_000

  package init(
    _ page: LivePage, board: LiveBoard, events: EventStream, desk: ServeDesk, access: WebAccess
  ) {
    (self.board, self.events, self.desk, self.access) = (board, events, desk, access)
    (self.page, plan) = (Array(page.text.utf8), page.plan.map { Array($0.utf8) })
    floors = page.floors
  }

  /// Answers a request.
  ///
  /// - Parameter now: by the monotonic clock.
  package func answer(_ request: WebRequest, at now: Int64) -> WebAnswer {
    let isOpen = !request.path.hasPrefix(Self.prefix)
    var answer =
      access.refusal(of: request, isOpen: isOpen, at: now)
      ?? (isOpen ? openAnswer(request) : answer(request))
    for (name, value) in Self.headers { answer.headers[name] = value }
    return answer
  }

  /// Nothing is loaded from elsewhere, shown elsewhere or kept.
  private static let headers = [
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
  ]

  private func openAnswer(_ request: WebRequest) -> WebAnswer {
    let answer: WebAnswer? =
      switch request.path {
      case "/": WebAnswer(bytes: page, type: "text/html; charset=utf-8")
      case "/page.css": WebAnswer(ReportPage.style.text, type: "text/css; charset=utf-8")
      case "/page.js": script(PackageResources.page_js)
      case "/live.js": script(PackageResources.live_js)
      case "/openapi.json":
        WebAnswer(bytes: PackageResources.openapi_json, type: "application/json")
      default: nil
      }
    guard let answer else { return .notFound }
    return ["GET", "HEAD"].contains(request.method) ? answer : .notAllowed(only: "GET, HEAD")
  }

  private func script(_ bytes: [UInt8]) -> WebAnswer {
    WebAnswer(bytes: bytes, type: "text/javascript; charset=utf-8")
  }

  private func answer(_ request: WebRequest) -> WebAnswer {
    let name = String(request.path.dropFirst(Self.prefix.count))
    let isChange = ["recording", "marks", "rooms"].contains(name)
    guard isChange || ["state", "plan", "events", "history"].contains(name) else {
      return .notFound
    }
    guard request.method == "POST" ? isChange : request.method == "GET" && !isChange else {
      return .notAllowed(only: isChange ? "POST" : "GET")
    }
    do throws(RSSIError) {
      switch name {
      case "state": return states.answer(name, version: board.number) { board.text }
      case "plan": return plan.map { WebAnswer(bytes: $0, type: "image/svg+xml") } ?? .notFound
      case "events": return WebAnswer(events, after: try lastEvent(request))
      case "history": return try history(request)
      case "recording": return try ask(recordingWish(request))
      case "rooms": return try ask(.mark(roomMark(request)))
      default: return try ask(.mark(mark(request)))
      }
    } catch {
      return .refusal(400, error.description)
    }
  }

  private func json(_ text: String) -> WebAnswer { WebAnswer(text, type: "application/json") }

  // MARK: Questions

  private func number<Number: LosslessStringConvertible>(
    _ name: String, _ request: WebRequest, _ type: Number.Type
  ) throws(RSSIError) -> Number? {
    guard let text = request.query[name] else { return nil }
    // As JSON writes numbers: no NaN, no other base.
    let isNumber =
      text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) } && text.first != "+"
      && text.first != "." && text.last != "."
    guard isNumber, let number = Number(text) else {
      throw RSSIError(.usage, "`\(name)` is not a number")
    }
    return number
  }

  /// A browser that connects again names the last event in a header.
  private func lastEvent(_ request: WebRequest) throws(RSSIError) -> UInt64? {
    if let named = request.headers["last-event-id"] { return UInt64(named) }
    return try number("after", request, UInt64.self)
  }

  private func history(_ request: WebRequest) throws(RSSIError) -> WebAnswer {
    func time(_ name: String) throws(RSSIError) -> Int64? {
      guard let seconds = try number(name, request, Double.self) else { return nil }
      guard abs(seconds) < 9e9 else { throw RSSIError(.usage, "`\(name)` is not a time") }
      return Int64(seconds * 1e9)
    }
    let (from, to) = (try time("from_s") ?? .min, try time("to_s") ?? .max)
    guard from <= to else { throw RSSIError(.usage, "`from_s` is later than `to_s`") }
    let limit = try number("limit", request, Int.self) ?? Self.mostPositions
    guard (1...Self.mostPositions).contains(limit) else {
      throw RSSIError(.usage, "`limit` is not a number from 1 to \(Self.mostPositions)")
    }
    let node = request.query["node"]
    return histories.answer("\(from) \(to) \(limit) \(node ?? "")", version: board.number) {
      board.history(from...to, of: node, atMost: limit)
    }
  }

  // MARK: Wishes

  private func recordingWish(_ request: WebRequest) throws(RSSIError) -> ServeDesk.Wish {
    struct Asked: Decodable { var recording: Bool }
    return try content(request, Asked.self).recording ? .startRecording : .stopRecording
  }

  private func mark(_ request: WebRequest) throws(RSSIError) -> TruthMark {
    // Names of JSON.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    struct Asked: Decodable {
      var node: String
      var role: String
      var x_m: Double
      var y_m: Double
      var z_m: Double?
      var floor: String?
    }
    let asked = try content(request, Asked.self)
    let (node, role) = try node(asked.node, asked.role)
    guard [asked.x_m, asked.y_m, asked.z_m ?? 0].allSatisfy({ abs($0) <= 1e6 }) else {
      throw RSSIError(.usage, "a place is not within 1,000 km")
    }
    guard floors.isEmpty ? asked.floor == nil : floors.contains(asked.floor ?? "") else {
      throw RSSIError(
        .usage,
        floors.isEmpty
          ? "`floor`: the site has no floors" : "`floor` must be one of \(listed(floors, 16))")
    }
    return TruthMark(
      node: node, role: role,
      at: .position(x: asked.x_m, y: asked.y_m, z: asked.z_m ?? .nan, floor: asked.floor))
  }

  private func roomMark(_ request: WebRequest) throws(RSSIError) -> TruthMark {
    struct Asked: Decodable { var node: String, role: String, room: String }
    let asked = try content(request, Asked.self)
    let (node, role) = try node(asked.node, asked.role)
    guard TextLimit.room.fitted(asked.room) == asked.room else {
      throw RSSIError(.usage, "`room`: expected at most \(TextLimit.room.bytes) bytes")
    }
    return TruthMark(node: node, role: role, at: .room(asked.room))
  }

  private func node(
    _ name: String, _ role: String
  ) throws(RSSIError) -> (name: String, role: NodeRole) {
    guard let role = ["receiver": NodeRole.receiver, "beacon": .beacon][role] else {
      throw RSSIError(.usage, "`role` is neither receiver nor beacon")
    }
    guard (1...128).contains(name.utf8.count),
      !name.unicodeScalars.contains(where: { $0.value < 0x20 })
    else { throw RSSIError(.usage, "`node` is not the name of a node") }
    return (name, role)
  }

  private func content<Asked: Decodable>(
    _ request: WebRequest, _ type: Asked.Type
  ) throws(RSSIError) -> Asked {
    // A form of another site cannot have this type.
    guard request.headers["content-type"]?.hasPrefix("application/json") == true else {
      throw RSSIError(.usage, "the content is not application/json")
    }
    do { return try Asked(json: request.body) } catch {
      throw RSSIError(.usage, "the content is not the object of /openapi.json")
    }
  }

  /// Passes a request to the stage; its outcome follows as an event.
  private func ask(_ wish: ServeDesk.Wish) -> WebAnswer {
    guard desk.ask(wish) else { return .busy }
    var answer = json("{\"accepted\":true}\n")
    answer.status = 202
    return answer
  }
}
