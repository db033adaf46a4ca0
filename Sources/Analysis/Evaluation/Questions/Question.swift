public import Geometry
import Positioning

/// A question that all algorithms were asked, and its right answer.
public struct Question: Equatable, Codable, Sendable {
  /// The instant of the last sighting that may be used, in nanoseconds since the Unix epoch.
  public var instant: Int64
  /// The time of the position that was asked, not later than the instant.
  public var asked: Int64
  /// The true place at the time asked, in metres.
  public var truth: Point
  /// The height above the site's zero of heights, in metres; nil if it is not known.
  public var truthHeight: Double?
  /// How the truth moved at the time asked: zero where it stood, nil where that is not known, as
  /// where visits of one place are put together.
  package var velocity: Velocity?
  /// The time of the newest sighting that could be used; nil where nothing was heard.
  public var newest: Int64?
  /// The number of the recording it is of; nil = the trace that it is in.
  package var recording: Int?
  /// The number of anchors that were heard in the window.
  public var anchors: Int
  /// The number of packets of these anchors in the window.
  public var packets: Int
  /// The Cramér–Rao bound of an unbiased answer from the levels of this epoch alone; nil where the
  /// geometry gives none.
  public var bound: Covariance?

  package init(
    instant: Int64, asked: Int64, truth: Point, truthHeight: Double? = nil,
    velocity: Velocity? = nil, recording: Int? = nil,
    newest: Int64? = nil, anchors: Int = 0, packets: Int = 0, bound: Covariance? = nil
  ) {
    self.instant = instant
    self.asked = asked
    self.truth = truth
    self.truthHeight = truthHeight
    self.velocity = velocity
    self.recording = recording
    self.newest = newest
    self.anchors = anchors
    self.packets = packets
    self.bound = bound
  }
}

/// The questions about one target in one trace, in order of time.
public struct EvaluatedTrace: Equatable, Sendable {
  /// The trace's name, with the node's where several nodes moved in it.
  public var name: String
  /// The questions, in order of time.
  public var questions: [Question]

  /// Creates the questions of a trace.
  public init(name: String, questions: [Question]) {
    self.name = name
    self.questions = questions
  }
}
