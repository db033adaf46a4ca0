import RealModule
public import Support

/// A continuous stretch of a node's epochs with their true rooms.
public struct RoomStretch: Sendable {
  /// The recording that the stretch is from; stretches of one recording are held out together.
  public var recording: Int
  /// The epochs in order of time.
  public var epochs: [RoomEpoch]
  /// The true room at each epoch, by its number.
  public var rooms: [Int]

  /// Creates a stretch from its epochs and their rooms.
  public init(recording: Int, epochs: [RoomEpoch], rooms: [Int]) {
    (self.recording, self.epochs, self.rooms) = (recording, epochs, rooms)
  }
}

/// The training of a room model from stretches whose rooms are known.
///
/// The epochs of a room are divided into signatures by k-means. The correlation time of the errors,
/// the pace and the time at one place are those that make the probabilities of rooms best in
/// recordings that were held out, by their mean logarithmic score (Gneiting and Raftery, JASA 102,
/// 2007), which is best for probabilities that are right.
public struct RoomTraining: Sendable {
  /// The names of the rooms, by number.
  public var names: [String]
  /// The floors of the rooms; empty if there are none.
  public var floors: [String?] = []
  /// The names of the rooms that doors join; empty if doors are unknown.
  public var doors: [[String]] = []
  /// The names of the fixed nodes.
  public var anchors: [String]
  /// The stretches to learn from.
  public var stretches: [RoomStretch]

  /// Creates a training from stretches of known rooms.
  public init(names: [String], anchors: [String], stretches: [RoomStretch]) {
    (self.names, self.anchors, self.stretches) = (names, anchors, stretches)
  }

  /// A model with its answers about what was held out.
  public struct Result: Sendable {
    /// The model, learned from everything.
    public var model: RoomModel
    /// The answers of models that did not learn from the stretch.
    public var heldOut: [HeldOut]
    /// The unit that was held out.
    public var unit: Unit
  }

  /// The unit that is held out of a training.
  public enum Unit: String, Sendable {
    /// A recording.
    case recording
    /// A part of each stretch, because some room was recorded only once.
    case part
  }

  /// The answers to a stretch that was held out.
  public struct HeldOut: Sendable {
    /// The stretch, whose rooms are numbers of the model.
    public var stretch: RoomStretch
    /// The probability of each room at each epoch.
    public var probabilities: [[Double]]
  }

  /// The fewest epochs of a room that can be learned from.
  public static let fewestEpochs = 5
  /// The candidates for the correlation time in seconds, the pace, and the time at one place in
  /// seconds.
  private static let candidates = [0, 1, 2, 4, 8, 16, 64].flatMap { correlationTime in
    [1, 0.5, 0.2, 0.1, 0.05].flatMap { pace in
      [1.0, 3, 10].map { Dynamics(correlationTime: correlationTime, pace: pace, placeTime: $0) }
    }
  }

  /// Learns the model, and answers each stretch with what the others give.
  ///
  /// - Throws: `RSSIError` of kind `badInput` for fewer than two rooms, or one with too few epochs.
  /// - Complexity: O(epochs × signatures × anchors) for each unit that is held out.
  public func result() throws(RSSIError) -> Result {
    let counts = epochCounts(of: stretches)
    guard names.count >= 2, counts.allSatisfy({ $0 >= Self.fewestEpochs }) else {
      let found = zip(names, counts).map { "\($0) \($1)" }.joined(separator: ", ")
      throw RSSIError(
        .badInput,
        "expected two rooms or more, each with \(Self.fewestEpochs) epochs, found "
          + (found.isEmpty ? "none" : found),
        advice: "record a minute in each room, and name the rooms of these times")
    }
    let unit: Unit = isRepeated ? .recording : .part
    let folds = folds(by: unit)
    let asked = parallel(folds.count) { fold in
      Asked(model(of: folds[fold].learned), about: folds[fold].asked)
    }
    let scores = parallel(Self.candidates.count) { index in
      Self.logScore(asked.flatMap { $0.answers(Self.candidates[index]) })
    }
    let best = Self.candidates[scores.indices.min { scores[$0] < scores[$1] } ?? 0]
    return Result(
      model: model(of: stretches).with(best), heldOut: asked.flatMap { $0.answers(best) },
      unit: unit)
  }

