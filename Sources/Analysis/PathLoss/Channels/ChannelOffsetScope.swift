/// Whose antennas receive or send channels differently.
package enum ChannelOffsetScope: String, CaseIterable, Sendable {
  /// Offsets of each receiver.
  case receiver
  /// Offsets of each beacon.
  case beacon
  /// Offsets of each receiver, and what each beacon adds to them.
  case both
  /// No offsets.
  case none
}
