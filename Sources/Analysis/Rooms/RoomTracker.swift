import Support

/// The room that is announced for a node, which changes only when another one is probable enough.
///
/// A room is announced once its probability reaches the threshold, and kept until that of another
/// one does. Thresholds above one half therefore never announce two rooms at once.
public struct RoomAnnouncement: Sendable {
  /// The probability at which a room is announced, above 0.5.
  public let threshold: Double
  /// The number of the announced room; nil before the first.
  public private(set) var room: Int?

  /// The permitted thresholds.
  public static let thresholds = 0.5.nextUp...0.9999
  /// The threshold without a setting.
  public static let defaultThreshold = 0.8

  /// Creates an announcement without a room.
  public init(threshold: Double = Self.defaultThreshold) { self.threshold = threshold }

  /// Handles the probabilities of the rooms at the next time.
  ///
  /// - Returns: A Boolean value that is true if another room is announced now.
  @discardableResult
  public mutating func update(_ probabilities: [Double]) -> Bool {
    guard let next = probabilities.indices.first(where: { probabilities[$0] >= threshold }),
      next != room
    else { return false }
    room = next
    return true
  }
}

/// The rooms of a node as its levels arrive: their probabilities, the announced one, and the times
/// of its changes.
///
/// ```swift
/// var tracker = RoomTracker(model, lag: .seconds(5))
/// for epoch in epochs {
///   for answer in tracker.update(epoch) where answer.change != nil {
///     print(answer.time, answer.room)
///   }
/// }
/// ```
public struct RoomTracker: Sendable {
  /// The rooms at one time.
  public struct Answer: Sendable {
    /// The time, in nanoseconds since the Unix epoch.
    public var time: Int64
    /// The probability of each room.
    public var probabilities: [Double]
    /// The number of the announced room.
    public var room: Int?
    /// The time at which that room was announced, in nanoseconds since the Unix epoch.
    public var since: Int64?
    /// The change of the announced room at this time; nil if it is the same.
    public var change: Change?
  }

  /// A change of the announced room.
  public struct Change: Equatable, Sendable {
    /// The number of the room before; nil for the first.
    public var left: Int?
    /// The 95 % interval of the time at which the node went, in nanoseconds since the Unix epoch; it
    /// ends at the time of the answer at the latest. nil for the first room.
    public var between: ClosedRange<Int64>?

    /// Creates a change; times are in nanoseconds since the Unix epoch.
    public init(left: Int?, between: ClosedRange<Int64>?) {
      (self.left, self.between) = (left, between)
    }
  }

  private var filter: RoomFilter
  private var announcement: RoomAnnouncement
  private var since: Int64?
  private let lag: Int64
  private let margin: Int64
  /// The last answered steps, and those that wait for later ones.
  private var steps: [RoomFilter.Step] = []
  private var answered = 0

  /// The most epochs between a change and its announcement.
  private static let memory = 60
  /// The probability on each side of the interval of a change.
  private static let tail = 0.025

  /// Creates the tracker of a node that may be anywhere.
  ///
  /// - Parameters:
  ///   - lag: The time that answers wait for later levels; zero for none.
  ///   - threshold: The probability at which a room is announced.
  public init(
    _ model: RoomModel, lag: Duration = .zero,
    threshold: Double = RoomAnnouncement.defaultThreshold
  ) {
    filter = RoomFilter(model)
    announcement = RoomAnnouncement(threshold: threshold)
    self.lag = lag.nanoseconds
    margin = Int64(model.changeMargin * 1e9)
  }

  /// Returns the answers that the next epoch makes final.
  ///
  /// - Complexity: O(signatures × anchors), times the epochs of the lag.
  public mutating func update(_ epoch: RoomEpoch) -> [Answer] {
    steps.append(filter.step(epoch))
    return answers(steps[answered...].prefix { $0.time <= epoch.time - lag }.count)
  }

  /// Returns the answers that are still open at the end of the track.
  public mutating func finish() -> [Answer] { answers(steps.count - answered) }

  private mutating func answers(_ count: Int) -> [Answer] {
    let answers = (0..<count).map { _ in nextAnswer() }
    steps.removeFirst(max(0, answered - Self.memory))
    answered = min(answered, Self.memory)
    return answers
  }

  private mutating func nextAnswer() -> Answer {
    let number = answered
    answered += 1
    let later = filter.likelihoods(of: steps[answered...])
    let probabilities = filter.answer(of: steps[number], later)
    let before = announcement.room
    var change: Change?
    if announcement.update(probabilities) {
      since = steps[number].time
      change = Change(
        left: before, between: before.map { between($0, upTo: number, later) })
    }
    return Answer(
      time: steps[number].time, probabilities: probabilities, room: announcement.room,
      since: since, change: change)
  }

  /// Returns the interval of the time at which the node left a room: from the probabilities of having
  /// been there, widened by the margin of the model.
  ///
  /// - Parameter later: The likelihoods of the steps after the last of the interval.
  private func between(_ room: Int, upTo last: Int, _ later: [Double]) -> ClosedRange<Int64> {
    var (later, latest, earliest) = (later, steps[last].time, steps[0].time)
    var isReached = false
    for number in (0...last).reversed() {
      // The doubt is about the rooms, not about the time.
      let probability = filter.rooms(of: steps[number], later)[room]
      let isThere = probability > Self.tail
      if !isThere, !isReached { latest = steps[number].time }
      // Before its visit the node was elsewhere, too.
      if probability >= 1 - Self.tail || isReached && !isThere {
        earliest = steps[number].time
        break
      }
      isReached = isReached || isThere
      later = filter.backward(later, over: steps[number])
    }
    return min(earliest, latest) - margin...min(latest + margin, steps[last].time)
  }
}
