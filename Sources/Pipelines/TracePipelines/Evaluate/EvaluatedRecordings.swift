import Evaluation
import Geometry
import PathLoss
import Positioning
import Sightings
import Support
import TraceStore

/// The recordings of an evaluation at the levels of one filter: those that are scored, and those
/// from which a site is learned.
struct EvaluatedRecordings {
  private let asked: Shared<EvaluationRequest>
  private var request: EvaluationRequest { asked.value }
  private let readers: [TraceReader]
  /// The targets that are scored.
  private(set) var targets: [AskedTarget] = []
  /// Recordings that are learned from, and not scored.
  private(set) var survey: [SurveyTrack] = []
  /// The survey of a radio map, in place of recordings; nil without one.
  private(set) var mapped: SurveyedSite?
  /// The anchors of all files.
  private(set) var anchors = SiteAnchors()
  /// The filters whose levels are used; `raw` for none.
  private(set) var levels: Set<String> = []
  /// The instants whose truth counts.
  private(set) var truthAt: Set<String> = []
  /// The number of the site of each file: files with an anchor in common are of one site.
  private(set) var sites: [String: Int] = [:]
  private var siteOfAnchor: [[String]: Int] = [:]
  /// Notes for the user about the recordings.
  private(set) var notes: [String] = []
  /// The largest share of scored readings that a survey or another scored trace has.
  private(set) var sharedShare = 0.0
  /// A Boolean value that is true if a survey, or another scored trace, is of a walk that is scored.
  private(set) var repeatsWalks = false

  private init(_ request: EvaluationRequest, _ readers: [TraceReader]) {
    (asked, self.readers) = (Shared(request), readers)
  }

  /// Reads the recordings once.
  ///
  /// - Parameters:
  ///   - filters: the filters to use; nil = a file's only filter, if it has one.
  ///   - plan: the plan of the site, which takes the floors of the recordings.
  ///   - keepsChannels: a Boolean value that is true if offsets of channels may be removed.
  /// - Returns: the recordings by filter.
  /// - Throws: `RSSIError` for recordings that cannot be scored.
  static func read(
    _ request: EvaluationRequest, _ map: RadioMapFile?, plan: inout SitePlan, filters: [String?],
    keepsChannels: Bool, log: any ActivityLog
  ) throws -> [EvaluatedRecordings] {
    try requireDistinctInputs(request.inputs)
    try requireDistinctInputs(request.survey)
    allowOpenFiles(request.inputs.count)
    let readers = try request.inputs.map { try TraceReader(path: $0) }
    try requireTraces(request.trace, in: readers)
    if case .traces(let names) = request.share { try requireTraces(names, in: readers) }
    let surveyed = try request.survey.map { try TraceReader(path: $0) }
    let mapped = map.flatMap { $0.stored.isOfBuilding ? $0.catalogue : nil }
    try plan.learnFloors(of: (readers + surveyed).map(\.catalogue) + [mapped].compactMap(\.self))
    var reading = TargetReading(request.epoch, site: plan, stage: "eval", log: log)
    reading.keepsChannels = keepsChannels
    reading.truthAt = request.truthAt
    reading.clockOffset = -(request.clockOffset?.nanoseconds ?? 0)
    var recordings = filters.map { _ in EvaluatedRecordings(request, readers) }
    func heard(in reader: TraceReader) throws -> [(filter: String?, targets: [AskedTarget])] {
      let filters = try filters.map { try chosenFilter($0, of: reader) }
      return Array(zip(filters, try reading.read(reader, filters: filters)))
    }
    reading.traces = Set(request.trace)
    for reader in readers
    where request.trace.isEmpty || reader.catalogue.traces.contains(where: request.trace.contains) {
      for (index, heard) in try heard(in: reader).enumerated() {
        recordings[index].add(heard.targets, of: reader, filter: heard.filter)
      }
    }
    let isBuilding = plan.building != nil
    let visited = Set(
      (readers + surveyed).map(\.catalogue).flatMap { catalogue in
        catalogue.truth.compactMap { catalogue.floorName(catalogue.floor(of: $0)) }
      })
    let unvisited = (plan.building?.floors ?? []).map(\.name).filter {
      !$0.isEmpty && !visited.contains($0)
    }
    let unheard = plan.site?.unheardAnchors(in: readers.map(\.catalogue)) ?? []
    for index in recordings.indices {
      recordings[index].anchors = reading.anchors
      recordings[index].notes += unheard
      if !unvisited.isEmpty {
        recordings[index].notes.append(
          "the recordings have no truth on " + listed(unvisited, 8)
            + ": nothing is learned there, and no position is answered there")
      }
      // In a building silence is evidence.
      if !isBuilding { try recordings[index].leaveOutSilent() }
      try recordings[index].requireDifferent()
    }
    // The whole survey is learned from, whichever traces are scored.
    reading.traces = []
    for reader in surveyed {
      for (index, heard) in try heard(in: reader).enumerated() {
        try recordings[index].learn(heard.targets, of: reader.path)
      }
    }
    let survey = try map?.survey(among: &reading.anchors, at: plan)
    for index in recordings.indices {
      recordings[index].anchors = reading.anchors
      recordings[index].mapped = survey
      if let map { try recordings[index].requireOther(map) }
    }
    return recordings
  }

