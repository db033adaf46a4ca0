/// The clock of the machine beside one that is never set, so that steps of the first can be undone.
package struct ClockReading: Equatable, Sendable {
  /// The clock that gives the sightings' times, nanoseconds since the Unix epoch.
  package var time: Int64
  /// A clock that only runs on, nanoseconds since an arbitrary instant.
  package var monotonic: Int64
  /// Whether a time service kept the first one right.
  package var isSynchronised: Bool

  package init(time: Int64, monotonic: Int64, isSynchronised: Bool) {
    self.time = time
    self.monotonic = monotonic
    self.isSynchronised = isSynchronised
  }
}
