package import LivePipelines
package import Proximity
package import Registries
import Sightings
package import Support
import Synchronization
package import TracePipelines
package import TraceStore

/// The content of a live page: the present state, events, and a history of positions, for other
/// threads to read.
///
/// Each change is also sent as a message. The state has the number of the last message that it
/// includes, so a client can continue with the next one.
package final class LiveBoard: PositionSink, WatchOutput, Sendable {
  /// Sends a message of a kind, and returns its number.
  package typealias Send = @Sendable (_ event: String, _ data: String) -> UInt64

  private struct State {
    var number: UInt64 = 0
    /// A Boolean value that is true if the source has ended.
    var hasEnded = false
    /// The last line of each node, of those located last, and of each region in each trace.
    var positions = LatestValues<String, String>(most: mostKept)
    var rangings: [String: String] = [:]
    var events: [String] = []
    /// The last line on the source, and what the next one counts from.
    var health: String?
    var counts = LiveHealth()
    var healthIsDue: Int64 = 0
    var recording = RecordingState()
    var history = PositionHistory()
  }

  /// The maximum number of nodes; a new one replaces the one that was silent for longest.
  private static let mostKept = 10_000
  private static let mostEvents = 200
  /// The maximum number of beacons per region, the nearest first.
  private static let mostBeacons = 200
  private static let second: Int64 = 1_000_000_000

  private let state = Mutex(State())
  private let send: Send
  private let names: BeaconNames
  private let metrics: MetricsBoard
  private let clock: MachineClock
  /// The program and its source, for clients.
  private let about: String

  /// - Parameters:
  ///   - metrics: the metrics of the source.
  ///   - send: sends a message to the subscribers.
  package init(
    source: SourceName, isLocating: Bool, canRecord: Bool, names: BeaconNames, tool: ToolIdentity,
    metrics: MetricsBoard, clock: MachineClock = .system, send: @escaping Send
  ) {
    (self.names, self.metrics, self.clock, self.send) = (names, metrics, clock, send)
    about = Self.json {
      $0.member("source", source.description)
      for (name, value) in [
        ("replay", source.isReplay), ("locating", isLocating), ("can_record", canRecord),
      ] {
        $0.key(name)
        $0.boolean(value)
      }
      $0.member("version", tool.version)
      $0.member("started_s", written: Timestamp.decimalSeconds(clock.now()))
    }
  }

  private static func json(_ members: (inout JSONWriter) -> Void) -> String {
    String(JSONWriter.line(escapes: .short, members).dropLast())
  }

  /// Changes the state and sends the change, as one step.
  private func change(_ event: String, _ line: String, _ keep: (inout State, String) -> Void) {
    let data = line.hasSuffix("\n") ? String(line.dropLast()) : line
    state.withLock { state in
      keep(&state, data)
      state.number = send(event, data)
    }
  }

  // MARK: Positions

  package func receive(_ position: LocatedPosition) throws {
    change("position", position.line(names)) { state, data in
      state.positions.set(data, for: "\(position.node.traceName)\n\(position.node.id)")
      state.history.append(position, name: names.short(position.node.id))
    }
  }

  package func receive(_ event: PlaceEvent) throws {
    happened(event.line(name: names[event.node.id]))
  }

  package func flush() throws {}

  // MARK: Beacons

  package func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws {
    happened(EventLine(event, of: beacon, region: region).text)
  }

  package func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    for var ranging in rangings {
      ranging.beacons = Array(ranging.beacons.prefix(Self.mostBeacons))
      let region = regions[ranging.region].name
      change("ranging", EventLine(ranging, region: region, trace: trace, beacon).text) {
        $0.rangings["\(trace)\n\(region)"] = $1
      }
    }
  }

  package func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    change("seek", EventLine(seek, of: beacon).text) { _, _ in }
  }

  package var wantsRangings: Bool { true }

  package func tick() throws -> Bool {
    let now = clock.monotonic()
    let metrics = metrics.current
    state.withLock { state in
      guard now >= state.healthIsDue else { return }
      state.healthIsDue = now + Self.second
      let text = state.counts.text(metrics, at: now)
      state.health = text
      state.number = send("health", text)
    }
    return true
  }

  package func finish() throws {
    let (now, metrics) = (clock.monotonic(), metrics.current)
    state.withLock { state in
      let text = state.counts.text(metrics, at: now)
      state.health = text
      _ = send("health", text)
      state.hasEnded = true
      state.number = send("end", "{}")
    }
  }

  private func happened(_ line: String) {
    change("event", line) { state, data in
      state.events.append(data)
      if state.events.count > Self.mostEvents { state.events.removeFirst() }
    }
  }

  // MARK: Recordings

  /// Shows the outcome of a request.
  package func take(_ outcome: ServeDesk.Outcome) {
    state.withLock { state in
      state.recording.take(outcome)
      let isRecording = state.recording.path != nil
      if state.history.isRecorded != isRecording { state.history.isRecorded = isRecording }
      let text = Self.json { $0.add(state.recording) }
      state.number = send("recording", text)
    }
  }

  // MARK: Answers

  /// The number of the last message, which changes whenever an answer may.
  package var number: UInt64 { state.withLock { $0.number } }

  /// The present state as one JSON object.
  package var text: String {
    state.withLock { state in
      let lists = [
        ("positions", state.positions.values.sorted { $0.key < $1.key }.map(\.value)),
        ("rangings", state.rangings.sorted { $0.key < $1.key }.map(\.value)),
        ("events", state.events),
      ]
      return Self.json { json in
        json.member("number", Int(state.number))
        json.key("ended")
        json.boolean(state.hasEnded)
        json.member("about", written: about)
        for (name, list) in lists {
          json.member(name, written: "[\(list.joined(separator: ","))]")
        }
        json.member("health", written: state.health)
        json.key("recording")
        json.object { $0.add(state.recording) }
      }
    }
  }

  /// The positions from a time to a time, as one JSON object of columns.
  ///
  /// - Parameters:
  ///   - times: nanoseconds since the Unix epoch.
  ///   - node: its name; nil = all.
  package func history(_ times: ClosedRange<Int64>, of node: String?, atMost limit: Int) -> String {
    let history = state.withLock { $0.history }
    return history.text(times, of: node, atMost: limit)
  }
}

