import Evaluation
import Inputs
import PathLoss
import Positioning
import Sightings
import Support
import TraceStore

/// What is scored, and what else a site is learned from, read from the files of an evaluation.
struct EvaluatedRecordings {
  private let request: EvaluationRequest
  private let readers: [TraceReader]
  private var reading: TargetReading
  /// What is scored.
  private(set) var targets: [AskedTarget] = []
  /// What is learned from, and not scored.
  private(set) var survey: [SurveyTrack] = []
  /// The filters whose levels are used; `raw` for none.
  private(set) var levels: Set<String> = []
  /// The instants whose truth counts.
  private(set) var truthAt: Set<String> = []
  /// What a person should know of the recordings.
  private(set) var notes: [String] = []
  /// Whether a survey holds what is scored.
  private(set) var surveyIsScored = false

  var anchors: SiteAnchors { reading.anchors }

  init(_ request: EvaluationRequest, plan: SitePlan, log: any ActivityLog) throws {
    self.request = request
    allowOpenFiles(request.inputs.count)
    readers = try request.inputs.map { try TraceReader(path: $0) }
    try requireTraces(request.trace, in: readers)
    reading = TargetReading(request.epoch, site: plan, stage: "eval", log: log)
    reading.traces = Set(request.trace)
    reading.truthAt = request.truthAt
    reading.clockOffset = -(request.clockOffset ?? 0)
    for reader in readers { try readTargets(reader) }
    notes += plan.site?.unheardAnchors(in: readers.map(\.catalogue)) ?? []
    try leaveOutSilent()
    try requireDifferent()
    // All of a survey is learned from, whichever traces are scored.
    reading.traces = []
    for path in request.survey { try readSurvey(path) }
    if reading.notNegative > 0 {
      notes.append(
        "left out \(reading.notNegative) sightings at 0 dBm and above, which no radio link has")
    }
  }

  /// The targets whose readings a calibration was fitted on, or may have been.
  func targets(fittedBy calibration: Calibration) -> [AskedTarget] {
    let fitted = FittedReadings(calibration)
    return targets.filter { target in
      readers.contains { $0.path == target.path && fitted.mayHold(target, of: $0) }
    }
  }

  private mutating func readTargets(_ reader: TraceReader) throws {
    guard request.trace.isEmpty || reader.catalogue.traces.contains(where: request.trace.contains)
    else { return }
    let filter = try chosenFilter(request.filtered, of: reader)
    levels.insert(filter ?? "raw")
    let isMiddle = request.truthAt.map { $0 == .windowMiddle } ?? (filter == nil)
    truthAt.insert(isMiddle ? "middle" : "end")
    if let filter, reader.usesLaterSightings(filter) {
      notes.append(
        "the levels of \(filter) depend on later sightings: no live system reaches these errors")
    }
    targets += try reading.read(reader, filter: filter)
  }

  /// Leaves out targets with truth that were not heard: a table of truth is often of more
  /// recordings than were imported.
  private mutating func leaveOutSilent() throws {
    let silent = targets.filter(\.isSilent)
    targets.removeAll(where: \.isSilent)
    let unheard = silent.filter { !$0.epochs.isEmpty }.map(\.name)
    if !unheard.isEmpty {
      notes.append(
        "left out, because there is truth but nothing was heard: \(unheard.joined(separator: ", "))"
      )
    }
    guard targets.isEmpty else { return }
    throw try nothingToScore(silent)
  }

  private func requireDifferent() throws(RSSIError) {
    for (index, one) in targets.enumerated() {
      guard let other = targets[..<index].first(where: { $0.isSame(as: one) }) else { continue }
      throw RSSIError(
        .badInput,
        "the trace \(one.name) of \(one.path) holds the same sightings as \(other.name) of "
          + "\(other.path): it would count twice")
    }
  }

  /// Why there is nothing to score, as far as the sightings show it.
  ///
  /// - Parameter silent: the targets of which no anchor was heard at any epoch.
  private func nothingToScore(_ silent: [AskedTarget]) throws -> RSSIError {
    guard let target = silent.first(where: { !$0.epochs.isEmpty }),
      let reader = readers.first(where: { $0.path == target.path })
    else {
      return RSSIError(
        .badInput,
        "there is no epoch to score: the truth of each trace is shorter than one epoch; give a "
          + "shorter `epoch`")
    }
    let census = try HeardCensus(reader)
    let apart = census.truthApart(reader.catalogue).first { $0.contains(target.trace) }
    if let apart {
      return RSSIError(
        .badInput, "\(reader.path): \(apart): import it again with truth in UTC")
    }
    return RSSIError(
      .badInput,
      "\(reader.path): no anchor was heard while there is truth; the anchors are "
        + listed(anchors.locating(target.role).map(\.id), 4) + "; heard were "
        + listed(census.names(target.anchorRole, in: reader.catalogue), 4)
        + ": check the names in `nodes` or `site`")
  }

  private mutating func readSurvey(_ path: String) throws {
    let reader = try TraceReader(path: path)
    let learned = try reading.read(reader, filter: chosenFilter(request.filtered, of: reader))
    if let shared = targets.first(where: { one in learned.contains { $0.isSame(as: one) } }) {
      guard request.inSample else {
        throw RSSIError(
          .badInput,
          "the survey \(path) holds the trace \(shared.trace), which is scored: give another "
            + "recording, `crossValidate` traces, or `inSample`")
      }
      surveyIsScored = true
    }
    survey += learned.map { SurveyTrack($0) }
  }
}

/// Refuses names of traces that none of some files has.
func requireTraces(_ names: [String], in readers: [TraceReader]) throws(RSSIError) {
  let known = Set(readers.flatMap(\.catalogue.traces))
  guard let unknown = names.first(where: { !known.contains($0) }) else { return }
  throw RSSIError(
    .badInput, "there is no trace \"\(unknown)\"; there are " + listed(known.sorted(), 20))
}
