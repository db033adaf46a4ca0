/// What a decoder made of the events, or the link-layer packets, it was given.
public struct DecodingCounts: Equatable, Sendable {
  /// Events that carry advertising reports, damaged ones included.
  public var advertisingEvents = 0
  /// Among them those that announce more than one report.
  public var eventsWithSeveralReports = 0
  /// Events about something else, which a decoder of advertising ignores.
  public var otherEvents = 0
  /// Reports delivered; one for all the fragments of an extended advertisement.
  public var reports = 0
  /// Fragments that were joined to an earlier one instead of being delivered by themselves.
  public var joinedFragments = 0
  /// Packets that only say where an extended advertisement follows (ADV_EXT_IND).
  public var pointers = 0
  /// What was refused, by reason.
  public var rejections = RejectionCounts()

  public init() {}

  /// Adds the counts of another decoder.
  public mutating func merge(_ other: DecodingCounts) {
    advertisingEvents += other.advertisingEvents
    eventsWithSeveralReports += other.eventsWithSeveralReports
    otherEvents += other.otherEvents
    reports += other.reports
    joinedFragments += other.joinedFragments
    pointers += other.pointers
    rejections.merge(other.rejections)
  }
}