/// The state of the recording.
struct RecordingState {
  private(set) var path: String?
  private(set) var last: (path: String, sightings: Int)?
  private(set) var marks: [(mark: TruthMark, time: Int64)] = []
  private(set) var failure: String?
  /// Marks of a recording that are shown; all are in its trace.
  private static let mostMarks = 1000

  mutating func take(_ outcome: ServeDesk.Outcome) {
    failure = nil
    switch outcome {
    case .recording(let path): (self.path, marks) = (path, [])
    case .recorded(let path, let sightings): (self.path, last) = (nil, (path, sightings))
    case .marked(let mark, let time):
      marks.append((mark, time))
      if marks.count > Self.mostMarks { marks.removeFirst() }
    case .failed(let reason):
      failure = reason
      if reason.hasPrefix("the recording ended") { path = nil }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func add(_ recording: RecordingState) {
    member("path", recording.path)
    member("last_path", recording.last?.path)
    key("last_sightings")
    if let last = recording.last { integer(last.sightings) } else { null() }
    member("failure", recording.failure)
    key("marks")
    array { list in
      for (mark, time) in recording.marks {
        list.object { json in
          json.member("time_s", written: Timestamp.decimalSeconds(time))
          json.member("node", mark.node)
          json.member("role", mark.role == .receiver ? "receiver" : "beacon")
          switch mark.place {
          case .position(let x, let y, let z, let floor):
            json.member("x_m", written: decimal(x, 3))
            json.member("y_m", written: decimal(y, 3))
            json.member("z_m", written: z.isFinite ? decimal(z, 3) : nil)
            json.member("floor", floor)
          case .room(let room): json.member("room", room)
          }
        }
      }
    }
  }
}
