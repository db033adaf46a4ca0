package import Evaluation
import PathLoss
import Rooms
import Sightings
import Sites
public import Support
import TraceStore

/// Recordings to train rooms from.
public struct RoomTrainRequest: Sendable {
  /// The paths of the traces; empty with ``radioMap``.
  public var inputs: [String]
  /// A radio map whose levels in the rooms of the site are learned instead of traces.
  public var radioMap: String?
  /// A table of stays (CSV: room, start_s, end_s, optionally trace and node); nil to use the truth
  /// and the rooms of the site.
  public var labels: String?
  /// A site file with rooms, doors and anchors.
  public var site: String?
  /// The node that was in the rooms of a table without nodes; nil for the only one.
  public var node: String?
  /// Names of the traces to use; empty for all.
  public var trace: [String] = []
  /// The length of the windows of levels.
  public var epoch: Duration = .seconds(1)

  /// Creates a request to train rooms from traces.
  public init(_ inputs: [String] = []) { self.inputs = inputs }

  /// The permitted lengths of windows.
  public static let epochs = DurationRange(.milliseconds(100)...Duration.seconds(60), such: "1s")
}

/// The trained rooms, and how good they are.
public struct RoomTrainResult: Sendable {
  /// The file to write.
  public var file: RoomsFile
  /// The score of what was held out of the training; nil for a radio map.
  package var score: RoomScore?
  /// The notes about rooms that have the same levels, or were left out.
  public var notes: [String] = []
}

/// Trains the rooms of a site from recordings whose rooms are known.
///
/// ```swift
/// var request = RoomTrainRequest(["kitchen.h5", "bedroom.h5"])
/// request.labels = "labels.csv"
/// let result = try RoomTrainStage(request).run()
/// print(result.file.heldOut.right)
/// ```
public struct RoomTrainStage: Stage {
  private let request: RoomTrainRequest

  public init(_ request: RoomTrainRequest) { self.request = request }

  /// Trains the rooms; the file is not written.
  ///
  /// - Throws: `RSSIError` for recordings without labels, and for fewer than two rooms.
  public func perform(in context: StageContext) throws -> RoomTrainResult {
    try RoomTrainRequest.epochs.require(request.epoch, "`epoch`")
    if let map = request.radioMap { return try mapped(map, in: context) }
    guard !request.inputs.isEmpty else {
      throw RSSIError(.usage, "no traces to learn the rooms from: name some, or a `radioMap`")
    }
    let site = try request.site.map { try Site(path: $0) }
    let labels = try RoomLabels(request.labels, site: site)
    var reading = RoomReading(
      labels, site: site, node: request.node, traces: request.trace, window: request.epoch,
      log: context.log)
    var recordings: [LabelledRecording] = []
    allowOpenFiles(request.inputs.count)
    let readers = try request.inputs.map { try TraceReader(path: $0) }
    try requireTraces(request.trace, in: readers)
    for reader in readers { recordings += try reading.read(reader) }
    guard let first = recordings.first else {
      throw RSSIError(
        .badInput, "no epoch has a room: the times of the labels are not those of the traces",
        advice: "compare them with `rssi info`, or name the node")
    }
    if let other = recordings.first(where: { $0.role != first.role }) {
      throw RSSIError(
        .badInput,
        "\(first.node) is among moving \(first.role.plural) and \(other.node) among moving "
          + "\(other.role.plural): train rooms for each")
    }
    var notes = refused(&recordings, site)
    var training = RoomTraining(recordings, among: reading.anchors)
    training.floors = training.names.map { name in
      site?.rooms.first { $0.name == name }?.floor
    }
    training.doors = site?.doors.map(\.rooms) ?? []
    let line = context.log.progress("rooms: training", total: 1)
    defer { line.finish() }
    let trained = try training.result()
    let score = RoomScore(
      trained.heldOut.map { RoomAnswers($0) }, rooms: trained.model.rooms.map(\.name))
    notes += trained.model.silentRooms + score.confusedRooms
    if trained.unit == .part {
      notes.append(
        "most rooms were recorded only once, so the probabilities are too high: record each again "
          + "on another occasion")
    }
    let step = try context.tool.provenance(
      of: "rooms train",
      inputs: request.inputs + [request.labels, request.site].compactMap(\.self))
    return RoomTrainResult(
      file: RoomsFile(
        toolVersion: step.toolVersion, commandLine: step.commandLine, role: first.role,
        model: trained.model,
        heldOut: RoomsFile.HeldOut(
          unit: trained.unit.rawValue, right: score.right.value, brier: score.brier?.value ?? 0,
          logScore: score.logScore ?? 0),
        inputs: step.inputs.map { Calibration.Input(name: $0.name, sha256: $0.sha256) },
        sources: recordings.map {
          RoomsFile.Source(trace: $0.trace, node: $0.node, sample: $0.sample)
        }),
      score: score, notes: notes)
  }

