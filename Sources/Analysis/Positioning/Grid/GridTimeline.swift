import Geometry
import RealModule

/// The timeline of a grid tracker: the steps of one target in order of time.
struct Track {
  /// A time at which something was received or a position is requested.
  struct Step {
    var time: Int64
    /// The range of its levels in ``Track/levels``, and of its silences in ``Track/silences``.
    var levels: Range<Int>
    var silences: Range<Int>
    /// The levels of a stop, whose numbers of packets are evidence once; empty on the move.
    var stop: [(anchor: Int, packets: Double)] = []
  }

  /// A level with the index of its table.
  struct Level {
    var table: Int
    var logRange: Float
    var weight: Float
  }

  /// An anchor that was silent.
  struct Silence {
    var table: Int
    /// The probability that all packets were lost although the place is within reception.
    var lost: Float
    var weight: Float
  }

  /// The step at which the answer to a scan is found.
  struct Question {
    var refusal: Refusal?
    var asked: Int
    var instant: Int
  }

  private(set) var steps: [Step] = []
  private(set) var levels: [Level] = []
  private(set) var silences: [Silence] = []
  private(set) var questions: [Question] = []

  /// Returns the cost of a step in each cell, or `nil` if the step carries no information.
  func costs(ofStep step: Int, tables: inout GridLevels, halfLimit: Float) -> [Float]? {
    let (heard, unheard) = (steps[step].levels, steps[step].silences)
    guard !heard.isEmpty || !unheard.isEmpty || !steps[step].stop.isEmpty else { return nil }
    var costs = [Float](repeating: 0, count: tables.grid.count)
    for level in levels[heard] {
      tables.table(level.table).add(
        logRange: level.logRange, weight: level.weight, halfLimit: halfLimit, to: &costs)
    }
    for silence in silences[unheard] {
      tables.table(silence.table).addSilence(
        lost: silence.lost, weight: silence.weight, halfLimit: halfLimit, to: &costs)
    }
    if let receptions { tables.addReceptions(steps[step].stop, receptions, to: &costs) }
    return costs
  }

  private let anchors: [Anchor]
  private let independence: LevelIndependence
  private let stepDuration: Int64
  private let countsSilence: Bool
  /// The evidence of numbers of packets at stops.
  private let receptions: ReceptionEvidence?
  private var sources: ScanLevels
  /// The time of the last reception, by table.
  private var lastHeard: [Int: Int64] = [:]
  private var hasHeard = false
  private var previous: Int64?

  /// Creates a track without steps.
  ///
  /// - Parameters:
  ///   - stepDuration: The duration within which readings form one step, in seconds.
  ///   - silence: A Boolean value that is true if silent anchors are evidence.
  ///   - receptions: The evidence of numbers of packets at stops, which replaces their silences.
  init(
    anchors: [Anchor], independence: LevelIndependence, stepDuration: Double, silence: Bool,
    receptions: ReceptionEvidence? = nil
  ) {
    self.anchors = anchors
    self.independence = independence
    self.stepDuration = Int64(stepDuration * 1e9)
    countsSilence = silence
    self.receptions = receptions
    sources = ScanLevels(anchors: anchors)
  }

  /// Forgets the questions, the first steps and their levels; the next step continues from there.
  mutating func forget(_ count: Int) {
    questions.removeAll(keepingCapacity: true)
    guard count < steps.count else { return }
    let (levelsPassed, silencesPassed) = steps[...count].reduce((0, 0)) {
      (max($0.0, $1.levels.upperBound), max($0.1, $1.silences.upperBound))
    }
    levels.removeFirst(levelsPassed)
    silences.removeFirst(silencesPassed)
    func moved(_ range: Range<Int>, by count: Int) -> Range<Int> {
      range.isEmpty || range.upperBound <= count
        ? 0..<0 : range.lowerBound - count..<range.upperBound - count
    }
    steps = steps[count...].map {
      Step(
        time: $0.time, levels: moved($0.levels, by: levelsPassed),
        silences: moved($0.silences, by: silencesPassed), stop: $0.stop)
    }
  }

