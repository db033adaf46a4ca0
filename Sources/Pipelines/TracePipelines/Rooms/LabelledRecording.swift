import Evaluation
import Geometry
import PathLoss
import Positioning
import Rooms
import Sightings
import Sites
import Support
import TraceStore

/// The epochs of one node in one trace, with its room if it is known.
struct LabelledRecording {
  /// The name of the trace, with that of the node if several are labelled.
  var name: String
  var trace: String
  var node: String
  var role: NodeRole
  /// The epochs; levels refer to the names of anchors in ``RoomReading/anchors``.
  var epochs: [RoomEpoch]
  /// The room at the end of each epoch; nil if it is unknown.
  var rooms: [String?]
  /// The raw levels, to recognise the recording.
  var sample: ReadingSample
}

extension Array {
  /// Returns the ranges of successive elements that are not nil.
  func knownRuns<Known>() -> [Range<Int>] where Element == Known? {
    indices.split { self[$0] == nil }
  }
}

/// Reads the epochs of labelled nodes from traces, among fixed nodes at known or unknown places.
struct RoomReading {
  private let allLabels: RoomLabels
  /// The labels of the file that is read.
  private var labels: RoomLabels
  private let site: Site?
  private let window: Duration
  private let log: any ActivityLog
  /// The names of the fixed nodes so far.
  private(set) var anchors: [String]
  private var anchorNumbers: [String: Int]
  /// True if the names are those of a model, and other nodes do not count.
  private let areAnchorsGiven: Bool
  /// The node of labels without one; nil for the only one.
  private let node: String?
  /// The names of the traces to read; empty for all.
  private let traces: Set<String>

