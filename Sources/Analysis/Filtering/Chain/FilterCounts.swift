/// What a chain met.
public struct FilterCounts: Equatable, Sendable {
  /// Sightings without a level, which no filter sees.
  public var missing = 0
  /// Sightings that came after a younger one of their link.
  public var outOfOrder = 0
  /// Those of them that came too late to be put into order: they count as simultaneous with the
  /// newest one.
  public var late = 0
  /// Gaps, and clocks set back, that started a link again.
  public var restarts = 0
  /// Those of them where a clock was set back.
  package var clockSteps = 0

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