  /// Appends the steps of scans; later scans must not ask for times before the instants of these.
  mutating func append(_ scans: [Scan], tables: inout GridLevels) {
    let heard = scans.map { sources.levels(of: $0, tables: &tables) }
    let marks = Set(scans.flatMap { [$0.asked, $0.instant] }).sorted()
    var groups = LevelGroups(duration: stepDuration)
    for scan in heard { groups.add(scan.levels) }

    // Steps are the groups at their mean times and the marks. A group holds levels of one scan
    // only, so the groups do not depend on later questions.
    var ofMark: [Int64: Int] = [:]
    var group = 0
    for mark in marks {
      while group < groups.all.count, groups.all[group].time <= mark {
        let current = groups.all[group]
        let start = levels.count
        for level in current.levels {
          let since = lastHeard[level.table].map { Double(current.time - $0) * 1e-9 }
          lastHeard[level.table] = current.time
          let worth = independence.worth(
            after: since, packets: level.packets,
            commonShare: tables.table(level.table).commonShare ?? LevelIndependence.commonShare)
          levels.append(
            Level(table: level.table, logRange: Float(level.logRange), weight: Float(worth)))
        }
        steps.append(Step(time: current.time, levels: start..<levels.count, silences: 0..<0))
        group += 1
      }
      // Several scans of one instant share its step.
      if mark == previous {
        ofMark[mark] = steps.count - 1
        continue
      }
      ofMark[mark] = steps.count
      steps.append(Step(time: mark, levels: 0..<0, silences: 0..<0))
    }

    for (number, scan) in scans.enumerated() {
      hasHeard = hasHeard || !heard[number].levels.isEmpty
      let asked = ofMark[scan.asked] ?? 0
      let instant = ofMark[scan.instant] ?? 0
      let refusal: Refusal? =
        heard[number].isValid ? (hasHeard ? nil : .tooFewAnchors) : .invalidRange
      questions.append(Question(refusal: refusal, asked: asked, instant: instant))
      let since = previous ?? scan.start
      previous = scan.instant
      guard countsSilence, !heard[number].levels.isEmpty else { continue }
      if receptions != nil, scan.isStop {
        steps[instant].stop = scan.observations.map { ($0.number, Double($0.packets)) }
        continue
      }
      addSilences(
        but: Set(heard[number].levels.map(\.table)), seconds: Double(scan.instant - since) * 1e-9,
        step: scan.asked > since ? asked : instant)
    }
  }

  private mutating func addSilences(but heard: Set<Int>, seconds: Double, step: Int) {
    let start = silences.count
    let event = independence.silence(for: seconds)
    guard event.worth > 0 else { return }
    for (number, anchor) in anchors.enumerated() where !heard.contains(number) {
      guard let reception = anchor.audibleReception else { continue }
      silences.append(
        Silence(
          table: number, lost: Float(Double.exp(-reception.rate * event.seconds)),
          weight: Float(event.worth)))
    }
    // A step has the silences of one scan, because scans and their steps are consecutive.
    if steps[step].silences.isEmpty { steps[step].silences = start..<silences.count }
  }
}

/// Levels within a step's duration, combined: the mean level of each anchor, at the mean of their
/// times.
struct LevelGroups {
  struct Group {
    /// Nanoseconds since the Unix epoch.
    var time: Int64
    var levels: [ScanLevels.Level]
  }

  /// The longest duration of a group, in nanoseconds.
  let duration: Int64
  private(set) var all: [Group] = []

  init(duration: Int64) { self.duration = duration }

  /// Adds the levels of one scan, in order of time; groups do not extend beyond a scan.
  mutating func add(_ levels: [ScanLevels.Level]) {
    var start = 0
    while start < levels.count {
      var end = start + 1
      while end < levels.count, levels[end].time - levels[start].time <= duration { end += 1 }
      all.append(Self.group(levels[start..<end]))
      start = end
    }
  }

  private static func group(_ levels: ArraySlice<ScanLevels.Level>) -> Group {
    let first = levels[levels.startIndex].time
    let later = levels.reduce(0) { $0 + ($1.time - first) } / Int64(levels.count)
    var means: [ScanLevels.Level] = []
    for level in levels {
      let packets = max(level.packets, 1)
      guard let known = means.firstIndex(where: { $0.table == level.table }) else {
        means.append(level)
        means[means.count - 1].packets = packets
        continue
      }
      let share = Double(packets) / Double(means[known].packets + packets)
      means[known].logRange += share * (level.logRange - means[known].logRange)
      means[known].packets += packets
    }
    return Group(time: first + later, levels: means)
  }
}
