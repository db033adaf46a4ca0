import Evaluation
import Filtering
import Geometry
import Inputs
import PathLoss
import Positioning
import Sightings
import Support
import TraceStore

/// What is scored, and what else a site is learned from, read from the files of an evaluation.
struct EvaluatedRecordings {
  private let inputs: [String]
  private let asking: AskingOptions
  private let log: any ActivityLog
  private let readers: [TraceReader]
  private(set) var reading: TargetReading
  /// What is scored.
  private(set) var targets: [AskedTarget] = []
  /// What is learned from, and not scored.
  private(set) var survey: [(target: AskedTarget, epochs: [Int])] = []
  /// The filters whose levels are used; `raw` for none.
  private(set) var levels: Set<String> = []
  /// The instants whose truth counts.
  private(set) var truthAt: Set<String> = []
  /// What a person should know of the recordings.
  private(set) var notes: [String] = []
  /// Whether a survey holds what is scored.
  private(set) var surveyIsScored = false

  /// - Parameters:
  ///   - surveys: traces to learn from.
  ///   - maySurveyBeScored: whether a survey that holds a scored trace is taken all the same.
  init(
    inputs: [String], asking: AskingOptions, site: EvalSite?, surveys: [String],
    maySurveyBeScored: Bool, log: any ActivityLog
  ) throws {
    self.inputs = inputs
    self.asking = asking
    self.log = log
    readers = try inputs.map { try TraceReader(path: $0) }
    let known = Set(readers.flatMap(\.catalogue.traces))
    if let unknown = asking.trace.first(where: { !known.contains($0) }) {
      throw RSSIError(
        .badInput,
        "there is no trace \"\(unknown)\"; there are "
          + listed(known.sorted(), 20))
    }
    reading = TargetReading(
      plan: try EpochPlan(epoch: asking.epoch, window: asking.window), site: site)
    reading.traces = Set(asking.trace)
    reading.truthAt = asking.truthAt.map { $0 == .middle ? .windowMiddle : .epoch }
    reading.clockOffset = -(signedDuration(asking.clockOffset) ?? 0)
    try readTargets()
    // All of a survey is learned from, whichever traces are scored.
    reading.traces = []
    for path in surveys { try readSurvey(path, mayBeScored: maySurveyBeScored) }
    if reading.notNegative > 0 {
      notes.append(
        "left out \(reading.notNegative) sightings at 0 dBm and above, which no radio link has")
    }
  }

  /// The targets whose readings a calibration was fitted on, or may have been.
  func targets(fittedBy calibration: Calibration) -> [AskedTarget] {
    targets.filter { calibration.wasFitted(on: $0, of: readers[$0.file]) }
  }

  private mutating func read(_ reader: TraceReader, file: Int, filter: String?) throws
    -> [AskedTarget]
  {
    let log = log
    return try reading.read(reader, file: file, filter: filter) {
      log.progress("eval \(reader.path)", total: $0)
    }
  }

  private mutating func readTargets() throws {
    for (file, reader) in readers.enumerated() {
      guard asking.trace.isEmpty || reader.catalogue.traces.contains(where: asking.trace.contains)
      else { continue }
      let filter = try chosenFilter(asking.filtered, of: reader)
      levels.insert(filter ?? "raw")
      truthAt.insert((asking.truthAt ?? (filter == nil ? .middle : .end)).rawValue)
      if let filter, reader.filterChain(filter).contains(where: needsLaterSightings) {
        notes.append(
          "the levels of \(filter) know later sightings: no live system reaches these errors")
      }
      targets += try read(reader, file: file, filter: filter)
    }
    // A table of truth often tells of more recordings than were imported.
    let silent = targets.filter(\.isSilent)
    targets.removeAll(where: \.isSilent)
    let unheard = silent.filter { !$0.epochs.isEmpty }.map(\.name)
    if !unheard.isEmpty {
      notes.append(
        "left out, because there is truth but nothing was heard: \(unheard.joined(separator: ", "))"
      )
    }
    guard !targets.isEmpty else { throw try nothingToScore(silent) }
    for (index, one) in targets.enumerated() {
      if let other = targets[..<index].first(where: { $0.isSame(as: one) }) {
        throw RSSIError(
          .badInput,
          "the trace \(one.name) of \(inputs[one.file]) holds the same sightings as \(other.name) "
            + "of \(inputs[other.file]): it would count twice"
        )
      }
    }
  }

  /// Why there is nothing to score, as far as the sightings show it.
  ///
  /// - Parameter silent: the targets of which no anchor was heard at any epoch.
  private func nothingToScore(_ silent: [AskedTarget]) throws -> RSSIError {
    guard let target = silent.first(where: { !$0.epochs.isEmpty }) else {
      return RSSIError(
        .badInput,
        "there is no epoch to score: the truth of each trace is shorter than one epoch; give a "
          + "shorter --epoch"
      )
    }
    let reader = readers[target.file]
    let catalogue = reader.catalogue
    let census = try HeardCensus(reader)
    if let apart = census.truthApart(catalogue).first(where: { $0.contains(target.trace) }) {
      return RSSIError(
        .badInput, "\(reader.path): \(apart): import it again with truth in UTC")
    }
    return RSSIError(
      .badInput,
      "\(reader.path): no anchor was heard while there is truth; the anchors are "
        + listed(reading.anchors(for: target.role).map(\.id), 4) + "; heard were "
        + listed(census.names(target.anchorRole, in: catalogue), 4)
        + ": check the names in --nodes or --site")
  }

  private mutating func readSurvey(_ path: String, mayBeScored: Bool) throws {
    let reader = try TraceReader(path: path)
    let learned = try read(reader, file: -1, filter: try chosenFilter(asking.filtered, of: reader))
    if let shared = targets.first(where: { one in learned.contains { $0.isSame(as: one) } }) {
      guard mayBeScored else {
        throw RSSIError(
          .badInput,
          "the survey \(path) holds the trace \(shared.trace), which is scored: give another "
            + "recording, --cross-validate traces, or --in-sample"
        )
      }
      surveyIsScored = true
    }
    survey += learned.map { ($0, Array($0.epochs.indices)) }
  }
}

/// Whether a filter, as it was written, says the level at a sighting with the help of later ones.
func needsLaterSightings(_ filter: String) -> Bool {
  (try? FilterSpecification(filter)).map { !$0.kind.isCausal } ?? false
}

/// The filter whose levels of a file to use; nil = the raw ones.
///
/// - Parameter filtered: as it was asked for; nil = the file's only filter, if it has one.
func chosenFilter(_ filtered: String?, of reader: TraceReader) throws -> String? {
  if filtered == "none" { return nil }
  if let filtered {
    try requireFilter(filtered, of: reader)
    return filtered
  }
  let names = reader.filterNames()
  guard names.count < 2 else {
    throw RSSIError(
      .usage,
      "\(reader.path) has the levels of several filters: choose with --filtered "
        + names.joined(separator: ", ") + " or none")
  }
  return names.first
}
