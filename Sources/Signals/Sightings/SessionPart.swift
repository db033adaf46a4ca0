/// The recording of one session member: a whole part, or some of the rows of a merged trace.
package struct SessionPart: Equatable, Sendable {
  /// The identifier of the part, which copies share: 32 hexadecimal digits.
  package var id: String
  /// The identifier of the member, the same in all its parts: 32 hexadecimal digits.
  package var key: String
  package var member: String
  /// The number of the part, 1, 2, … in the member's order.
  package var number: UInt16
  /// The start, in nanoseconds since the Unix epoch of the session's time.
  package var start: Int64
  /// A Boolean value that is true if its sightings' times are of the machine's clock, unlike those
  /// of a replayed recording.
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
  /// The time in nanoseconds since the Unix epoch of the session's time.
  package var time: Int64
  /// The nanoseconds to add to the clock.
  package var offset: Int64
  /// The largest error of the offset, in nanoseconds.
  package var uncertainty: Int64

  package init(part: UInt16, time: Int64, offset: Int64, uncertainty: Int64) {
    self.part = part
    self.time = time
    self.offset = offset
    self.uncertainty = uncertainty
  }
}

/// A reading of one machine's clock at a time of the session.
package struct PartClockReading: Equatable, Sendable {
  package var part: UInt16
  package var reading: ClockReading

  package init(part: UInt16, reading: ClockReading) {
    self.part = part
    self.reading = reading
  }
}

/// A reading of the machine's clock and of one that is never set, from which steps of the first can
/// be undone.
package struct ClockReading: Equatable, Sendable {
  /// The clock of the sightings' times, in nanoseconds since the Unix epoch.
  package var time: Int64
  /// A monotonic clock, in nanoseconds since an arbitrary instant.
  package var monotonic: Int64
  /// A Boolean value that is true if a time service synchronised the first clock (NTP).
  package var isSynchronised: Bool

  package init(time: Int64, monotonic: Int64, isSynchronised: Bool) {
    self.time = time
    self.monotonic = monotonic
    self.isSynchronised = isSynchronised
  }
}
