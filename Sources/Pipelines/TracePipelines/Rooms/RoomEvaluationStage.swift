package import Evaluation
import Positioning
import Rooms
import Sightings
import Sites
public import Support
import TraceStore

/// Recordings to score trained rooms on.
public struct RoomEvaluationRequest: Sendable {
  /// The paths of the traces.
  public var inputs: [String]
  /// The file of trained rooms.
  public var rooms: String
  /// A table of stays (CSV: room, start_s, end_s, optionally trace and node); nil to use the truth
  /// and the rooms of the site.
  public var labels: String?
  /// A site file with rooms and anchors.
  public var site: String?
  /// The node that was in the rooms of a table without nodes; nil for the only one.
  public var node: String?
  /// Names of the traces to use; empty for all.
  public var trace: [String] = []
  /// The time for which the late answers wait.
  public var lag: Duration = .seconds(10)
  /// The probability at which a room is announced.
  public var threshold = RoomAnnouncement.defaultThreshold
  /// The request to locate whose positions are compared; nil for none.
  public var positions: LocateRequest?

  /// Creates a request to score trained rooms on traces.
  public init(_ inputs: [String], rooms: String) { (self.inputs, self.rooms) = (inputs, rooms) }

  /// The permitted times for which late answers wait.
  public static let lags = DurationRange(.seconds(1)...Duration.seconds(3600), such: "10s")
}

/// The scores of trained rooms and of simpler methods.
public struct RoomEvaluationResult: Sendable {
  /// The names of the methods with their scores, trained rooms first.
  package var scores: [(name: String, score: RoomScore)]
  /// The names of the scored recordings.
  public var recordings: [String]
  /// The notes for the user.
  public var notes: [String]
}

/// Scores trained rooms on recordings whose rooms are known, beside the room of the nearest anchor
/// and that of the position.
///
/// ```swift
/// var request = RoomEvaluationRequest(["walks.h5"], rooms: "rooms.json")
/// request.site = "site.toml"
/// let result = try RoomEvaluationStage(request).run()
/// ```
public struct RoomEvaluationStage: Stage {
  private let request: RoomEvaluationRequest

  public init(_ request: RoomEvaluationRequest) { self.request = request }

  /// A recording with its true rooms, by their numbers in the model.
  private struct Scored {
    var path: String
    var recording: LabelledRecording
    var truth: [Int?]

    /// Returns the answers with the truth, in stretches without a gap of the truth.
    func tracks(_ answers: [RoomMethods.Answer], number: Int) -> [RoomAnswers] {
      truth.knownRuns().map { run in
        RoomAnswers(
          recording: number,
          answers: run.compactMap { index in
            truth[index].map { room in
              RoomAnswers.Answer(
                time: Double(recording.epochs[index].time - recording.epochs[0].time) / 1e9,
                truth: room, announced: answers[index].room,
                probabilities: answers[index].probabilities)
            }
          })
      }
    }
  }

  /// Scores the methods.
  ///
  /// - Throws: `RSSIError` for recordings without labels, and if all were learned from.
  public func perform(in context: StageContext) throws -> RoomEvaluationResult {
    try RoomEvaluationRequest.lags.require(request.lag, "`lag`")
    guard !request.inputs.isEmpty else {
      throw RSSIError(.usage, "no traces to score the rooms on: name some")
    }
    try RoomAnnouncement.require(request.threshold, "`threshold`")
    let file = try RoomsFile(path: request.rooms)
    let site = try request.site.map { try Site(path: $0) }
    var notes: [String] = []
    let recordings = try read(file, site, &notes, context.log)
    let methods = RoomMethods(file, site: site, lag: request.lag, threshold: request.threshold)
    let line = context.log.progress("rooms: recordings", total: recordings.count)
    let answers = parallel(recordings.count, done: line.update) {
      methods.answers(recordings[$0].recording.epochs)
    }
    line.finish()
    let names = file.model.rooms.map(\.name)
    func score(_ name: String, _ answers: [[RoomMethods.Answer]]) -> (String, RoomScore)? {
      let tracks = recordings.indices.flatMap { recordings[$0].tracks(answers[$0], number: $0) }
      return tracks.isEmpty ? nil : (name, RoomScore(tracks, rooms: names))
    }
    var scores = methods.names.enumerated().compactMap { method, name in
      score(name, answers.map { $0[method] })
    }
    if let positions = request.positions {
      let found = try roomsOfPositions(positions, recordings, names, in: context)
      if let score = score("room of the position", found) { scores.append(score) }
    }
    return RoomEvaluationResult(
      scores: scores, recordings: recordings.map(\.recording.name), notes: notes)
  }

  /// Reads the recordings, without those that were learned from.
  private func read(
    _ file: RoomsFile, _ site: Site?, _ notes: inout [String], _ log: any ActivityLog
  ) throws -> [Scored] {
    var reading = RoomReading(
      try RoomLabels(request.labels, site: site), site: site, anchors: file.model.anchors,
      node: request.node, traces: request.trace, window: .seconds(file.model.window), log: log)
    let known = LeakDetector(file.sources.map(\.sample))
    var (scored, learned, strange): ([Scored], [String], Set<String>) = ([], [], [])
    allowOpenFiles(request.inputs.count)
    let readers = try request.inputs.map { try TraceReader(path: $0) }
    try requireTraces(request.trace, in: readers)
    for reader in readers {
      for recording in try reading.read(reader) {
        let found = known.found(in: recording.sample).map(\.larger).max() ?? 0
        guard found < LeakDetector.refused else {
          learned.append(recording.name)
          continue
        }
        let truth = recording.rooms.map { room in
          room.flatMap { room in file.model.rooms.firstIndex { $0.name == room } }
        }
        for (room, number) in zip(recording.rooms, truth) where number == nil {
          if let room { strange.insert(room) }
        }
        scored.append(Scored(path: reader.path, recording: recording, truth: truth))
      }
    }
    if !learned.isEmpty {
      notes.append("\(listed(learned, 4)): learned from, so not scored")
    }
    if !strange.isEmpty {
      notes.append("\(listed(strange.sorted(), 4)): not trained, so not scored")
    }
    scored.removeAll { $0.truth.allSatisfy { $0 == nil } }
    guard !scored.isEmpty else {
      throw RSSIError(
        .badInput,
        "no recording can be scored"
          + (notes.isEmpty ? ": no epoch has a room" : " (\(notes.joined(separator: "; ")))"),
        advice: "give labelled recordings that the rooms were not trained on")
    }
    return scored
  }

  /// Returns the room of the position at each epoch of the recordings.
  private func roomsOfPositions(
    _ positions: LocateRequest, _ recordings: [Scored], _ names: [String], in context: StageContext
  ) throws -> [[RoomMethods.Answer]] {
    var locating = TraceLocateRequest(
      request.inputs, by: try LocateBasis(positions, log: context.log))
    var rooms: [[String]: [(time: Int64, room: String)]] = [:]
    locating.take = { trace in
      for position in trace.positions where position.estimate != nil {
        rooms[[trace.path, position.node.traceName, position.node.id], default: []].append(
          (position.time, position.room ?? RoomModel.outside))
      }
    }
    _ = try TraceLocateStage(locating).run(in: context)
    return recordings.map { scored in
      let recording = scored.recording
      let own = rooms[[scored.path, recording.trace, recording.node]] ?? []
      var next = 0
      var room: Int?
      return recording.epochs.map { epoch in
        while next < own.count, own[next].time <= epoch.time {
          room = names.firstIndex(of: own[next].room)
          next += 1
        }
        return RoomMethods.Answer(room: room)
      }
    }
  }
}
