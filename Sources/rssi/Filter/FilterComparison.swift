import Evaluation
import Filtering
import Inputs
import Plotting
import Sightings
import Support
import TraceStore

/// Filters side by side on one trace: a table, JSON, and a picture.
struct FilterComparison {
  let input: String
  /// Chains as they were written, with what they mean.
  let chains: [(name: String, chain: [FilterSpecification])]
  let reorder: Int64
  let resetAfter: Int64?
  /// Levels of each link in each trace that are not scored.
  let settling: Int
  /// Where the picture goes; nil = none.
  let picture: String?
  let link: PicturedLink
  let reporting: ReportingOptions

  func run() throws {
    if let picture { _ = try PictureFormat(path: picture) }
    var files = CommandFiles()
    files.read([input])
    files.write([picture], as: "--picture")
    try files.check(reporting)
    let reader = try TraceReader(path: input)
    try reader.requireUsablePlaces()
    var trace = try ComparedTrace(reader)
    if trace.isCut {
      reporting.note("only the first \(ComparedTrace.limit) sightings are compared")
    }
    var trial = FilterTrial(trace.table, truth: trace.levels, settling: settling)
    let comparable = trial.comparable
    if trace.truth == .dwells, comparable * 20 < trace.table.count {
      reporting.note(
        "only \(comparable) of \(trace.table.count) sightings are of a stay and beyond the first "
          + "\(settling) of their link: filters are compared with sightings held back instead"
      )
      trace.holdBack()
      trial = FilterTrial(trace.table, truth: nil, settling: settling)
    }
    let candidates = candidates(trial.table, trace.keys)
    var scores: [(candidate: FilterCandidate, score: FilterScore)] = []
    let progress = reporting.log.progress("compare", total: candidates.count)
    for (done, candidate) in candidates.enumerated() {
      progress.update(done)
      scores.append((candidate, trial.score(candidate)))
    }
    progress.finish()
    if scores.allSatisfy({ $0.score.samples == 0 }) {
      reporting.note(
        "no sighting is compared: no link has a level beyond its first \(settling), which are not "
          + "scored; give a smaller --settling"
      )
    }
    let report = ComparisonReport(
      scores: scores, truth: trace.truth, links: Set(trace.keys).count,
      sightings: trace.table.count,
      settling: settling)
    if let picture {
      let chosen = try link.choose(among: trace, reader.catalogue)
      let comparison = ComparisonPicture(
        trace: trace, trial: trial, scores: scores, link: chosen, catalogue: reader.catalogue)
      try writeOutput(comparison.chart, to: picture)
      reporting.note("drew \(picture)")
    }
    try reporting.report(report.json, text: report.text)
  }

  /// The raw levels and each chain, with the noise estimated from what filters are given.
  private func candidates(_ table: TrialLevels, _ keys: [LinkKey]) -> [FilterCandidate] {
    let models = Set(chains.flatMap { $0.chain.compactMap(\.missingNoise) })
    let noise = LinkNoise(models, models.isEmpty ? [] : table.levelsByLink(keys, resetAfter))
    for note in noise.notes { reporting.note(note) }
    let raw = FilterCandidate(name: "raw", chain: []) { _ in [] }
    return [raw]
      + chains.map { name, chain in
        FilterCandidate(name: name, chain: chain, reorder: reorder, resetAfter: resetAfter) {
          noise.of(keys[$0], chain)
        }
      }
  }
}

extension TrialLevels {
  /// The levels of each link over all its traces, for estimates.
  fileprivate func levelsByLink(_ keys: [LinkKey], _ resetAfter: Int64?) -> [LinkLevels] {
    var histories = LevelHistories(resetAfter: resetAfter)
    for key in keys { histories.open(key) }
    for row in 0..<count where !rssi[row].isNaN {
      histories.append(link: Int(link[row]), time: time[row], rssi: Float(rssi[row]))
    }
    return histories.byLink()
  }
}
