import Evaluation
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
  /// What a radio map was learned from instead; nil without one.
  private(set) var mapped: SurveyedSite?
  /// The filters whose levels are used; `raw` for none.
  private(set) var levels: Set<String> = []
  /// The instants whose truth counts.
  private(set) var truthAt: Set<String> = []
  /// What a person should know of the recordings.
  private(set) var notes: [String] = []
  /// The largest share of scored readings that a survey or another scored trace has.
  private(set) var sharedShare = 0.0

  var anchors: SiteAnchors { reading.anchors }

  /// - Parameter channels: what takes the offsets of channels off raw levels; nil = nothing.
  init(
    _ request: EvaluationRequest, _ map: RadioMapFile?, plan: SitePlan,
    channels: ChannelCorrection?, log: any ActivityLog
  ) throws {
    self.request = request
    try requireDistinctInputs(request.inputs)
    try requireDistinctInputs(request.survey)
    allowOpenFiles(request.inputs.count)
    readers = try request.inputs.map { try TraceReader(path: $0) }
    try requireTraces(request.trace, in: readers)
    if case .traces(let names) = request.share { try requireTraces(names, in: readers) }
    reading = TargetReading(request.epoch, site: plan, stage: "eval", log: log)
    reading.channels = channels
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
    if let map { try use(map) }
    notes += reading.channels?.notes(filters: levels.subtracting(["raw"])) ?? []
  }

  /// The share of scored readings that a calibration was fitted on; nil where it does not show
  /// what it was fitted on.
  ///
  /// Where it has no sample of its readings, as one of filtered levels, a file of the same bytes
  /// and a series of the trace's name count.
  ///
  /// - Throws: `RSSIError` where the share is too large, and the request does not accept it.
  mutating func share(fittedBy calibration: Calibration) throws(RSSIError) -> Double? {
    let name = request.constantsFile ?? "the calibration"
    let others = "a calibration of other recordings, `crossValidate` traces"
    if let sample = calibration.sample, !sample.readings.isEmpty {
      return try accept(share(in: [sample]), of: name, instead: others)
    }
    let fitted = Set(calibration.inputs.map(\.sha256))
    let sources = readers.filter { $0.sources.contains { fitted.contains($0.sha256) } }.map(\.path)
    let target = targets.first { target in
      sources.contains(target.path)
        && (calibration.stations.isEmpty
          || calibration.stations.contains { $0.series == target.trace })
    }
    if let target { return try accept((1, target), of: name, instead: others) }
    notes.append(
      "\(name) holds no sample of the readings that it was fitted on: whether it was fitted on what "
        + "is scored is not known")
    return nil
  }

  /// The same recordings, heard without the offsets of channels of a fit.
  func removing(
    _ channels: ChannelCorrection
  ) throws -> (targets: [AskedTarget], survey: [SurveyTrack], notes: [String]) {
    var reading = reading
    reading.channels = channels
    func heard(in reader: TraceReader) throws -> [AskedTarget] {
      try reading.read(reader, filter: chosenFilter(request.filtered, of: reader))
    }
    reading.traces = Set(request.trace)
    var found: [[String]: AskedTarget] = [:]
    let paths = Set(targets.map(\.path))
    for reader in readers where paths.contains(reader.path) {
      for target in try heard(in: reader) { found[target.key] = target }
    }
    reading.traces = []
    let survey = try request.survey.flatMap { path in
      try heard(in: TraceReader(path: path)).map { SurveyTrack($0) }
    }
    let filters = levels.subtracting(["raw"])
    return (
      targets.map { found[$0.key] ?? $0 }, survey, reading.channels?.notes(filters: filters) ?? []
    )
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

  /// Refuses a recording that is there twice, and names those that have readings in common.
  private mutating func requireDifferent() throws(RSSIError) {
    let known = LeakDetector(targets.map(\.readings))
    for (index, one) in targets.enumerated() {
      let shares = known.found(in: one.readings, before: index).map(\.larger)
      guard let most = shares.indices.max(by: { shares[$0] < shares[$1] }),
        shares[most] >= LeakDetector.notable
      else { continue }
      let other = targets[most]
      let both =
        "the traces \(one.name) of \(one.path) and \(other.name) of \(other.path) have "
        + "\(percent(shares[most])) of their readings in common"
      guard shares[most] < LeakDetector.refused else {
        throw RSSIError(.badInput, "\(both): they would count twice")
      }
      sharedShare = max(sharedShare, shares[most])
      notes.append("\(both): results are not independent")
    }
  }

  /// The largest share of the readings of a target that other recordings hold, or of a recording
  /// that targets hold, and a target that it is about.
  private func share(in others: [ReadingSample]) -> (share: Double, target: AskedTarget) {
    let known = LeakDetector(others)
    let found = targets.map { known.found(in: $0.readings) }
    let ofTargets = found.map { min(1, $0.reduce(0) { $0 + $1.share }) }
    let ofOthers = others.indices.map { other in
      min(1, found.reduce(0) { $0 + $1[other].shareOfOther })
    }
    let most = ofTargets.indices.max { ofTargets[$0] < ofTargets[$1] } ?? 0
    return (max(ofTargets[most], ofOthers.max() ?? 0), targets[most])
  }

  /// - Throws: `RSSIError` where what was learned has too much of what is scored, and the request
  ///   does not accept it.
  private mutating func accept(
    _ shared: (share: Double, target: AskedTarget), of name: String, instead others: String
  ) throws(RSSIError) -> Double {
    guard shared.share >= LeakDetector.notable else { return 0 }
    let both =
      "\(name) and the trace \(shared.target.name) of \(shared.target.path), which is scored, have "
      + "\(percent(shared.share)) of their readings in common"
    guard shared.share < LeakDetector.refused || request.inSample else {
      throw RSSIError(
        .badInput,
        "\(both): give \(others), or `inSample` to score them all the same")
    }
    notes.append("\(both): errors flatter")
    return shared.share
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
        request.epoch.areStops
          ? "there is no stop to score: a stop is rows of the truth at one place, the first and the "
            + "last at least 5 s apart; on a walk, give a time as `epoch`"
          : "there is no epoch to score: the truth of each trace is shorter than one epoch; give a "
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
    sharedShare = max(
      sharedShare,
      try accept(
        share(in: learned.map(\.readings)), of: "the survey \(path)",
        instead: "a survey of other recordings, `crossValidate` traces"))
    survey += learned.map { SurveyTrack($0) }
  }

  private mutating func use(_ map: RadioMapFile) throws(RSSIError) {
    sharedShare = max(
      sharedShare,
      try accept(
        share(in: map.readings), of: "the radio map \(map.path)",
        instead: "a radio map that was learned from other recordings"))
    mapped = try map.survey(among: &reading.anchors)
  }
}

/// Refuses names of traces that none of some files has.
func requireTraces(_ names: [String], in readers: [TraceReader]) throws(RSSIError) {
  let known = Set(readers.flatMap(\.catalogue.traces))
  guard let unknown = names.first(where: { !known.contains($0) }) else { return }
  throw RSSIError(
    .badInput, "there is no trace \"\(unknown)\"; there are " + listed(known.sorted(), 20))
}

extension AskedTarget {
  /// What no other target has.
  fileprivate var key: [String] { [path, trace, "\(role)", node] }
}
