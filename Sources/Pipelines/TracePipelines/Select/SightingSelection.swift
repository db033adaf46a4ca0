package import Advertising

/// Which sightings to take: those that are in the span of time and have one of the names of each
/// list; an empty list means every name.
package struct SightingSelection: Sendable {
  /// The first instant that is taken; nil = from the start.
  package var from: TimeBound?
  /// The first instant that is not taken any more; nil = to the end.
  package var to: TimeBound?
  package var traces: [String] = []
  package var beacons: [BeaconChoice] = []
  package var receivers: [String] = []
  /// What the identities of beacons are. Telemetry counts as the beacon that it is about.
  package var kinds: Set<BeaconKind> = []

  package init() {}

  package var isEverything: Bool {
    from == nil && to == nil && traces.isEmpty && beacons.isEmpty && receivers.isEmpty
      && kinds.isEmpty
  }

  /// Whether the addresses of senders count: an address means all that was sent from it.
  var needsSenders: Bool { beacons.contains { $0.address != nil } }

  /// The times that are taken of a trace that begins at a time.
  func span(from start: Int64) -> Range<Int64> {
    let lower = from?.time(from: start) ?? .min
    return lower..<max(lower, to?.time(from: start) ?? .max)
  }
}
