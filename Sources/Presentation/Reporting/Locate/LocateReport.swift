import Geometry
import Positioning
package import Registries
import Sightings
package import Support
package import TracePipelines

/// The positions in trace files, as text or as one JSON document.
package struct LocateReport {
  private let algorithm: String
  private let epoch: String
  private let names: BeaconNames
  private var positions: [LocatedPosition] = []
  private var events: [SpotEvent] = []
  private var keepsPositions = true
  private var nodes: [NodeFigures] = []
  private var numbers: [MovingNode: Int] = [:]

  /// The figures of one node in one trace.
  private struct NodeFigures {
    var node: MovingNode
    var epochs = 0
    var answered = 0
    var refused: [String: Int] = [:]
    /// Of the 95 % ellipses, in metres.
    var semiMajor: [Double] = []

    var refusals: String {
      refused.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    }

    var medianSemiMajor: Double? {
      let sorted = semiMajor.sorted()
      guard !sorted.isEmpty else { return nil }
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
  }

  /// - Parameters:
  ///   - algorithm: its name with all its settings.
  ///   - epoch: the time between positions, as it is written.
  ///   - names: what people call the nodes.
  package init(algorithm: String, epoch: String, names: BeaconNames) {
    self.algorithm = algorithm
    self.epoch = epoch
    self.names = names
  }

  /// Adds a file.
  ///
  /// - Parameter keepsPositions: false where they are written elsewhere.
  package mutating func add(_ recording: LocatedTrace, keepsPositions: Bool) {
    self.keepsPositions = keepsPositions
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
    if let ellipse = position.ellipse { nodes[number].semiMajor.append(ellipse.semiMajor) }
  }

  /// One row a node.
  var nodeTable: ReportTable {
    ReportTable(
      caption: "Located nodes, trace by trace",
      columns: [
        ReportTable.textColumn("node"), ReportTable.textColumn("trace"),
        ReportTable.column("epochs"), ReportTable.column("answered"),
        ReportTable.column(
          "median 95\u{2009}% half axis, m", "the longer one of the ellipse of a position"),
        ReportTable.textColumn("no position"),
      ],
      rows: nodes.map { one in
        [
          .name(names.short(one.node.id)), .name(one.node.traceName), .count(one.epochs),
          .count(one.answered), .number(one.medianSemiMajor),
          .text(one.refused.isEmpty ? "–" : one.refusals),
        ]
      })
  }

  /// Algorithm and counts.
  var facts: [(String, String)] {
    let (epochs, answered) = nodes.reduce((0, 0)) { ($0.0 + $1.epochs, $0.1 + $1.answered) }
    return [
      ("algorithm", algorithm), ("every", epoch),
      ("nodes", grouped(Set(nodes.map(\.node.id)).count)),
      ("traces", grouped(Set(nodes.map(\.node.traceName)).count)), ("positions", grouped(answered)),
      ("without a position", grouped(epochs - answered)),
    ]
  }

  package var json: JSONValue {
    .object([
      "algorithm": .string(algorithm), "epoch": .string(epoch),
      "epochs": .integer(nodes.reduce(0) { $0 + $1.epochs }),
      "answered": .integer(nodes.reduce(0) { $0 + $1.answered }),
      "nodes": .array(
        nodes.map { one in
          .object(
            [
              "trace": .string(one.node.traceName), "node": .string(one.node.id),
              "role": .string(one.node.role == .receiver ? "receiver" : "beacon"),
              "epochs": .integer(one.epochs), "answered": .integer(one.answered),
              "refused": .object(one.refused.mapValues(JSONValue.integer)),
              "median_semi_major_95_m": .optional(one.medianSemiMajor),
            ].merging(names.member(one.node.id)) { own, _ in own })
        }),
      "positions": keepsPositions ? .array(positions.map { $0.json(names) }) : .null,
      "events": .array(events.map { $0.json(names) }),
    ])
  }

  package var text: String {
    var text = ""
    if keepsPositions, !positions.isEmpty { text += table + "\n" }
    text += aligned(
      [["trace", "node", "epochs", "answered", "median 95 % semi-axis", "no answer"]]
        + nodes.map { one in
          [
            one.node.traceName, names.short(one.node.id), "\(one.epochs)", "\(one.answered)",
            one.medianSemiMajor.map { decimal($0, 2) + " m" } ?? "–",
            one.refusals,
          ]
        })
    return text + "located by \(algorithm.printable), every \(epoch)\n"
  }

  /// Every position; times of day are in UTC.
  private var table: String {
    let hasRooms = positions.contains { $0.room != nil }
    let hasSpots = positions.contains { $0.spot != nil }
    let hasHeights = positions.contains { $0.estimate?.height != nil }
    let title =
      ["time", "trace", "node", "x in m", "y in m"] + (hasHeights ? ["z in m"] : [])
      + ["95 % half axes in m", "anchors"] + (hasRooms ? ["room"] : []) + (hasSpots ? ["spot"] : [])
    return aligned(
      [title]
        + positions.map { one in
          let axes = one.ellipse.map { "\(decimal($0.semiMajor, 1)) × \(decimal($0.semiMinor, 1))" }
          return [
            Timestamp.iso8601(one.time), one.node.traceName, names.short(one.node.id),
            decimal(one.estimate?.position.x, 2), decimal(one.estimate?.position.y, 2),
          ] + (hasHeights ? [decimal(one.estimate?.height, 2)] : [])
            + [
              axes ?? one.refusal?.description ?? one.withoutCovariance?.description ?? "–",
              "\(one.anchors)",
            ]
            + (hasRooms ? [one.room ?? "–"] : []) + (hasSpots ? [one.spot ?? "–"] : [])
        })
  }
}
