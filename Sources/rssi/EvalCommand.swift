import ArgumentParser
import Evaluation
import Filtering
import PathLoss
import Positioning
import Sightings
import TraceStore

struct EvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Compare positioning algorithms against ground truth.",
    discussion: """
      Asks every algorithm for a position at each epoch of each trace and measures its distance from \
      the truth. An epoch uses the levels of one window of time: their mean where they are raw, the \
      latest where a filter made them. Either side of a link may be the one that moves.
      """)

  @Argument(help: "Traces with truth and with anchors at known places.")
  var inputs: [String]

  @Option(help: "The path-loss constants that `rssi fit -o` wrote: a file, or a trace that holds them.")
  var calibration: String

  @Option(help: "One group of the calibration for all links, such as a series of distances.")
  var group: String?

  @Option(help: "Only this trace; may be repeated.")
  var trace: [String] = []

  @Option(help: "all, or names with commas: \(Algorithms.names.joined(separator: ", ")).")
  var algorithms = "all"

  @Option(help: "Time between epochs (2s); stay: one epoch a stop; place: one epoch a place.")
  var epoch = "2s"

  @Option(help: "Length of each epoch's window (default: the time between epochs).")
  var window: String?

  @Option(help: "The truth that counts: middle or end of the window (default: middle of raw levels' windows, end for filtered levels).")
  var truthAt: TruthAt?

  @Option(help: "The filter whose levels to use; none: the raw ones (default: the trace's only filter, if it has one).")
  var filtered: String?

  @OptionGroup var reporting: ReportingOptions

  enum TruthAt: String, ExpressibleByArgument, CaseIterable { case middle, end }

  func run() throws {
    let chosen = try chosenAlgorithms()
    let plan = try epochPlan()
    let constants = try LinkConstants(path: calibration, group: group)
    let readers = try inputs.map { try TraceReader(path: $0) }
    let known = Set(readers.flatMap(\.catalogue.traces))
    if let unknown = trace.first(where: { !known.contains($0) }) {
      throw Failure(
        Failure.badInput, "there is no trace \"\(unknown)\"; there are "
          + known.sorted().prefix(20).joined(separator: ", "))
    }
    var records = chosen.map { _ in [TraceRecord]() }
    var levels: Set<String> = []
    var truth: Set<TruthAt> = []
    var foresighted: Set<String> = []
    for reader in readers {
      guard trace.isEmpty || reader.catalogue.traces.contains(where: trace.contains) else { continue }
      let filter = try chosenFilter(reader)
      let instant = truthAt ?? (filter == nil ? .middle : .end)
      levels.insert(filter ?? "raw")
      if let filter, reader.filterChain(filter).contains(where: needsLaterSightings) {
        foresighted.insert(filter)
      }
      truth.insert(instant)
      let reading = try EpochReading(
        reader, traces: Set(trace), plan: plan, filter: filter, truth: instant == .middle ? .windowMiddle : .epoch,
        constants: constants, progress: { Progress("eval \(reader.path)", total: $0, quiet: reporting.quiet) })
      for (index, algorithm) in chosen.enumerated() { records[index] += reading.score(algorithm) }
    }
    for note in constants.notes { reporting.note(note) }
    for filter in foresighted.sorted() {
      reporting.note("the levels of \(filter) know later sightings: no live system reaches these errors")
    }
    let isInSample = readers.contains { reader in
      reader.sources.contains { constants.inputDigests.contains($0.sha256) }
    }
    if isInSample {
      reporting.note("in sample: the calibration was fitted on recordings that are scored here; the errors flatter")
    }
    let board = Leaderboard(zip(chosen, records).map { ($0.name, $1) })
    guard let first = board.scores.first, first.statistics.asked > 0 else {
      throw Failure(
        Failure.badInput,
        "there is no epoch to score: the traces need truth positions (import --truth) that last longer than one epoch")
    }
    let report = EvalReport(
      board: board, levels: levels.sorted().joined(separator: ", "),
      truthAt: truth.map(\.rawValue).sorted().joined(separator: ", "), epoch: epoch,
      isInSample: isInSample)
    try StandardOutput.write(reporting.json ? jsonText(report.json) : report.text)
  }

  private func chosenAlgorithms() throws -> [any PositioningAlgorithm] {
    if algorithms == "all" { return Algorithms.all }
    var seen: Set<Substring> = []
    let names = algorithms.split(separator: ",").filter { seen.insert($0).inserted }
    guard !names.isEmpty else { throw Failure(Failure.usage, "name an algorithm, or all") }
    return try names.map { name in
      do throws(AlgorithmError) {
        return try Algorithms.named(String(name))
      } catch {
        throw Failure(Failure.usage, error.description)
      }
    }
  }

  private func epochPlan() throws -> EpochPlan {
    switch epoch {
    case "stay", "place":
      guard window == nil else {
        throw Failure(Failure.usage, "--window goes with a time between epochs: a stay's window is the stay")
      }
      return epoch == "stay" ? .stays : .places
    default:
      guard let step = duration(epoch), step > 0 else {
        throw Failure(Failure.usage, "--epoch \(epoch): write a time such as 2s or 500ms, or stay, or place")
      }
      guard let window else { return .periodic(step: step, window: step) }
      guard let length = duration(window), length > 0 else {
        throw Failure(Failure.usage, "--window \(window): write a time such as 2s or 500ms")
      }
      return .periodic(step: step, window: length)
    }
  }

  private func chosenFilter(_ reader: TraceReader) throws -> String? {
    let names = reader.filterNames()
    if filtered == "none" { return nil }
    if let filtered {
      try requireFilter(filtered, of: reader)
      return filtered
    }
    guard names.count < 2 else {
      throw Failure(
        Failure.usage, "\(reader.path) has the levels of several filters: choose with --filtered "
          + names.joined(separator: ", ") + " or none")
    }
    return names.first
  }
}

/// Whether a filter, as it was written, says the level at a sighting with the help of later ones.
private func needsLaterSightings(_ filter: String) -> Bool {
  (try? FilterSpecification(filter)).map { !$0.kind.isCausal } ?? false
}

/// When positions are asked.
enum EpochPlan {
  /// Nanoseconds.
  case periodic(step: Int64, window: Int64)
  /// Once for each stop of the moving node.
  case stays
  /// Once for each place, over all its visits in a trace.
  case places
}
