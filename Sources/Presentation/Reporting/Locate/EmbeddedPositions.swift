import Geometry
import Positioning
import RealModule
import Registries
import Support
import TracePipelines

/// The positions that a floor plan shows, trace by trace, as compact JSON: lengths in whole
/// centimetres, times in milliseconds since the start of the trace.
///
/// If there are too many for a page that opens quickly, only every n-th epoch is kept, with a
/// remark on the page.
struct EmbeddedPositions {
  /// Some 40 bytes each.
  static let most = 200_000

  /// One trace of one file.
  struct Trace {
    var name: String
    /// Nanoseconds since the Unix epoch, ascending.
    var instants: [Int64]
    var nodes: [(name: String, positions: [LocatedPosition])]
    fileprivate var places: [MovingNode: Int] = [:]
  }

  private(set) var traces: [Trace] = []
  /// One instant in this number is shown.
  let stride: Int

  /// - Parameter files: the positions of each file.
  init(_ files: [[LocatedPosition]], _ names: BeaconNames, most: Int = most) {
    let count = files.reduce(0) { $0 + $1.count }
    stride = max(1, (count + most - 1) / most)
    for positions in files {
      var places: [String: Int] = [:]
      for position in positions {
        let name = position.node.traceName
        let place = places[name] ?? traces.count
        if place == traces.count {
          places[name] = place
          traces.append(Trace(name: name, instants: [], nodes: []))
        }
        traces[place].add(position, names)
      }
    }
    for index in traces.indices { traces[index].thin(stride) }
  }

  var json: JSONWriter {
    let rooms = Self.names(traces, \.room)
    let spots = Self.names(traces, \.spot)
    var json = JSONWriter(escapes: .script)
    json.object { json in
      json.member("refusals", Refusal.allCases.map(\.description))
      json.member("reasons", Uncertainty.Reason.allCases.map(\.description))
      json.member("rooms", rooms)
      json.member("spots", spots)
      json.key("traces")
      json.array { json in
        for trace in traces { Self.append(trace, rooms, spots, to: &json) }
      }
    }
    return json
  }

  private static func append(
    _ trace: Trace, _ rooms: [String], _ spots: [String], to json: inout JSONWriter
  ) {
    let start = trace.instants.first ?? 0
    let steps = Dictionary(uniqueKeysWithValues: trace.instants.enumerated().map { ($1, $0) })
    let roomNumbers = Dictionary(uniqueKeysWithValues: rooms.enumerated().map { ($1, $0) })
    let spotNumbers = Dictionary(uniqueKeysWithValues: spots.enumerated().map { ($1, $0) })
    json.object { json in
      json.member("name", trace.name)
      json.member("start", Int(start / 1_000_000))
      json.member("t", trace.instants.map { Int(($0 - start) / 1_000_000) })
      json.key("nodes")
      json.array { json in
        for (number, node) in trace.nodes.enumerated() {
          json.object { json in
            json.member("name", node.name)
            json.member("colour", PagePalette.colourClass(number))
            json.member("step", differences(node.positions.map { steps[$0.time] ?? 0 }))
            appendPlaces(node.positions, to: &json)
            if node.positions.contains(where: { $0.floor != nil }) {
              json.member("f", node.positions.map { $0.estimate?.floor ?? 0 })
            }
            json.member("heard", node.positions.map(\.anchors))
            if !rooms.isEmpty {
              json.member(
                "room", node.positions.map { $0.room.flatMap { roomNumbers[$0] } ?? -1 })
            }
            if !spots.isEmpty {
              json.member(
                "spot", node.positions.map { $0.spot.flatMap { spotNumbers[$0] } ?? -1 })
            }
          }
        }
      }
    }
  }

  /// Differences of the places that there are; without one x is null and y is the reason's number.
  private static func appendPlaces(_ positions: [LocatedPosition], to json: inout JSONWriter) {
    var last = (x: 0, y: 0)
    var ys: [Int] = []
    json.key("x")
    json.array { json in
      for position in positions {
        guard let place = position.estimate?.position else {
          json.null()
          ys.append(position.refusal.flatMap { Refusal.allCases.firstIndex(of: $0) } ?? 0)
          continue
        }
        let here = (x: PlanNumber.centimetres(place.x), y: PlanNumber.centimetres(place.y))
        json.integer(here.x - last.x)
        ys.append(here.y - last.y)
        last = here
      }
    }
    json.member("y", ys)
    let ellipses = positions.map {
      $0.estimate.map { PlanNumber.ellipse($0.uncertainty) } ?? (major: -1, minor: 0, degrees: 0)
    }
    json.member("a", ellipses.map(\.major))
    json.member("b", ellipses.map(\.minor))
    json.member("g", ellipses.map(\.degrees))
  }

  private static func differences(_ values: [Int]) -> [Int] {
    values.enumerated().map { index, value in index == 0 ? value : value - values[index - 1] }
  }

  private static func names(
    _ traces: [Trace], _ name: (LocatedPosition) -> String?
  ) -> [String] {
    Set(traces.flatMap(\.nodes).flatMap { $0.positions.compactMap(name) }).sorted()
  }
}

extension EmbeddedPositions.Trace {
  fileprivate mutating func add(_ position: LocatedPosition, _ names: BeaconNames) {
    if let place = places[position.node] {
      nodes[place].positions.append(position)
    } else {
      places[position.node] = nodes.count
      nodes.append((names.short(position.node.id), [position]))
    }
  }

  /// Keeps one instant in some, and lists the instants.
  fileprivate mutating func thin(_ stride: Int) {
    let all = Set(nodes.lazy.flatMap { $0.positions.map(\.time) }).sorted()
    instants = all.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
    guard stride > 1 else { return }
    let kept = Set(instants)
    for place in nodes.indices { nodes[place].positions.removeAll { !kept.contains($0.time) } }
    nodes.removeAll { $0.positions.isEmpty }
  }
}