  /// Learns the rooms from a radio map.
  private func mapped(_ map: String, in context: StageContext) throws -> RoomTrainResult {
    guard request.inputs.isEmpty, request.labels == nil, let site = request.site else {
      throw RSSIError(
        .usage, "`radioMap` needs a `site` with [[rooms]], and neither traces nor `labels`")
    }
    let line = context.log.progress("rooms: levels of the map", total: 1)
    defer { line.finish() }
    let rooms = try MappedRooms(path: map, site: site, window: request.epoch)
    let step = try context.tool.provenance(of: "rooms train", inputs: [map, site])
    let file = RoomsFile(
      toolVersion: step.toolVersion, commandLine: step.commandLine, role: rooms.file.role,
      model: rooms.model, heldOut: nil,
      inputs: step.inputs.map { Calibration.Input(name: $0.name, sha256: $0.sha256) },
      sources: rooms.sources)
    return RoomTrainResult(
      file: file,
      notes: rooms.unknown.isEmpty
        ? [] : ["\(listed(rooms.unknown, 6)): not surveyed, left out; survey them"])
  }

  /// Removes the labels of rooms with too few epochs; returns notes about them, and about rooms of
  /// the site without any.
  private func refused(_ recordings: inout [LabelledRecording], _ site: Site?) -> [String] {
    var counts: [String: Int] = [:]
    for room in recordings.flatMap(\.rooms) { counts[room ?? "", default: 0] += 1 }
    let few = counts.filter { !$0.key.isEmpty && $0.value < RoomTraining.fewestEpochs }.keys
      .sorted()
    for index in recordings.indices {
      recordings[index].rooms = recordings[index].rooms.map { room in
        room.flatMap { few.contains($0) ? nil : $0 }
      }
    }
    let missing =
      (site?.rooms ?? []).filter(\.isWalkable).map(\.name)
      .filter { counts[$0] == nil } + few
    guard !missing.isEmpty else { return [] }
    return [
      "\(listed(missing, 6)): fewer than \(RoomTraining.fewestEpochs) epochs, left out; "
        + "record a minute there"
    ]
  }
}

extension RoomTraining {
  /// - Parameter anchors: The names of the anchors, by the numbers in the recordings.
  fileprivate init(_ recordings: [LabelledRecording], among anchors: [String]) {
    let names = Set(recordings.flatMap { $0.rooms.compactMap(\.self) }).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    let kept = Self.heardAnchors(recordings, count: anchors.count)
    let renumbered = Dictionary(
      uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    var stretches: [RoomStretch] = []
    for (index, recording) in recordings.enumerated() {
      stretches += recording.rooms.knownRuns().map { run in
        RoomStretch(
          recording: index, epochs: recording.epochs[run].map { $0.renumbered(renumbered) },
          rooms: recording.rooms[run].compactMap { $0.flatMap { numbers[$0] } })
      }
    }
    self.init(names: names, anchors: kept.map { anchors[$0] }, stretches: stretches)
  }

  /// Returns the anchors that are heard in a tenth of the epochs of some room, which passers-by are
  /// not.
  private static func heardAnchors(_ recordings: [LabelledRecording], count: Int) -> [Int] {
    var epochs: [String: Double] = [:]
    var heard: [String: [Double]] = [:]
    for recording in recordings {
      for (epoch, room) in zip(recording.epochs, recording.rooms) {
        guard let room else { continue }
        epochs[room, default: 0] += 1
        for level in epoch.levels {
          heard[room, default: [Double](repeating: 0, count: count)][level.anchor] += 1
        }
      }
    }
    return (0..<count).filter { anchor in
      heard.contains { room, counts in counts[anchor] >= 0.1 * (epochs[room] ?? .infinity) }
    }
  }
}

extension RoomAnswers {
  /// Creates the answers to a stretch that was held out.
  fileprivate init(_ heldOut: RoomTraining.HeldOut) {
    var announcement = RoomAnnouncement()
    let start = heldOut.stretch.epochs.first?.time ?? 0
    self.init(
      recording: heldOut.stretch.recording,
      answers: heldOut.stretch.epochs.indices.map { number in
        let time = heldOut.stretch.epochs[number].time
        announcement.update(heldOut.probabilities[number])
        return Answer(
          time: Double(time - start) / 1e9, truth: heldOut.stretch.rooms[number],
          announced: announcement.room, probabilities: heldOut.probabilities[number])
      })
  }
}

extension RoomModel {
  /// Notes about rooms in which hardly any anchor is heard.
  fileprivate var silentRooms: [String] {
    rooms.indices.filter { room in
      let own = signatures.filter { $0.room == room }
      return rooms[room].name != Self.outside
        && own.allSatisfy { $0.heard.allSatisfy { $0 < 0.2 } }
    }.map { room in
      "\(rooms[room].name): no anchor is heard there most of the time, so silence is the only "
        + "evidence; place one nearer"
    }
  }
}

extension RoomScore {
  /// Notes about pairs of rooms that are mistaken for each other most of the time.
  fileprivate var confusedRooms: [String] {
    var notes: [String] = []
    for room in rooms.indices {
      for other in rooms.indices where room < other {
        let (own, others) = (confusion[room].reduce(0, +), confusion[other].reduce(0, +))
        guard own > 0, others > 0 else { continue }
        let mistaken = confusion[room][other] / own + confusion[other][room] / others
        if mistaken > 0.6 {
          notes.append(
            "\(rooms[room]) and \(rooms[other]) have the same levels: give them one name if they "
              + "are one place, or add an anchor in one of them")
        }
      }
    }
    return notes
  }
}