  private struct Fold {
    var learned: [RoomStretch]
    var asked: [RoomStretch]
  }

  private func epochCounts(of stretches: [RoomStretch]) -> [Int] {
    var counts = [Int](repeating: 0, count: names.count)
    for stretch in stretches { for room in stretch.rooms { counts[room] += 1 } }
    return counts
  }

  /// Returns true if every room can be learned without any one recording.
  private var isRepeated: Bool {
    let recordings = Set(stretches.map(\.recording))
    guard recordings.count > 1 else { return false }
    return recordings.allSatisfy { left in
      let rest = epochCounts(of: stretches.filter { $0.recording != left })
      return rest.allSatisfy { $0 >= Self.fewestEpochs }
    }
  }

  /// Returns the recordings, or the thirds of all stretches in each room, each with the rest.
  private func folds(by unit: Unit) -> [Fold] {
    if unit == .recording {
      return Set(stretches.map(\.recording)).sorted().map { left in
        Fold(
          learned: stretches.filter { $0.recording != left },
          asked: stretches.filter { $0.recording == left })
      }
    }
    let parts = stretches.flatMap(\.parts)
    return (0..<RoomStretch.partCount).map { left in
      Fold(
        learned: parts.filter { $0.number != left }.map(\.stretch),
        asked: parts.filter { $0.number == left }.map(\.stretch))
    }
  }

  /// A model with the stretches that it did not learn from, and their log likelihoods, which do not
  /// depend on the dynamics.
  private struct Asked: Sendable {
    let model: RoomModel
    let stretches: [RoomStretch]
    let logs: [[[Double]]]

    init(_ model: RoomModel, about stretches: [RoomStretch]) {
      (self.model, self.stretches) = (model, stretches)
      logs = stretches.map { $0.epochs.map { model.logLikelihoods(of: $0) } }
    }

    func answers(_ dynamics: Dynamics) -> [HeldOut] {
      zip(stretches, logs).map { stretch, logs in
        var filter = RoomFilter(model.with(dynamics))
        return HeldOut(
          stretch: stretch,
          probabilities: zip(stretch.epochs, logs).map { filter.update($0, $1) })
      }
    }
  }

  /// Returns the mean of -log P(true room).
  private static func logScore(_ answers: [HeldOut]) -> Double {
    var (sum, count) = (0.0, 0)
    for answer in answers {
      for (probabilities, room) in zip(answer.probabilities, answer.stretch.rooms) {
        sum -= .log(max(1e-12, probabilities[room]))
        count += 1
      }
    }
    return sum / Double(max(1, count))
  }
}

/// The parameters of a model that are chosen by what was held out.
private struct Dynamics: Sendable {
  var correlationTime: Double
  var pace: Double
  var placeTime: Double
}

extension RoomModel {
  fileprivate func with(_ dynamics: Dynamics) -> RoomModel {
    var model = self
    (model.correlationTime, model.pace) = (dynamics.correlationTime, dynamics.pace)
    model.placeTime = dynamics.placeTime
    return model
  }
}

extension RoomStretch {
  fileprivate static let partCount = 3

  /// The thirds of each stay, so that every room is in the rest.
  fileprivate var parts: [(number: Int, stretch: RoomStretch)] {
    var parts: [(Int, RoomStretch)] = []
    var start = 0
    for end in 1...max(1, rooms.count) where end == rooms.count || rooms[end] != rooms[start] {
      let count = end - start
      for part in 0..<Self.partCount {
        let range =
          start + count * part / Self.partCount..<start + count * (part + 1) / Self.partCount
        guard !range.isEmpty else { continue }
        parts.append(
          (
            part,
            RoomStretch(
              recording: recording, epochs: Array(epochs[range]), rooms: Array(rooms[range]))
          ))
      }
      start = end
    }
    return parts
  }
}
