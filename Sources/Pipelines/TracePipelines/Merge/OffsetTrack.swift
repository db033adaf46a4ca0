import Sightings

/// The offset of a clock from the session's time over a recording, interpolated between
/// measurements.
package struct OffsetTrack: Sendable {
  package struct Knot: Equatable, Sendable {
    /// The time of the clock, in nanoseconds.
    package var local: Int64
    /// The correction to add, in nanoseconds.
    package var offset: Int64

    package init(local: Int64, offset: Int64) { (self.local, self.offset) = (local, offset) }
  }

  /// Knots between which the clock was not set, in the order of the session's time.
  private let runs: [[Knot]]
  private var run = 0
  private var last = Int64.min

  /// The change above which the clock was set: drift is smaller.
  package static let step: Int64 = 50_000_000

  /// - Parameter knots: the measurements, in order.
  package init(_ knots: [Knot]) {
    var runs: [[Knot]] = []
    for knot in knots {
      if let before = runs.last?.last, knot.local > before.local,
        (knot.offset &- before.offset).magnitude <= Self.step.magnitude
      {
        runs[runs.count - 1].append(knot)
      } else {
        runs.append([knot])
      }
    }
    self.runs = runs
  }

  /// Returns the correction of a time of the clock; 0 without measurements.
  ///
  /// - Parameter local: times in the order of a recording, which shows whether the clock was set
  ///   back.
  package mutating func offset(at local: Int64) -> Int64 {
    guard !runs.isEmpty else { return 0 }
    let wasSetBack = last > .min + Self.step && local < last - Self.step / 2
    last = local
    let end = runs[run][runs[run].count - 1].local
    if wasSetBack, run + 1 < runs.count, runs[run + 1][0].local < end { run += 1 }
    // Set forward: the nearer measurements count.
    while run + 1 < runs.count, distance(local, runs[run + 1]) < distance(local, runs[run]) {
      run += 1
    }
    return offset(at: local, in: runs[run])
  }

  private func distance(_ local: Int64, _ knots: [Knot]) -> Int64 {
    max(0, knots[0].local &- local, local &- knots[knots.count - 1].local)
  }

  private func offset(at local: Int64, in knots: [Knot]) -> Int64 {
    if local <= knots[0].local { return knots[0].offset }
    var (low, high) = (0, knots.count)
    // The last knot that is not later.
    while high - low > 1 {
      let middle = (low + high) / 2
      if knots[middle].local <= local { low = middle } else { high = middle }
    }
    guard high < knots.count else { return knots[low].offset }
    let (a, b) = (knots[low], knots[high])
    let (passed, between) = (
      local.subtractingReportingOverflow(a.local), b.local.subtractingReportingOverflow(a.local)
    )
    // Centuries apart: the offset in between is not known.
    guard !passed.overflow, !between.overflow else { return a.offset }
    let part = Double(passed.partialValue) / Double(between.partialValue)
    return a.offset &+ Int64((part * Double(b.offset &- a.offset)).rounded())
  }
}

/// The clock of a recording, and its offset.
package struct PartClock {
  /// A Boolean value that is true if times of receivers are of the machine whose clock was
  /// compared.
  let isMachines: Bool
  let track: OffsetTrack

  /// A clock that is right.
  package init() { (isMachines, track) = (false, OffsetTrack([])) }

  /// - Parameter track: the correction of the machine's times.
  package init(of track: OffsetTrack) { (isMachines, self.track) = (true, track) }

  /// Returns whether a receiver's times are of the machine's clock: gateways use other clocks.
  func isOf(_ receiver: Node) -> Bool {
    let foreign: [Radio.TimeKind] = [.gatewaySeconds, .gatewayMilliseconds, .recorded]
    return isMachines && !foreign.contains(receiver.radio.timeKind)
  }
}