  /// Returns the targets and the survey without the offsets of channels, and notes about levels
  /// whose offset is not known.
  func removing(
    _ channels: ChannelCorrection
  ) -> (targets: [AskedTarget], survey: [SurveyTrack], notes: [String]) {
    var channels = channels
    let targets = targets.map { channels.removed(from: $0, among: anchors) }
    let survey = survey.map {
      SurveyTrack(channels.removed(from: $0.target, among: anchors), epochs: $0.epochs)
    }
    return (targets, survey, channels.notes(filters: levels.subtracting(["raw"])))
  }

  /// Removes the offsets of channels of a calibration.
  mutating func remove(_ channels: ChannelCorrection) {
    let (targets, survey, notes) = removing(channels)
    (self.targets, self.survey) = (targets, survey)
    self.notes += notes
  }

  /// Returns the share of scored readings that a calibration was fitted on; nil if its origin is
  /// not known.
  ///
  /// Without a sample of its readings, as for filtered levels, a file of the same bytes and a
  /// series of the trace's name count.
  ///
  /// - Parameter name: the name of the calibration, for messages.
  /// - Throws: `RSSIError` if the share is too large, and the request does not accept it.
  mutating func share(
    fittedBy calibration: Calibration, of name: String
  ) throws(RSSIError) -> Double? {
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
      "\(name) has no sample of the readings that it was fitted on, so it is not known whether it was "
        + "fitted on the scored recordings")
    return nil
  }

  private mutating func add(
    _ targets: [AskedTarget], of reader: TraceReader, filter: String?
  ) {
    levels.insert(filter ?? "raw")
    let isMiddle = request.truthAt.map { $0 == .windowMiddle } ?? (filter == nil)
    truthAt.insert(isMiddle ? "middle" : "end")
    if let filter, reader.usesLaterSightings(filter) {
      notes.append(
        "the levels of \(filter) depend on later sightings: no live system can reach these errors")
    }
    self.targets += targets
    addSite(of: reader)
  }

  private mutating func addSite(of reader: TraceReader) {
    let nodes = reader.catalogue.beacons + reader.catalogue.receivers
    let anchors = nodes.filter(\.isAnchor).map { [$0.id, "\($0.x)", "\($0.y)"] }
    let known = Set(anchors.compactMap { siteOfAnchor[$0] })
    // Without places of its own, a file is of the site that was named.
    let site = anchors.isEmpty ? 0 : known.min() ?? (sites.values.max() ?? -1) + 1
    sites[reader.path] = site
    for (path, other) in sites where known.contains(other) { sites[path] = site }
    for (anchor, other) in siteOfAnchor where known.contains(other) { siteOfAnchor[anchor] = site }
    for anchor in anchors { siteOfAnchor[anchor] = site }
  }

  /// Leaves out targets with truth that were not heard: a table of truth often covers more
  /// recordings than were imported.
  private mutating func leaveOutSilent() throws {
    let silent = targets.filter(\.isSilent)
    targets.removeAll(where: \.isSilent)
    let unheard = silent.filter { !$0.epochs.isEmpty }.map(\.name)
    if !unheard.isEmpty {
      notes.append(
        "left out, because they have truth but no sighting: \(unheard.joined(separator: ", "))"
      )
    }
    guard targets.isEmpty else { return }
    throw try nothingToScore(silent)
  }

  /// Refuses a recording that is given twice, and notes those that have readings in common.
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
    // Devices on one walk are a leak only if one of them is left out and the other is not.
    guard sharedShare == 0, request.crossValidate == .traces else { return }
    for (index, one) in targets.enumerated() {
      noteWalk(
        of: one, in: targets[..<index].filter { ($0.path, $0.trace) != (one.path, one.trace) })
    }
  }

  /// Notes a recording of the same walk as a target, which another device may have made.
  private mutating func noteWalk(of one: AskedTarget, in others: some Sequence<AskedTarget>) {
    guard let other = others.first(where: { $0.truth.isSameWalk(as: one.truth) }) else { return }
    repeatsWalks = true
    notes.append(
      "the traces \(one.name) of \(one.path) and \(other.name) of \(other.path) have the same truth "
        + "with the same intervals: they are of one walk, so errors are optimistic")
  }

  /// Returns the largest share of the readings of a target that other recordings hold, or of a
  /// recording that targets hold, and that target.
  private func share(in others: [ReadingSample]) -> (share: Double, target: AskedTarget) {
    let known = LeakDetector(others)
    let found = targets.map { known.found(in: $0.readings) }
    let ofTargets = found.map { min(1, $0.reduce(0) { $0 + $1.share }) }
    let ofOthers = others.indices.map { other in
      min(1, found.reduce(0) { $0 + $1[other].shareOfOther })
    }
    let most = ofTargets.indices.max { ofTargets[$0] < ofTargets[$1] } ?? 0
    let share = max(ofTargets[most], ofOthers.max() ?? 0)
    guard share < LeakDetector.notable, targets.count > 1 || others.count > 1 else {
      return (share, targets[most])
    }
    // A few readings of each recording show something only together.
    let together = LeakDetector([merged(others)]).found(in: merged(targets.map(\.readings)))
    return (max(share, together[0].larger), targets[most])
  }

  /// - Throws: `RSSIError` if too many scored readings were learned from, and the request does not
  ///   accept it.
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
        "\(both): give \(others), or `inSample` to score them anyway")
    }
    notes.append("\(both): errors are optimistic")
    return shared.share
  }

  /// Returns the reason why there is nothing to score, as far as the sightings show it.
  ///
  /// - Parameter silent: the targets without a sighting of an anchor at any epoch.
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
      "\(reader.path): no anchor was heard during the truth; the anchors are "
        + listed(anchors.locating(target.role).map(\.id), 4) + "; heard: "
        + listed(census.names(target.anchorRole, in: reader.catalogue), 4)
        + ": check the names in `nodes` or `site`")
  }

  private mutating func learn(_ targets: [AskedTarget], of path: String) throws(RSSIError) {
    sharedShare = max(
      sharedShare,
      try accept(
        share(in: targets.map(\.readings)), of: "the survey \(path)",
        instead: "a survey of other recordings, `crossValidate` traces"))
    if sharedShare == 0 { for target in targets { noteWalk(of: target, in: self.targets) } }
    survey += targets.map { SurveyTrack($0) }
  }

  private mutating func requireOther(_ map: RadioMapFile) throws(RSSIError) {
    sharedShare = max(
      sharedShare,
      try accept(
        share(in: map.readings), of: "the radio map \(map.path)",
        instead: "a radio map that was learned from other recordings"))
  }
}

/// Returns the readings of several recordings as one.
private func merged(_ samples: [ReadingSample]) -> ReadingSample {
  var all = ReadingSample(capacity: 1 << 17)
  for sample in samples { all.merge(sample) }
  all.sort()
  return all
}

/// Refuses names of traces that none of the files contains.
func requireTraces(_ names: [String], in readers: [TraceReader]) throws(RSSIError) {
  let known = Set(readers.flatMap(\.catalogue.traces))
  guard let unknown = names.first(where: { !known.contains($0) }) else { return }
  throw RSSIError(
    .badInput, "there is no trace \"\(unknown)\"; there are " + listed(known.sorted(), 20))
}
