import Evaluation
import Positioning
import Rooms
import Sightings
import Support

/// The trained rooms of a run, for the moving nodes of the role that they were trained with.
///
/// They see raw levels, as in the training, whatever levels positions use.
struct TrainedRooms: Sendable {
  private let file: RoomsFile
  private let request: LocateRequest
  /// The numbers in the model of the run's anchors.
  private let numbers: [Int: Int]

  /// - Parameter anchors: The anchors of the run, among which are those of the rooms.
  init(_ file: RoomsFile, among anchors: KnownAnchors, for request: LocateRequest) {
    (self.file, self.request) = (file, request)
    numbers = Dictionary(
      file.model.anchors.enumerated().compactMap { number, name in
        anchors.number(of: name, file.anchorRole).map { ($0, number) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the rooms of a node; nil if they were trained with nodes of the other role.
  func track(of node: MovingNode) -> Track? {
    guard node.role == file.role else { return nil }
    return Track(
      rooms: RoomTracker(file.model, lag: request.lag, threshold: request.announce),
      numbers: numbers, step: request.rule.step)
  }

  /// The rooms of one node.
  struct Track: Sendable {
    fileprivate var rooms: RoomTracker
    fileprivate let numbers: [Int: Int]
    fileprivate let step: Int64
    fileprivate var answers: [Int64: RoomTracker.Answer] = [:]

    /// Receives the next epoch.
    mutating func hear(_ epoch: HeardEpoch) {
      keep(rooms.update(RoomEpoch(raw: epoch, step: step).renumbered(numbers)))
    }

    /// Ends the track, so that all answers are known.
    mutating func finish() { keep(rooms.finish()) }

    /// Returns the rooms at an instant, which are forgotten; nil if later epochs may still change
    /// them.
    mutating func answer(at instant: Int64) -> RoomTracker.Answer? {
      answers.removeValue(forKey: instant)
    }

    private mutating func keep(_ final: [RoomTracker.Answer]) {
      for answer in final { answers[answer.time] = answer }
    }
  }
}

/// An algorithm for rooms alone, without positions.
struct NoPositions: DelayedAlgorithm, LiveTrack {
  let name = "none"
  let lag: Duration

  func lookingBack(in surroundings: Surroundings) -> (any LiveTrack)? { self }
  func locate(_ scan: Scan) -> Outcome { .refused(.unknownPlaces) }
  func locate(_ scans: [Scan], in surroundings: Surroundings) -> [Outcome] { scans.map(locate) }
}

extension RoomsFile {
  /// The role of the fixed nodes.
  var anchorRole: NodeRole { role == .receiver ? .beacon : .receiver }

  /// The anchors, whose places need not be known.
  var nodes: [Node] { model.anchors.map { Node(id: $0, kind: "") } }
}

extension TrainedRooms.Track? {
  /// Returns the question for a position, without the anchors of rooms alone, which come last.
  func positioning(_ epoch: HeardEpoch, among anchors: [Anchor]) -> Scan {
    guard self != nil else { return epoch.scan(anchors: anchors) }
    var epoch = epoch
    epoch.levels.removeAll { $0.anchor >= anchors.count }
    epoch.readings.removeAll { $0.anchor >= anchors.count }
    return epoch.scan(anchors: anchors)
  }
}

extension RoomAnnouncement {
  /// Refuses a threshold that is out of range.
  static func require(_ threshold: Double, _ name: String) throws(RSSIError) {
    guard !thresholds.contains(threshold) else { return }
    throw RSSIError(
      .usage,
      "\(name) \(plain(threshold)): expected a probability above 0.5, at most "
        + plain(thresholds.upperBound))
  }
}

extension RoomEpoch {
  /// Returns the epoch with the anchors that have a new number.
  func renumbered(_ numbers: [Int: Int]) -> RoomEpoch {
    RoomEpoch(
      time: time, window: window,
      levels: levels.compactMap { level in
        numbers[level.anchor].map { Level(anchor: $0, rssi: level.rssi) }
      })
  }

  /// Creates an epoch of the raw levels since the one before.
  fileprivate init(raw epoch: HeardEpoch, step: Int64) {
    var sums: [Int: (level: Double, packets: Int)] = [:]
    for reading in epoch.readings {
      let sum = sums[reading.anchor] ?? (0, 0)
      sums[reading.anchor] = (
        sum.level + reading.rssi * Double(reading.packets), sum.packets + reading.packets
      )
    }
    self.init(
      time: epoch.instant, window: step,
      levels: sums.sorted { $0.key < $1.key }.map {
        Level(anchor: $0.key, rssi: $0.value.level / Double($0.value.packets))
      })
  }
}
