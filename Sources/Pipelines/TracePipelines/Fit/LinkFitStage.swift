import Geometry
import PathLoss
import Positioning
import Sightings
import Sites
import Support
import TraceStore

/// Calibrates receivers and beacons at known places that hear each other, and checks their places.
///
/// ```swift
/// var request = FitRequest()
/// request.inputs = ["night.h5"]
/// let fit = try LinkFitStage(request).run()
/// print(fit.calibration(by: Grouping([.receiver])).groups.count)
/// ```
public struct LinkFitStage: Stage {
  private let request: FitRequest

  public init(_ request: FitRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> LinkFitResult {
    try request.check()
    guard request.merge == false, request.by?.parts.contains(.series) != true else {
      throw RSSIError(.usage, "`by` series does not go with links: all inputs are fitted together")
    }
    var configuration = FitConfiguration()
    configuration.sensitivity = request.configuration.sensitivity
    let site = try request.site.map { try Site(path: $0) }
    allowOpenFiles(request.inputs.count)
    var heard = HeardLinks()
    for path in request.inputs {
      let reader = try TraceReader(path: path)
      try reader.requireUsablePlaces(note: context.log.note)
      let catalogue = try site?.placing(try site?.heard(in: reader) ?? reader.catalogue)
      try heard.read(reader, catalogue ?? reader.catalogue, context.log)
    }
    let (found, names) = heard.links()
    var links = found
    guard links.receivers.count > 1, names.count > 2 else {
      throw RSSIError(
        .badInput,
        "expected two or more receivers and three or more places of nodes that hear each other, found "
          + "\(counted(links.receivers.count, "receiver")) and \(counted(names.count, "place"))",
        advice:
          "give the places of receivers and beacons with `site`, or import them with a table of nodes"
      )
    }
    guard links.links.count <= Self.mostLinks else {
      throw RSSIError(
        .badInput,
        "\(links.links.count) links at \(names.count) places: expected at most \(Self.mostLinks)",
        advice: "fit one floor or hall at a time")
    }
    links.sensitivity = request.configuration.sensitivity
    if let walls = site?.walls, !walls.isEmpty {
      let crossings = try WallCrossings(walls)
      guard crossings.kinds.count <= 3 else {
        throw RSSIError(
          .badInput,
          "the site has \(crossings.kinds.count) kinds of walls: links tell at most 3 apart",
          advice: "give similar walls one kind")
      }
      links.kinds = crossings.kinds
      links.walls = { from, to in
        // Places of anchors are checked, and those of a lattice are near them.
        guard let tally = try? crossings.tally(from: from, to: to) else {
          return [Double](repeating: 0, count: crossings.kinds.count)
        }
        return tally.counts.map(Double.init)
      }
    }
    let line = context.log.progress("fit: links", total: 1)
    defer { line.finish() }
    guard let constants = LinkCalibration(links) else {
      throw RSSIError(
        .badInput, "the links cannot be fitted",
        advice: "check the places: several nodes may be at one place")
    }
    return LinkFitResult(
      names: names, beacons: heard.heardBeacons.map(\.id),
      receivers: heard.hearingReceivers.map(\.id), links: links, constants: constants,
      places: LinkPlaces(links, constants), packetDeviation: heard.packetDeviation,
      inputs: try request.inputs.flatMap(fittedInputs), configuration: configuration)
  }

  /// The largest number of links, those of 40 gateways: time grows with its third power.
  private static let mostLinks = 1600
}

/// The mean levels of all links between nodes at known places of one floor.
private struct HeardLinks {
  private struct Sum {
    var (level, square, packets) = (0.0, 0.0, 0.0)
  }

  private var sums: [SIMD2<Int>: Sum] = [:]
  private(set) var (beacons, receivers): ([Node], [Node]) = ([], [])
  private var numbers: [NodeRole: [String: Int]] = [:]

  mutating func read(
    _ reader: TraceReader, _ catalogue: Catalogue, _ log: any ActivityLog
  ) throws {
    let beacons = catalogue.beacons.map { number(of: $0, .beacon) }
    let receivers = catalogue.receivers.map { number(of: $0, .receiver) }
    let line = log.progress("fit \(reader.path)", total: reader.count)
    defer { line.finish() }
    var done = 0
    try reader.forEachBlock([.time, .link, .rssi]) { rows in
      for row in 0..<rows.count where !rows.rssi[row].isNaN {
        guard let beacon = beacons[Int(rows.beacon[row])],
          let receiver = receivers[Int(rows.receiver[row])]
        else { continue }
        let level = Double(rows.rssi[row])
        sums[[beacon, receiver], default: Sum()].level += level
        sums[[beacon, receiver], default: Sum()].square += level * level
        sums[[beacon, receiver], default: Sum()].packets += 1
      }
      done += rows.count
      line.update(done)
    }
  }

  /// Returns the number of a node, nil if its place is unknown.
  private mutating func number(of node: Node, _ role: NodeRole) -> Int? {
    guard node.isAnchor else { return nil }
    if let known = numbers[role]?[node.id] { return known }
    let nodes: WritableKeyPath<Self, [Node]> = role == .beacon ? \.beacons : \.receivers
    self[keyPath: nodes].append(node)
    numbers[role, default: [:]][node.id] = self[keyPath: nodes].count - 1
    return self[keyPath: nodes].count - 1
  }

  /// The beacons that a receiver at a known place heard, and these receivers.
  var heardBeacons: [Node] {
    let heard = Set(sums.keys.map { $0[0] })
    return beacons.indices.filter(heard.contains).map { beacons[$0] }
  }

  var hearingReceivers: [Node] {
    let hearing = Set(sums.keys.map { $0[1] })
    return receivers.indices.filter(hearing.contains).map { receivers[$0] }
  }

  /// The standard deviation of packets about the mean of their link, in dB; nil for single packets.
  var packetDeviation: Double? {
    var (squares, freedom) = (0.0, 0.0)
    for sum in sums.values {
      squares += sum.square - sum.level * sum.level / sum.packets
      freedom += sum.packets - 1
    }
    return freedom > 0 ? max(squares / freedom, 0).squareRoot() : nil
  }

  /// Returns the links, heard and unheard, and the names of the anchors.
  func links() -> (AnchorLinks, names: [String]) {
    let (beacons, receivers) = (heardBeacons, hearingReceivers)
    var (names, nodes): ([String], [Node]) = ([], [])
    // What stands within half a metre is one box.
    func anchor(_ node: Node) -> Int {
      let same = nodes.firstIndex {
        abs($0.x - node.x) < 0.5 && abs($0.y - node.y) < 0.5 && $0.floor == node.floor
      }
      if let same { return same }
      names.append(node.id)
      nodes.append(node)
      return nodes.count - 1
    }
    let (receiving, sending) = (receivers.map(anchor), beacons.map(anchor))
    var links: [AnchorLinks.Link] = []
    for (i, receiver) in receivers.enumerated() {
      for (j, beacon) in beacons.enumerated()
      where receiving[i] != sending[j] && receiver.floor == beacon.floor {
        let sum = numbers[.beacon]?[beacon.id].flatMap { its in
          numbers[.receiver]?[receiver.id].flatMap { sums[[its, $0]] }
        }
        links.append(
          AnchorLinks.Link(
            beacon: j, receiver: i, level: sum.map { $0.level / $0.packets },
            packets: sum?.packets ?? 0))
      }
    }
    return (
      AnchorLinks(
        links, places: nodes.map { Point(x: $0.x, y: $0.y) }, heights: nodes.map(\.z),
        beacons: sending, receivers: receiving), names
    )
  }
}
