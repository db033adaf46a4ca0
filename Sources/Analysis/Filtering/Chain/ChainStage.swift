/// One filter of a chain, for all links: it accepts blocks of levels and returns the final ones.
///
/// Levels of a link stay in order of time. The division into blocks affects only the speed, not the
/// levels.
package protocol ChainStage: Sendable {
  /// The time for which a level is delayed while its link is active, in nanoseconds; `nil` for the
  /// end of the link.
  var delay: Int64? { get }

  /// Adds the next link. Links have numbers from 0.
  mutating func open(_ link: LinkPlace, noise: Noise)

  /// Replaces the levels of a block by filtered ones, inserts earlier ones that were delayed, and
  /// removes those that are now delayed.
  mutating func process(_ rows: inout LevelRows)

  /// Appends the delayed levels of one trace or of all.
  mutating func finish(_ rows: inout LevelRows, trace: Int?)

  /// Continues with other noise for a link, unless its noise is given; a smoother does so when the
  /// link restarts.
  mutating func adopt(_ noise: Noise, forLink link: Int)

  /// Keeps only the given links, which are renumbered by their positions in the list.
  mutating func keep(_ links: [Int])

  /// A Boolean value that is true if its filters detect changes of a level at rest.
  var noticesChanges: Bool { get }

  /// Returns the latest change of a link at rest, or `nil` if no filter has detected one.
  func change(ofLink link: Int) -> LevelChange?

  /// Returns the noise and the likelihood of a link's filter, or `nil` for a filter without a
  /// model.
  func likelihood(ofLink link: Int) -> LinkLikelihood?
}

extension Array {
  /// Keeps the elements at these indices, in their order.
  mutating func keep(_ places: [Int]) { self = places.map { self[$0] } }
}

extension ChainStage {
  var noticesChanges: Bool { false }
  func change(ofLink link: Int) -> LevelChange? { nil }
}

/// The assumptions on times at a stage of a chain, in nanoseconds.
struct ChainTiming: Sendable {
  /// The smallest backward step that means that the clock was set.
  let jump: Int64
  /// The largest time difference between links, because earlier stages delay levels.
  let slack: Int64
}

/// The recording and the nodes of a link.
package struct LinkPlace: Equatable, Sendable {
  package var trace: Int
  package var receiver: Int

  package init(trace: Int, receiver: Int) {
    self.trace = trace
    self.receiver = receiver
  }
}

/// The counts of irregular sightings and of restarts in a chain of filters.
public struct FilterCounts: Equatable, Sendable {
  /// Sightings without a level, which filters do not process.
  public var missing = 0
  /// Sightings that arrived after a later one of their link.
  public var outOfOrder = 0
  /// Sightings that arrived too late to be reordered; they count as simultaneous with the latest
  /// one.
  public var late = 0
  /// Restarts of links after gaps or backward steps of a clock.
  public var restarts = 0
  /// The restarts that were caused by a clock set back.
  package var clockSteps = 0

  /// Creates counts.
  public init(missing: Int = 0, outOfOrder: Int = 0, late: Int = 0, restarts: Int = 0) {
    self.missing = missing
    self.outOfOrder = outOfOrder
    self.late = late
    self.restarts = restarts
  }

  mutating func add(_ other: FilterCounts) {
    missing += other.missing
    outOfOrder += other.outOfOrder
    late += other.late
    restarts += other.restarts
    clockSteps += other.clockSteps
  }
}