  /// - Parameters:
  ///   - anchors: The names of the fixed nodes; nil for all nodes at known places or, if there are
  ///     none, all nodes of the other role.
  init(
    _ labels: RoomLabels, site: Site?, anchors: [String]? = nil, node: String?,
    traces: [String], window: Duration, log: any ActivityLog
  ) {
    (allLabels, self.labels, self.site) = (labels, labels, site)
    (self.node, self.window) = (node, window)
    (self.anchors, areAnchorsGiven, self.log) = (anchors ?? [], anchors != nil, log)
    self.traces = Set(traces)
    anchorNumbers = Dictionary(
      self.anchors.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A node whose room is known at times.
  private struct Labelled {
    var trace: UInt16
    var role: NodeRole
    var index: UInt32
    var span: ClosedRange<Int64>
    var path: TruthPath?
  }

  /// Reads the labelled nodes of one trace file that were heard.
  mutating func read(_ reader: TraceReader) throws -> [LabelledRecording] {
    try reader.requireTimes()
    let catalogue = reader.catalogue
    labels = try allLabels.labels(in: reader)
    let labelled = try (labels.arePlaces ? ofTruth(catalogue, reader.path) : ofTable(reader))
      .filter { traces.isEmpty || traces.contains(catalogue.traces[Int($0.trace)]) }
    for node in labelled { try requireBounded(node, catalogue) }
    let fixed = try numbers(catalogue, for: labelled)
    var builders = labelled.map {
      EpochBuilder(
        .walk($0.span, step: window.nanoseconds, window: window.nanoseconds), .mean)
    }
    var samples = labelled.map { _ in ReadingSample(capacity: ReadingSample.capacityOfCalibration) }
    var pairs: [Link: [(labelled: Int, anchor: Int, hash: UInt32)]] = [:]
    let line = log.progress("rooms \(reader.path)", total: reader.count)
    var count = 0
    try reader.forEachBlock([.time, .link, .rssi]) { rows in
      for row in 0..<rows.count {
        let link = rows.link(row)
        let found =
          pairs[link]
          ?? labelled.indices.compactMap { number in
            fixed(labelled[number], link).map { (number, $0, Self.hash(link, catalogue)) }
          }
        pairs[link] = found
        let (time, level) = (rows.time[row], rows.rssi[row])
        guard !level.isNaN else { continue }
        for (number, anchor, hash) in found {
          builders[number].add(
            time: time, anchor: anchor, level: Double(level), raw: Double(level))
          samples[number].add(time: time, level: level, link: hash)
        }
      }
      count += rows.count
      line.update(count)
    }
    line.finish()
    return labelled.indices.map { number in
      samples[number].sort()
      return recording(
        labelled[number], builders[number].epochs, samples[number], among: labelled.count, catalogue
      )
    }.filter { recording in
      // Truth or labels of traces in other files.
      recording.rooms.contains { $0 != nil } && recording.epochs.contains { !$0.levels.isEmpty }
    }
  }

  private static func hash(_ link: Link, _ catalogue: Catalogue) -> UInt32 {
    ReadingSample.link(
      beacon: ReadingSample.hash(catalogue.beacons[Int(link.beacon)].id),
      receiver: ReadingSample.hash(catalogue.receivers[Int(link.receiver)].id))
  }

  /// Refuses stays whose epochs would not fit into memory, mostly because of one wrong time.
  private func requireBounded(_ node: Labelled, _ catalogue: Catalogue) throws(RSSIError) {
    let seconds = Double(node.span.upperBound) / 1e9 - Double(node.span.lowerBound) / 1e9
    guard seconds / (Double(window.nanoseconds) / 1e9) > Self.mostEpochs else { return }
    throw RSSIError(
      .badInput,
      "the stays in trace \(catalogue.traces[Int(node.trace)]) last \(Int(seconds / 86_400)) days, "
        + "too long for windows of \(written(duration: window))",
      advice: "check the times, or use a longer window")
  }

  /// The largest number of windows of one node in one trace: 23 days of windows of 1 s.
  private static let mostEpochs = 2e6

  /// Returns the nodes with true positions.
  private func ofTruth(_ catalogue: Catalogue, _ path: String) throws(RSSIError) -> [Labelled] {
    let moving = MovingNodes(catalogue, takesAll: true).targets
    guard !moving.isEmpty else {
      throw RSSIError(
        .badInput,
        "\(path) has no truth, so rooms are unknown: give a table of stays with `labels`")
    }
    return moving.compactMap { target in
      target.path.span.map {
        Labelled(
          trace: target.trace, role: target.role, index: target.node, span: $0, path: target.path)
      }
    }
  }

  /// Returns the nodes of the table of stays.
  private func ofTable(_ reader: TraceReader) throws -> [Labelled] {
    let catalogue = reader.catalogue
    let names = labels.nodes.isEmpty ? [node].compactMap(\.self) : labels.nodes.sorted()
    let nodes =
      try names.isEmpty
      ? [only(catalogue, reader.path)]
      : names.compactMap { try Self.node($0, in: catalogue) }
    return nodes.flatMap { role, index in
      catalogue.traces.enumerated().compactMap { trace, name in
        labels.span(trace: name, node: Self.name(role, index, catalogue)).map {
          Labelled(trace: UInt16(trace), role: role, index: index, span: $0)
        }
      }
    }
  }

  private func only(
    _ catalogue: Catalogue, _ path: String
  ) throws(RSSIError) -> (role: NodeRole, index: UInt32) {
    let fixed = Set(site?.anchors.map(\.node) ?? [])
    let receivers = catalogue.receivers.indices.filter {
      !catalogue.receivers[$0].isAnchor && !fixed.contains(catalogue.receivers[$0].id)
    }
    if receivers.count == 1 { return (.receiver, UInt32(receivers[0])) }
    if catalogue.beacons.count == 1 { return (.beacon, 0) }
    throw RSSIError(
      .usage,
      "\(path) has \(catalogue.receivers.count) receivers and \(catalogue.beacons.count) beacons: "
        + "name the node that was in the rooms with `node`")
  }

  private static func node(
    _ name: String, in catalogue: Catalogue
  ) throws -> (role: NodeRole, index: UInt32)? {
    if let index = catalogue.receivers.firstIndex(where: { $0.id == name }) {
      return (.receiver, UInt32(index))
    }
    return try HeardBeacons(catalogue).numbers(name).first.map { (.beacon, UInt32($0)) }
  }

  private static func name(_ role: NodeRole, _ index: UInt32, _ catalogue: Catalogue) -> String {
    (role == .receiver ? catalogue.receivers : catalogue.beacons)[Int(index)].id
  }

  /// Returns a function that gives the number of the fixed node of a link with a labelled node.
  private mutating func numbers(
    _ catalogue: Catalogue, for labelled: [Labelled]
  ) throws -> (_ node: Labelled, _ link: Link) -> Int? {
    let known = try KnownAnchors(catalogue, site: site)
    var numbers: [NodeRole: [Int?]] = [:]
    for role in Set(labelled.map { $0.role == .receiver ? NodeRole.beacon : .receiver }) {
      let nodes = role == .beacon ? catalogue.beacons : catalogue.receivers
      let placed = Set((role == .beacon ? known.beacons : known.receivers).map(\.id))
      let chosen: [Bool] = nodes.map { placed.isEmpty || placed.contains($0.id) }
      numbers[role] = zip(nodes, chosen).map { node, isChosen in
        if let number = anchorNumbers[node.id] { return number }
        guard isChosen, !areAnchorsGiven else { return nil }
        anchors.append(node.id)
        anchorNumbers[node.id] = anchors.count - 1
        return anchors.count - 1
      }
    }
    return { [numbers] node, link in
      guard link.trace == node.trace else { return nil }
      switch node.role {
      case .receiver:
        return UInt32(link.receiver) == node.index ? numbers[.beacon]?[Int(link.beacon)] : nil
      case .beacon:
        return link.beacon == node.index ? numbers[.receiver]?[Int(link.receiver)] : nil
      }
    }
  }

  private func recording(
    _ node: Labelled, _ epochs: [HeardEpoch], _ sample: ReadingSample, among count: Int,
    _ catalogue: Catalogue
  ) -> LabelledRecording {
    let trace = catalogue.traces[Int(node.trace)]
    let id = Self.name(node.role, node.index, catalogue)
    let rooms = epochs.map { epoch -> String? in
      guard let path = node.path else {
        return labels.room(at: epoch.instant, trace: trace, node: id)
      }
      guard let place = path.position(at: epoch.instant) else { return nil }
      let floor = path.floor(at: epoch.instant).map { catalogue.floors[$0].name }
      return labels.room(at: place, floor: floor)
    }
    return LabelledRecording(
      name: count > 1 ? "\(trace)/\(id)" : trace, trace: trace, node: id, role: node.role,
      epochs: epochs.map { RoomEpoch($0) }, rooms: rooms, sample: sample)
  }
}

extension RoomEpoch {
  /// Creates an epoch whose anchors have the numbers of the window's levels.
  init(_ epoch: HeardEpoch) {
    self.init(
      time: epoch.instant, window: epoch.instant - epoch.start,
      levels: epoch.levels.map { Level(anchor: $0.anchor, rssi: $0.rssi) })
  }
}
