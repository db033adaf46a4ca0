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
/// the pace, the time at one place and the doubt are those that make the probabilities of rooms best in
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
    let ofRecordings = recordingFolds
    let asks = ofRecordings.flatMap(\.asked).reduce(0) { $0 + $1.rooms.count }
    // Parts of one visit are more alike than visits, so they count only if most rooms have one visit.
    let unit: Unit = 2 * asks >= counts.reduce(0, +) ? .recording : .part
    let folds = unit == .recording ? ofRecordings : partFolds
    let asked = parallel(folds.count) { fold in
      Asked(model(of: folds[fold].learned), about: folds[fold].asked)
    }
    let scores = parallel(Self.candidates.count) { index in
      Self.logScore(asked.flatMap { $0.answers(Self.candidates[index]) }, doubt: 0)
    }
    var best = Self.candidates[scores.indices.min { scores[$0] < scores[$1] } ?? 0]
    let answers = asked.flatMap { $0.answers(best) }
    let doubtful = Self.doubts.map { Self.logScore(answers, doubt: $0) }
    best.doubt = Self.doubts[doubtful.indices.min { doubtful[$0] < doubtful[$1] } ?? 0]
    var learned = model(of: stretches).with(best)
    learned.changeMargin =
      [Duration.zero, .seconds(5)].map { lag in
        Self.changeMargin(asked.flatMap { $0.lateness(best, lag: lag) })
      }.max() ?? 0
    return Result(model: learned, heldOut: asked.flatMap { $0.answers(best) }, unit: unit)
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

  /// The most folds of recordings.
  private static let mostFolds = 20

  /// The recordings, or groups of many, each with the rest; without the rooms that the rest lacks.
  private var recordingFolds: [Fold] {
    let recordings = Set(stretches.map(\.recording)).sorted()
    let fold = Dictionary(
      uniqueKeysWithValues: recordings.enumerated().map { ($1, $0 % Self.mostFolds) })
    return (0..<min(Self.mostFolds, recordings.count)).map { left in
      let learned = stretches.filter { fold[$0.recording] != left }
      let counts = epochCounts(of: learned)
      let asked = stretches.filter { fold[$0.recording] == left }
      return Fold(
        learned: learned,
        asked: asked.flatMap { $0.runs { room in counts[room] >= Self.fewestEpochs } })
    }
  }

  /// The thirds of all stretches in each room, each with the rest.
  private var partFolds: [Fold] {
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

    /// Returns the seconds by which the true time of each announced change is outside its interval.
    func lateness(_ dynamics: Dynamics, lag: Duration) -> [Double] {
      stretches.flatMap { stretch -> [Double] in
        var tracker = RoomTracker(model.with(dynamics), lag: lag)
        let answers = stretch.epochs.flatMap { tracker.update($0) } + tracker.finish()
        return answers.compactMap { answer in
          guard let room = answer.room, let between = answer.change?.between else { return nil }
          return stretch.entries(into: room).map { time in
            max(
              0, Double(between.lowerBound) / 1e9 - time, time - Double(between.upperBound) / 1e9)
          }.min { $0 < $1 }.flatMap { $0 < Self.longestDelay ? $0 : nil }
        }
      }
    }

    /// The time in seconds beyond which a change is of another visit.
    private static let longestDelay = 10.0
  }

  /// The margin of changes if too few were held out, in seconds.
  private static let assumedMargin = 2.0

  /// Returns the margin with which the intervals of changes hold 95 % of those that were held out
  /// (split conformal prediction: Lei et al., JASA 113, 2018).
  ///
  /// - Parameter beyond: The seconds by which the true time of each change is outside its interval.
  private static func changeMargin(_ beyond: [Double]) -> Double {
    let rank = Int((0.95 * Double(beyond.count + 1)).rounded(.up))
    return rank <= beyond.count
      ? beyond.sorted()[rank - 1] : max(assumedMargin, beyond.max() ?? 0)
  }

  /// The candidates for the doubt.
  private static let doubts = [0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3]

  /// Returns the mean of -log P(true room).
  private static func logScore(_ answers: [HeldOut], doubt: Double) -> Double {
    var (sum, count) = (0.0, 0)
    for answer in answers {
      for (probabilities, room) in zip(answer.probabilities, answer.stretch.rooms) {
        let equal = doubt / Double(probabilities.count)
        sum -= .log(max(1e-12, (1 - doubt) * probabilities[room] + equal))
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
  var doubt = 0.0
}

extension RoomModel {
  fileprivate func with(_ dynamics: Dynamics) -> RoomModel {
    var model = self
    (model.correlationTime, model.pace) = (dynamics.correlationTime, dynamics.pace)
    (model.placeTime, model.doubt) = (dynamics.placeTime, dynamics.doubt)
    return model
  }
}

extension RoomStretch {
  /// Returns the times at which the node entered a room, in seconds: halfway between two epochs.
  fileprivate func entries(into room: Int) -> [Double] {
    rooms.indices.dropFirst().filter { rooms[$0] == room && rooms[$0 - 1] != room }.map {
      (Double(epochs[$0 - 1].time) / 2 + Double(epochs[$0].time) / 2) / 1e9
    }
  }

  /// Returns the parts of the stretch in some rooms.
  fileprivate func runs(_ isWanted: (Int) -> Bool) -> [RoomStretch] {
    rooms.indices.split { !isWanted(rooms[$0]) }.map { run in
      RoomStretch(
        recording: recording, epochs: Array(epochs[run]), rooms: Array(rooms[run]))
    }
  }

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
