internal import Advertising
import Sightings
import Support

/// The clock of a recording's times, with the steps by which it was set meanwhile.
///
/// A recording has no other clock, so steps are recognised by their consequences:
///
/// | times | taken for |
/// |---|---|
/// | go back by more than 1 s | a step |
/// | go on from before July 2010, when Bluetooth LE was published | a step: the clock had not been set |
/// | go forward by more than 1 h, while packets go on at their rate | a step, see `isSteady` |
/// | go forward otherwise | a pause |
///
/// More than 64 steps are not steps, but packets out of order. O(1) per packet.
struct RecordedClock {
  /// A stretch of the recording in which the clock was not set.
  private struct Stretch {
    var start: Int64
    var newest: Int64
    var packets = 1
    var adapter: UInt16
    /// A Boolean value that is true if it starts with a packet of the host, which started something
    /// after a pause.
    var isBegunByHost: Bool
    /// The link of its first row, followed by a flag for other links: a table sorted by beacon has
    /// a separate stretch for each.
    var link: UInt32
    var isMixed = false

    init(start: Int64, adapter: UInt16, isBegunByHost: Bool, link: UInt32) {
      (self.start, newest) = (start, start)
      (self.adapter, self.isBegunByHost, self.link) = (adapter, isBegunByHost, link)
    }
  }

  private var done: [Stretch] = []
  private var current: Stretch?
  /// The time of the latest packet, stored separately for speed.
  private var newest = Int64.min
  private var packets = 0
  private var isMixed = false
  private var link = UInt32.max
  /// The places at which another recording starts, possibly with another clock.
  private var beginnings: Set<Int> = []
  /// A Boolean value that is true if pauses are expected, and rows may be sorted by beacon.
  private let isTable: Bool

  private static let mostSteps = 64
  private static let tolerance = Timestamp.second
  private static let pause = 3600 * Timestamp.second
  /// 1 July 2010.
  private static let publicationOfLE = 1_277_942_400 * Timestamp.second
  private static let fewestSteadyPackets = 30
  private static let steadyRatio: Int64 = 1000

  init(isTable: Bool = false) { self.isTable = isTable }

  /// Records the time of the next packet.
  ///
  /// - Parameters:
  ///   - adapter: The adapter of the packet.
  ///   - isOfHost: A Boolean value that is true if it is not an event from the adapter.
  ///   - link: The link of a table row.
  @inline(__always)
  mutating func note(
    _ time: Int64, adapter: UInt16 = 0, isOfHost: @autoclosure () -> Bool = false, link: UInt32 = 0
  ) {
    let ahead = time &- newest
    guard ahead >= -Self.tolerance, ahead <= Self.pause, packets > 0 else {
      return begin(time, adapter, isOfHost(), link)
    }
    if ahead > 0 { newest = time }
    packets &+= 1
    if link != self.link { isMixed = true }
  }

  /// Starts another recording of the same file.
  mutating func beginRecording() {
    end()
    beginnings.insert(done.count)
  }

  private mutating func begin(_ time: Int64, _ adapter: UInt16, _ isOfHost: Bool, _ link: UInt32) {
    end()
    guard done.count <= Self.mostSteps else {
      packets = 0
      return
    }
    current = Stretch(start: time, adapter: adapter, isBegunByHost: isOfHost, link: link)
    (newest, packets, isMixed, self.link) = (time, 1, false, link)
  }

  private mutating func end() {
    guard var stretch = current.take() else { return }
    (stretch.newest, stretch.packets, stretch.isMixed) = (newest, packets, isMixed)
    done.append(stretch)
    packets = 0
  }

  /// Returns the steps, after all packets; none if the packets are out of order.
  mutating func takeSteps() -> [ClockStep] {
    end()
    defer { done = [] }
    guard done.count <= Self.mostSteps else { return [] }
    return zip(done, done.dropFirst()).enumerated().compactMap { index, pair in
      let (before, after) = pair
      guard !beginnings.contains(index + 1), isStep(before, after) else { return nil }
      return ClockStep(before: before.newest, after: after.start, adapter: after.adapter)
    }
  }

  private func isStep(_ before: Stretch, _ after: Stretch) -> Bool {
    let (jump, overflow) = after.start.subtractingReportingOverflow(before.newest)
    guard jump >= 0 || overflow else {
      return !isTable || before.isMixed || after.isMixed || before.link == after.link
    }
    if before.newest < Self.publicationOfLE, after.start >= Self.publicationOfLE { return true }
    guard !isTable, !overflow, !after.isBegunByHost else { return false }
    return isSteady(before, over: jump) && isSteady(after, over: jump)
  }

  /// Returns a Boolean value that is true if packets are so regular that the jump is as long as a
  /// thousand of their intervals.
  private func isSteady(_ stretch: Stretch, over jump: Int64) -> Bool {
    let duration = stretch.newest - stretch.start
    return stretch.packets >= Self.fewestSteadyPackets
      && duration / Int64(stretch.packets) <= jump / Self.steadyRatio
  }
}

/// A step of the clock of a recording's times.
struct ClockStep: Equatable, Sendable {
  /// The latest time before it and the first time after it, in nanoseconds since the Unix epoch.
  var before: Int64
  var after: Int64
  var adapter: UInt16

  /// The step as a period of possible loss, by the clock after it.
  var loss: Loss { Loss(adapter: adapter, reason: .clockStep, start: after, end: after) }

  /// A sentence for users.
  var sentence: String {
    let (difference, overflow) = after.subtractingReportingOverflow(before)
    let length = overflow ? Int64.max : abs(difference)
    return
      "its times \(after < before ? "go back" : "jump forward") by \(roughDuration(length)) at "
      + "\(Timestamp.iso8601(after)): the clock was set meanwhile (a gap clock-step)"
  }
}

/// The clocks of the receivers of a table, each from the order of the receiver's rows.
struct TableClocks {
  private var clocks: [RecordedClock] = []
  /// The trace of the rows; in another one every receiver may have another clock.
  private var trace: UInt16?
  private var found: [(receiver: UInt16, step: ClockStep)] = []

  mutating func note(_ sightings: [Sighting]) {
    for sighting in sightings {
      if sighting.trace != trace {
        end()
        trace = sighting.trace
      }
      let receiver = Int(sighting.receiver)
      while clocks.count <= receiver { clocks.append(RecordedClock(isTable: true)) }
      clocks[receiver].note(sighting.time, link: sighting.beacon)
    }
  }

  private mutating func end() {
    for receiver in clocks.indices {
      found += clocks[receiver].takeSteps().map { (UInt16(receiver), $0) }
    }
    clocks.removeAll(keepingCapacity: true)
  }

  /// Adds the steps as gaps, and returns notes for users.
  mutating func finish<Sink: SightingSink & ~Copyable>(into builder: inout TraceBuilder<Sink>)
    -> [String]
  {
    end()
    for (receiver, step) in found {
      builder.append(
        Gap(
          start: step.after, end: step.after, receiver: receiver, reason: .clockStep, dropped: 0))
    }
    return ClockStep.sentences(found.map(\.step))
  }
}

extension ClockStep {
  /// Returns sentences on the first steps, and the number of the others.
  static func sentences(_ steps: [ClockStep]) -> [String] {
    steps.prefix(3).map(\.sentence)
      + (steps.count > 3 ? ["its clock was set \(steps.count - 3) more times"] : [])
  }
}
