/// The recording of one session member: a whole part, or some of the rows of a merged trace.
package struct SessionPart: Equatable, Sendable {
  /// Shows parts apart, and copies of one part as the same: 32 hexadecimal digits.
  package var id: String
  /// The same in all parts of one member: 32 hexadecimal digits.
  package var key: String
  package var member: String
  /// 1, 2, … in the order in which the member recorded them.
  package var number: UInt16
  /// The start, nanoseconds since the Unix epoch of the session's time.
  package var start: Int64
  /// True if its sightings' times are of the machine's clock; those of a recording played again are
  /// not.
  package var isMachineClock: Bool

  package init(
    id: String, key: String, member: String, number: UInt16, start: Int64, isMachineClock: Bool
  ) {
    self.id = id
    self.key = key
    self.member = member
    self.number = number
    self.start = start
    self.isMachineClock = isMachineClock
  }
}

/// The offset of a part's clock from the session's time at an instant.
package struct SessionOffset: Equatable, Sendable {
  package var part: UInt16
  /// Nanoseconds since the Unix epoch of the session's time.
  package var time: Int64
  /// Nanoseconds to add to the clock.
  package var offset: Int64
  /// The true offset is within so many nanoseconds.
  package var uncertainty: Int64

  package init(part: UInt16, time: Int64, offset: Int64, uncertainty: Int64) {
    self.part = part
    self.time = time
    self.offset = offset
    self.uncertainty = uncertainty
  }
}

/// A reading of the clock of one of several machines, its time being the session's.
package struct PartClockReading: Equatable, Sendable {
  package var part: UInt16
  package var reading: ClockReading

  package init(part: UInt16, reading: ClockReading) {
    self.part = part
    self.reading = reading
  }
}

/// The clock of the machine beside one that is never set, so that steps of the first can be undone.
package struct ClockReading: Equatable, Sendable {
  /// The clock that gives the sightings' times, nanoseconds since the Unix epoch.
  package var time: Int64
  /// A clock that only runs on, nanoseconds since an arbitrary instant.
  package var monotonic: Int64
  /// True if a time service kept the first one right.
  package var isSynchronised: Bool

  package init(time: Int64, monotonic: Int64, isSynchronised: Bool) {
    self.time = time
    self.monotonic = monotonic
    self.isSynchronised = isSynchronised
  }
}
