public import PathLoss
import Registries
public import TracePipelines

/// The person at a bench, who sees events and confirms that a pose may begin.
public protocol BenchOperator {
  /// Shows an event to the operator.
  mutating func show(_ event: BenchEvent)

  /// Forgets answers that were given before a question.
  mutating func forgetAnswers()

  /// Waits at most a number of milliseconds for an answer.
  mutating func answer(within milliseconds: Int32) -> BenchAnswer
}

/// The answer of the operator of a bench.
public enum BenchAnswer: Sendable {
  /// No answer was given in time.
  case none
  /// The pose may begin.
  case ready
  /// The bench ends with the poses that are complete.
  case quit
}

/// An event on a bench.
public enum BenchEvent: Sendable {
  /// A pose is next.
  case asking(BenchPrompt)
  /// A pose begins after a time.
  case countingDown(left: Duration)
  /// The receiver listens; sent repeatedly with the progress.
  case listening(BenchProgress)
  /// A pose is complete.
  case completed([CompletedPose])
  /// All poses of the only beacon at 1 m so far.
  case summed(CalibratedBeacon)
  /// A note for the operator.
  case note(String)
  /// The end of all events.
  case finished
}

/// The pose that is next.
public struct BenchPrompt: Equatable, Sendable {
  /// The plan of the bench.
  public var plan: BenchPlan
  /// Index of the pose.
  public var stop: Int
  /// The number of the attempt, from 1; later ones repeat a pose in which too little was received.
  public var attempt: Int

  /// Creates a prompt for an attempt at a stop of a plan.
  public init(plan: BenchPlan, stop: Int, attempt: Int) {
    (self.plan, self.stop, self.attempt) = (plan, stop, attempt)
  }

  /// The stop of the plan that is next.
  public var pose: BenchPlan.Stop { plan.stops[stop] }

  /// A Boolean value that is true if the pose is at another distance than the one before.
  public var isNewDistance: Bool {
    stop == 0 || plan.stops[stop - 1].distance != pose.distance
  }
}

/// The progress of a pose.
public struct BenchProgress: Sendable {
  /// The levels of the beacon with most sightings; nil if there is none.
  public var levels: PoseLevels?
  /// The number of chosen beacons that were received.
  public var beacons: Int
  /// The time since the pose began.
  public var elapsed: Duration
  /// The duration of the pose.
  public var duration: Duration

  /// Creates the progress of a pose.
  public init(levels: PoseLevels?, beacons: Int, elapsed: Duration, duration: Duration) {
    (self.levels, self.beacons) = (levels, beacons)
    (self.elapsed, self.duration) = (elapsed, duration)
  }
}

/// The result of a complete pose for one beacon.
public struct CompletedPose: Sendable {
  /// The name of the beacon, for a sentence.
  public var label: String
  /// The mean level of the pose.
  public var mean: PoseMean

  /// Creates the result of a pose.
  public init(label: String, mean: PoseMean) { (self.label, self.mean) = (label, mean) }
}
