public import Geometry
import Positioning

/// A question to all algorithms, with its true answer.
public struct Question: Equatable, Codable, Sendable {
  /// The instant of the last usable sighting, in nanoseconds since the Unix epoch.
  public var instant: Int64
  /// The time of the requested position, not later than the instant.
  public var asked: Int64
  /// The true place at that time, in metres.
  public var truth: Point
  /// The height above the site's zero of heights, in metres; `nil` if it is unknown.
  public var truthHeight: Double?
  /// The index of the floor in the building; `nil` if there is one plane.
  public var truthFloor: Int?
  /// The true velocity at that time: zero at rest, `nil` if it is unknown, as for combined visits
  /// of one place.
  package var velocity: Velocity?
  /// The time of the latest usable sighting; `nil` if there is none.
  public var newest: Int64?
  /// The number of its recording; `nil` for the trace itself.
  package var recording: Int?
  /// The number of anchors received in the window.
  public var anchors: Int
  /// The number of packets of these anchors in the window.
  public var packets: Int
  /// The number of raw levels received in the last 10 s; `nil` at stops.
  package var recentLevels: Int?
  /// The distance on the true floor to the nearest place of the survey that answers were learned
  /// from, in metres; `nil` without one.
  package var surveyDistance: Double?
  /// The Cramér–Rao bound of an unbiased answer from the levels of this epoch alone; `nil` if the
  /// geometry gives none.
  public var bound: Covariance?

  package init(
    instant: Int64, asked: Int64, truth: Point, truthHeight: Double? = nil,
    truthFloor: Int? = nil,
    velocity: Velocity? = nil, recording: Int? = nil,
    newest: Int64? = nil, anchors: Int = 0, packets: Int = 0, recentLevels: Int? = nil,
    surveyDistance: Double? = nil, bound: Covariance? = nil
  ) {
    self.instant = instant
    self.asked = asked
    self.truth = truth
    self.truthHeight = truthHeight
    self.truthFloor = truthFloor
    self.velocity = velocity
    self.recording = recording
    self.newest = newest
    self.anchors = anchors
    self.packets = packets
    self.recentLevels = recentLevels
    self.surveyDistance = surveyDistance
    self.bound = bound
  }
}

/// The questions about one target in one trace, in order of time.
public struct EvaluatedTrace: Equatable, Sendable {
  /// The name of the trace, with the node's if several nodes moved in it.
  public var name: String
  /// The questions, in order of time.
  public var questions: [Question]

  /// Creates the questions of a trace.
  public init(name: String, questions: [Question]) {
    self.name = name
    self.questions = questions
  }
}
