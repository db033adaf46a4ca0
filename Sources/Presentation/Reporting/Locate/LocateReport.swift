import Geometry
import Positioning
package import Registries
import Sightings
package import Support
package import TracePipelines

/// The positions in trace files, as text or as one JSON document.
package struct LocateReport {
  private let algorithm: String
  private let reason: String?
  private let epoch: String
  private let names: BeaconNames
  private var positions: [LocatedPosition] = []
  private var events: [PlaceEvent] = []
  private var keepsPositions = true
  /// A Boolean value that is true if positions were asked for, and not only rooms.
  private var hasPositions = false
  /// A Boolean value that is true if there are trained rooms.
  private var hasRooms = false
  private var nodes: [NodeFigures] = []
  private var numbers: [MovingNode: Int] = [:]

  /// The figures of one node in one trace.
  private struct NodeFigures {
    var node: MovingNode
    var epochs = 0
    var answered = 0
    /// The number of epochs at which a trained room was announced.
    var inRoom = 0
    var refused: [String: Int] = [:]
    /// The longer half axes of the 95 % ellipses, in metres.
    var semiMajor: [Double] = []

    var refusals: String {
      refused.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    }

    var medianSemiMajor: Double? { LocateReport.median(semiMajor) }
  }

  fileprivate static func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// - Parameters:
  ///   - algorithm: its name with all its settings.
  ///   - reason: the reason for it, if it was not requested.
  ///   - epoch: the time between positions, as it is written.
  ///   - names: the names of nodes.
  package init(algorithm: String, reason: String? = nil, epoch: String, names: BeaconNames) {
    self.algorithm = algorithm
    self.reason = reason
    self.epoch = epoch
    self.names = names
  }

  /// Adds a file.
  ///
  /// - Parameter keepsPositions: false if they are written elsewhere.
  package mutating func add(_ recording: LocatedTrace, keepsPositions: Bool) {
    self.keepsPositions = keepsPositions
    if recording.hasPositions { hasPositions = true }
    numbers = [:]
    for position in recording.positions { count(position) }
    if keepsPositions { positions += recording.positions }
    events += recording.events
  }

  private mutating func count(_ position: LocatedPosition) {
    let number = numbers[position.node] ?? nodes.count
    if number == nodes.count {
      nodes.append(NodeFigures(node: position.node))
      numbers[position.node] = number
    }
    nodes[number].epochs += 1
    if let refusal = position.refusal {
      nodes[number].refused[refusal.description, default: 0] += 1
    } else {
      nodes[number].answered += 1
    }
    if !position.roomProbabilities.isEmpty {
      hasRooms = true
      if position.room != nil { nodes[number].inRoom += 1 }
    }
    if let ellipse = position.ellipse { nodes[number].semiMajor.append(ellipse.semiMajor) }
  }

  /// One row per node and trace.
  var nodeTable: ReportTable {
    ReportTable(
      "Located nodes, trace by trace", of: nodes,
      [
        .text("node") { .name(names.short($0.node.id)) },
        .text("trace") { .name($0.node.traceName) },
        .number("epochs") { .count($0.epochs) }, .number("answered") { .count($0.answered) },
        .number("median 95\u{2009}% half axis, m", "the longer one of the ellipse of a position") {
          .number($0.medianSemiMajor)
        },
        .text("no position") { .text($0.refused.isEmpty ? "–" : $0.refusals) },
      ])
  }

  /// The outcome in one sentence.
  var verdict: String {
    let (epochs, answered) = nodes.reduce((0, 0)) { ($0.0 + $1.epochs, $0.1 + $1.answered) }
    let axis = Self.median(nodes.flatMap(\.semiMajor))
    return "\(grouped(answered)) of \(grouped(epochs)) epochs located"
      + (axis.map { "; median 95\u{2009}% half axis \(decimal($0, 1)) m" } ?? "") + "."
  }

  /// The algorithm with the reason for it.
  private var reasonedAlgorithm: String { algorithm + (reason.map { " (\($0))" } ?? "") }

  /// Algorithm and counts.
  var facts: [(String, String)] {
    [
      ("algorithm", reasonedAlgorithm), ("every", epoch),
      ("nodes", grouped(Set(nodes.map(\.node.id)).count)),
      ("traces", grouped(Set(nodes.map(\.node.traceName)).count)),
    ]
  }

  package var json: JSONValue {
    [
      "algorithm": hasPositions ? algorithm : nil,
      "algorithm_reason": hasPositions ? reason : nil, "epoch": epoch,
      "epochs": nodes.reduce(0) { $0 + $1.epochs },
      "answered": nodes.reduce(0) { $0 + $1.answered },
      "in_rooms": hasRooms ? nodes.reduce(0) { $0 + $1.inRoom } : nil,
      "nodes": nodes.map { one in
        let figures: JSONValue = [
          "trace": one.node.traceName, "node": one.node.id,
          "role": one.node.role == .receiver ? "receiver" : "beacon",
          "epochs": one.epochs, "answered": one.answered, "refused": one.refused,
          "median_semi_major_95_m": one.medianSemiMajor,
        ]
        return figures.adding(names.member(one.node.id).json)
      },
      "positions": keepsPositions ? positions.map { $0.json(names) } : nil,
      "events": events.map { $0.json(names) },
    ]
  }

  /// - Parameter listsPositions: false if a file shows the positions.
  package func text(listsPositions: Bool = true) -> String {
    var columns: [ReportTable.Column<NodeFigures>] = [
      .text("trace", least: 0) { .name($0.node.traceName) },
      .number("node") { .name(names.short($0.node.id)) },
      .number("epochs") { .count($0.epochs) },
    ]
    if hasRooms { columns.append(.number("in a room") { .count($0.inRoom) }) }
    if hasPositions {
      columns += [
        .number("answered") { .count($0.answered) },
        .number("median 95 % semi-axis") {
          .text($0.medianSemiMajor.map { decimal($0, 2) + " m" } ?? "–")
        },
        .number("no answer") { .text($0.refusals) },
      ]
    }
    return (listsPositions && keepsPositions && !positions.isEmpty ? table.text + "\n" : "")
      + ReportTable(of: nodes, columns).text
      + "\(hasPositions ? "located by \(reasonedAlgorithm.printable)" : "rooms alone"), every \(epoch)\n"
  }

  /// Every position; times of day are in UTC.
  private var table: ReportTable {
    var columns: [ReportTable.Column<LocatedPosition>] = [
      .text("time", least: 0) { .text(Timestamp.iso8601($0.time)) },
      .number("trace") { .name($0.node.traceName) },
      .number("node") { .name(names.short($0.node.id)) },
    ]
    if hasPositions { columns += coordinates }
    columns.append(.number("anchors") { .count($0.anchors) })
    if positions.contains(where: { $0.room != nil }) {
      columns.append(.number("room") { .name($0.room ?? "–") })
    }
    if hasRooms {
      columns.append(
        .text("probabilities") { one in
          .text(
            one.candidates.prefix(3).map { "\($0.room) \(decimal($0.probability, 2))" }.joined(
              separator: ", "))
        })
    }
    if positions.contains(where: { $0.spot != nil }) {
      columns.append(.number("spot") { .name($0.spot ?? "–") })
    }
    return ReportTable(of: positions, columns)
  }

  private var coordinates: [ReportTable.Column<LocatedPosition>] {
    var columns: [ReportTable.Column<LocatedPosition>] = [
      .number("x in m") { .number($0.estimate?.position.x) },
      .number("y in m") { .number($0.estimate?.position.y) },
    ]
    if positions.contains(where: { $0.estimate?.height != nil }) {
      columns.append(.number("z in m") { .number($0.estimate?.height) })
    }
    columns.append(
      .number("95 % half axes in m") { one in
        let axes = one.ellipse.map { "\(decimal($0.semiMajor, 1)) × \(decimal($0.semiMinor, 1))" }
        return .text(
          axes ?? one.refusal?.description ?? one.withoutCovariance?.description ?? "–")
      })
    return columns
  }
}
