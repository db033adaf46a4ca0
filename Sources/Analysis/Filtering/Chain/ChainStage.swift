/// One filter of a chain, for all links: takes blocks of levels and gives those that are ready.
///
/// Levels of a link come and go in order of time. Blocks are a matter of speed: how sightings fall
/// into blocks changes no level.
package protocol ChainStage: Sendable {
  /// How long it holds a level back while its link is heard, in nanoseconds; nil = to the end.
  var delay: Int64? { get }

  /// Makes room for the next link. Links have numbers from 0.
  mutating func open(_ link: LinkPlace, noise: Noise)

  /// Replaces the levels of a block by what the filter states of them, and of earlier ones that it
  /// held back, and takes out those that it now holds back.
  mutating func process(_ rows: inout LevelRows)

  /// Appends the levels still held back, of one trace or of all.
  mutating func finish(_ rows: inout LevelRows, trace: Int?)

  /// Goes on with other noise for a link, but for noise that is written; a smoother does so when
  /// the link starts again.
  mutating func adopt(_ noise: Noise, forLink link: Int)

  /// Forgets all links but these, which are numbered by their places in the list.
  mutating func keep(_ links: [Int])

  /// A Boolean value that is true if its filters find changes of a level at rest.
  var noticesChanges: Bool { get }

  /// The newest change of a link at rest; nil where no filter has noticed one.
  func change(ofLink link: Int) -> LevelChange?

  /// What the filter of a link used; nil for a filter without a model of the levels.
  func likelihood(ofLink link: Int) -> LinkLikelihood?
}

extension Array {
  /// Keeps the elements at these places, in their order.
  mutating func keep(_ places: [Int]) { self = places.map { self[$0] } }
}

extension ChainStage {
  var noticesChanges: Bool { false }
  func change(ofLink link: Int) -> LevelChange? { nil }
}

/// How far times may be trusted where a stage stands in its chain, in nanoseconds.
struct ChainTiming: Sendable {
  /// A clock goes back by more than this only if it was set.
  let jump: Int64
  /// Links may be out of step with each other by as much, since earlier stages hold levels back.
  let slack: Int64
}

/// Which recording and receiver a link belongs to.
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
  /// Sightings without a level, which no filter sees.
  public var missing = 0
  /// Sightings that came after a younger one of their link.
  public var outOfOrder = 0
  /// Sightings out of order that came too late to be put into order; they count as simultaneous
  /// with the newest one.
  public var late = 0
  /// Gaps, and clocks set back, that started a link again.
  public var restarts = 0
  /// Those of them where a clock was set back.
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
