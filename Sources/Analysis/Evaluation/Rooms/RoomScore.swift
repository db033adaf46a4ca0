import NumericalMethods
import RealModule

/// The answers of one method about the room of a node in one recording.
package struct RoomAnswers: Sendable {
  /// One answer.
  package struct Answer: Sendable {
    /// The time, in seconds since the start of the recording.
    package var time: Double
    /// The number of the true room.
    package var truth: Int
    /// The number of the announced room; nil for none.
    package var announced: Int?
    /// The probability of each room; empty if the method has none.
    package var probabilities: [Double]

    package init(time: Double, truth: Int, announced: Int?, probabilities: [Double] = []) {
      (self.time, self.truth, self.announced) = (time, truth, announced)
      self.probabilities = probabilities
    }
  }

  /// The number of the recording.
  package var recording: Int
  /// The answers in order of time, without a gap.
  package var answers: [Answer]

  package init(recording: Int, answers: [Answer]) {
    (self.recording, self.answers) = (recording, answers)
  }
}

/// The score of one method that announces rooms; intervals are over recordings.
///
/// An answer counts for the time since the one before. A *stay* lasts from one true change to the
/// next. The announcement of a room during a stay there *detects* the stay, and its delay counts from
/// the beginning of the stay. All other changes of the announced room are *false*: those to a wrong
/// room, and those back.
package struct RoomScore: Sendable {
  /// A figure with its interval over recordings.
  package struct Figure: Sendable {
    package var value: Double
    package var interval: IntervalOutcome
  }

  /// The claims of one range of probabilities.
  package struct Claims: Sendable {
    /// The least probability of the range, a tenth wide.
    package var least: Double
    package var count: Int
    /// The mean of the claimed probabilities.
    package var claimed: Double
    /// The share of claims that are true; its interval is simultaneous over the ranges.
    package var share: Figure
  }

  /// The names of the rooms.
  package var rooms: [String]
  package var epochs: Int
  /// The total time, in hours.
  package var hours: Double
  /// The share of time at which the announced room is right.
  package var right: Figure
  /// The share of epochs at which the announced room is right.
  package var rightEpochs: Double
  /// The number of false changes per hour.
  package var falseChanges: Figure
  /// The number of stays, and of those that were detected.
  package var stays: (all: Int, detected: Int)
  /// The delays of detected stays in seconds, sorted.
  package var delays: SortedSample
  /// The time in seconds by true room (row) and announced room (column); the last column is for no
  /// announcement.
  package var confusion: [[Double]]
  /// The mean Brier score, from 0 to 2 (Brier 1950); nil without probabilities.
  package var brier: Figure?
  /// The mean of -log P(true room); nil without probabilities.
  package var logScore: Double?
  /// The claims by probability, without empty ranges.
  package var claims: [Claims] = []

  private static let ranges = 10

  package init(
    _ tracks: [RoomAnswers], rooms: [String], bootstrap: TraceBootstrap = TraceBootstrap()
  ) {
    self.rooms = rooms
    let count = (tracks.map(\.recording).max() ?? -1) + 1
    var sums = [Sums](repeating: Sums(rooms: rooms.count), count: count)
    var all = Sums(rooms: rooms.count)
    for track in tracks {
      sums[track.recording].add(track)
      all.add(track)
    }
    epochs = all.epochs
    hours = all.time / 3600
    right = Figure(
      value: all.right / all.time,
      interval: bootstrap.ratioInterval(sums.map(\.right), over: sums.map(\.time)).limited(to: 1))
    rightEpochs = Double(all.rightEpochs) / Double(all.epochs)
    falseChanges = Figure(
      value: Double(all.falseChanges) / hours,
      interval: bootstrap.ratioInterval(
        sums.map { Double($0.falseChanges) }, over: sums.map { $0.time / 3600 }))
    stays = (all.stays, all.delays.count)
    delays = SortedSample(all.delays)
    confusion = all.confusion
    guard all.claimed > 0 else { return }
    brier = Figure(
      value: all.brier / Double(all.claimed),
      interval: bootstrap.ratioInterval(
        sums.map(\.brier), over: sums.map { Double($0.claimed) }))
    logScore = all.logScore / Double(all.claimed)
    // Bonferroni: all ranges at once have the confidence of one.
    let filled = (0..<Self.ranges).filter { all.claims[$0].count > 0 }
    let simultaneous = TraceBootstrap(
      confidence: 1 - (1 - bootstrap.confidence) / Double(max(1, filled.count)))
    claims = filled.map { range in
      let claim = all.claims[range]
      return Claims(
        least: Double(range) / Double(Self.ranges), count: claim.count,
        claimed: claim.sum / Double(claim.count),
        share: Figure(
          value: Double(claim.held) / Double(claim.count),
          interval: simultaneous.shareIntervals(
            [sums.map { $0.claims[range].held }], of: sums.map { $0.claims[range].count })[0]))
    }
  }

  /// The sums over one recording.
  private struct Sums {
    var epochs = 0
    var time = 0.0
    var right = 0.0
    var rightEpochs = 0
    var falseChanges = 0
    var stays = 0
    var delays: [Double] = []
    var confusion: [[Double]]
    var claimed = 0
    var brier = 0.0
    var logScore = 0.0
    var claims = [(count: Int, held: Int, sum: Double)](
      repeating: (0, 0, 0), count: RoomScore.ranges)

    init(rooms: Int) {
      confusion = [[Double]](repeating: [Double](repeating: 0, count: rooms + 1), count: rooms)
    }

    mutating func add(_ track: RoomAnswers) {
      let steps = zip(track.answers, track.answers.dropFirst()).map { $1.time - $0.time }
      let usual = SortedSample(steps).quantile(0.5) ?? 1
      var (stayed, isDetected): (since: Double, Bool) = (track.answers.first?.time ?? 0, false)
      var before: RoomAnswers.Answer?
      for answer in track.answers {
        let step = before.map { answer.time - $0.time } ?? usual
        if before?.truth != answer.truth {
          stays += 1
          (stayed, isDetected) = (answer.time, false)
        }
        let isRight = answer.announced == answer.truth
        if isRight, !isDetected {
          isDetected = true
          delays.append(answer.time - stayed)
        } else if let before, before.announced != nil, answer.announced != before.announced {
          falseChanges += 1
        }
        epochs += 1
        time += step
        if isRight {
          right += step
          rightEpochs += 1
        }
        confusion[answer.truth][answer.announced ?? confusion.count] += step
        add(claims: answer)
        before = answer
      }
    }

    private mutating func add(claims answer: RoomAnswers.Answer) {
      guard !answer.probabilities.isEmpty else { return }
      claimed += 1
      for (room, probability) in answer.probabilities.enumerated() {
        let held = room == answer.truth
        brier += (probability - (held ? 1 : 0)) * (probability - (held ? 1 : 0))
        if held { logScore -= Double.log(max(1e-12, probability)) }
        let range = min(RoomScore.ranges - 1, Int(probability * Double(RoomScore.ranges)))
        claims[range].count += 1
        claims[range].held += held ? 1 : 0
        claims[range].sum += probability
      }
    }
  }
}

extension IntervalOutcome {
  /// The interval, at most up to a limit.
  fileprivate func limited(to limit: Double) -> IntervalOutcome {
    guard let interval else { return self }
    return .interval(
      Interval(lower: min(limit, interval.lower), upper: min(limit, interval.upper)))
  }
}
