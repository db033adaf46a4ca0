package import Evaluation
import Positioning

/// What was heard of one moving node, gathered epoch by epoch.
///
/// Memory grows with the sightings of one window.
package struct NodeEpochs {
  /// The first truth and the last instant to ask, where the truth sets the instants.
  package typealias Span = (origin: Int64, last: Int64)

  private struct Heard {
    var time: Int64
    var anchor: Int
    /// What counts in windows: the level of a filter, or the raw one. NaN where there is none.
    var level: Double
    /// NaN where there is none.
    var raw: Double
  }

  private let rule: EpochRule
  private let span: Span?
  private let levelRule: EpochAccumulator.LevelRule
  private var heard: [Heard] = []
  /// The time of the latest sighting of a closed epoch.
  private var lastHeard: Int64?
  private var hasAsked = false
  /// The instant that is asked next; nil before anything was heard.
  package private(set) var next: Int64?

  package init(_ rule: EpochRule, levels: EpochAccumulator.LevelRule = .mean, span: Span? = nil) {
    self.rule = rule
    self.span = span
    levelRule = levels
    next = span.map { $0.origin + rule.step }
  }

  /// A Boolean value that is true if all instants of the truth were asked.
  package var isDone: Bool { span.map { (next ?? .max) > $0.last } ?? false }

  package mutating func hear(time: Int64, anchor: Int, level: Double, raw: Double) {
    if let span {
      guard time > (hasAsked ? earliest : span.origin - 1), time <= span.last else { return }
    } else if !hasAsked {
      next = min(next ?? .max, rule.instant(notBefore: time))
    }
    heard.append(Heard(time: time, anchor: anchor, level: level, raw: raw))
  }

  /// The time from which on sightings still count.
  private var earliest: Int64 { (next ?? 0) - max(rule.window, rule.step) }

  /// A Boolean value that is true if the next instant is not asked, as the node has been silent for
  /// too long.
  package var isLost: Bool {
    guard span == nil, let next, let lastHeard else { return false }
    return next - lastHeard > rule.silence
      && !heard.contains { $0.time > next - rule.step && $0.time <= next }
  }

  /// The next epoch with what was heard of it.
  package mutating func close() -> HeardEpoch {
    let instant = next ?? 0
    let start = windowStart(instant)
    var window: [Int: LevelTally] = [:]
    let bins = ReadingBins(from: instant - rule.step, to: instant, step: rule.step)
    var readings = [[Int: LevelTally]](repeating: [:], count: bins.count)
    for one in heard where one.time <= instant {
      lastHeard = max(lastHeard ?? .min, one.time)
      if one.time > start, one.level.isFinite {
        window[one.anchor, default: LevelTally()].add(
          time: one.time, rssi: one.level, rule: levelRule)
      }
      if one.raw.isFinite, let bin = bins.number(of: one.time) {
        readings[bin][one.anchor, default: LevelTally()].add(
          time: one.time, rssi: one.raw, rule: .mean)
      }
    }
    hasAsked = true
    next = instant + rule.step
    let earliest = earliest
    heard.removeAll { $0.time <= earliest }
    return HeardEpoch(
      instant: instant, start: start,
      levels: Self.readings(window).sorted { $0.anchor < $1.anchor },
      readings: readings.flatMap { bin in
        Self.readings(bin).sorted { ($0.time, $0.anchor) < ($1.time, $1.anchor) }
      })
  }

  private func windowStart(_ instant: Int64) -> Int64 {
    if let span, instant - span.origin < rule.window {
      // A window that the first truth cuts short includes the truth's own time.
      return span.origin - 1
    }
    return instant - rule.window
  }

  private static func readings(_ tallies: [Int: LevelTally]) -> [Reading] {
    tallies.map { anchor, tally in
      Reading(time: tally.latest, anchor: anchor, rssi: tally.rssi, packets: tally.sightings)
    }
  }

  /// What was heard after the next instant, as a separate track; nil where that is nothing.
  package func successor() -> NodeEpochs? {
    guard let next else { return nil }
    var later = NodeEpochs(rule, levels: levelRule)
    for one in heard where one.time > next {
      later.hear(time: one.time, anchor: one.anchor, level: one.level, raw: one.raw)
    }
    return later.next == nil ? nil : later
  }
}
