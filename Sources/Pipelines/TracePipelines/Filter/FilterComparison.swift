package import Evaluation
package import Filtering
import Inputs
package import Sightings
package import Support
import TraceStore

/// Which chains of filters to compare on a trace, and how.
package struct FilterComparisonRequest: Sendable {
  /// A chain of filters under the name that it was written with.
  package typealias NamedChain = (name: String, chain: [FilterSpecification])

  /// The trace to read.
  package var input: String
  package var chains: [NamedChain]
  /// Nanoseconds that a sighting may be late.
  package var reorder: Int64
  /// Nanoseconds; a longer gap restarts the filters of a link. Nil = never.
  package var resetAfter: Int64?
  /// Levels at the start of each link in each trace that are not scored.
  package var settling: Int

  package init(
    input: String, chains: [NamedChain], reorder: Int64 = 100_000_000, resetAfter: Int64? = nil,
    settling: Int = 10
  ) {
    (self.input, self.chains) = (input, chains)
    (self.reorder, self.resetAfter, self.settling) = (reorder, resetAfter, settling)
  }
}

/// Filters side by side on one trace.
package struct FilterComparison {
  package let trace: ComparedTrace
  package let trial: FilterTrial
  /// In the order of the request, after the raw levels.
  package let scores: [(candidate: FilterCandidate, score: FilterScore)]
  package let catalogue: Catalogue
  /// Levels of each link that are not scored.
  package let settling: Int

  /// Reads a trace and scores each chain.
  ///
  /// - Throws: `RSSIError` of kind `usage` for a negative number of levels, and for a trace that
  ///   cannot be read.
  package init(_ request: FilterComparisonRequest, log: any ActivityLog) throws {
    let settling = request.settling
    guard settling >= 0 else {
      throw RSSIError(.usage, "`settling` \(settling): write 0 or more")
    }
    let reader = try TraceReader(path: request.input)
    try reader.requireUsablePlaces()
    var trace = try ComparedTrace(reader)
    if trace.isCut {
      log.warn("only the first \(ComparedTrace.limit) sightings are compared")
    }
    var trial = FilterTrial(trace.table, truth: trace.levels, settling: settling)
    let comparable = trial.comparable
    if trace.truth == .dwells, comparable * 20 < trace.table.count {
      log.warn(
        "only \(comparable) of \(trace.table.count) sightings are of a stay and beyond the first "
          + "\(settling) of their link: filters are compared with sightings held back instead"
      )
      trace.holdBack()
      trial = FilterTrial(trace.table, truth: nil, settling: settling)
    }
    let candidates = request.candidates(trial.table, trace.keys, log)
    var scores: [(candidate: FilterCandidate, score: FilterScore)] = []
    let progress = log.progress("compare", total: candidates.count)
    for (done, candidate) in candidates.enumerated() {
      progress.update(done)
      scores.append((candidate, trial.score(candidate)))
    }
    progress.finish()
    if scores.allSatisfy({ $0.score.samples == 0 }) {
      log.warn(
        "no sighting is compared: no link has a level beyond its first \(settling), which are not "
          + "scored; give a smaller `settling`"
      )
    }
    (self.trace, self.trial, self.scores) = (trace, trial, scores)
    (catalogue, self.settling) = (reader.catalogue, settling)
  }

  /// The number of the link with the most sightings in the table, among those of a beacon and a
  /// receiver; nil where no sighting is of one.
  package func busiestLink(beacon: String?, receiver: String?) -> Int? {
    var counts = Array(repeating: 0, count: trace.keys.count)
    for link in trace.table.link { counts[Int(link)] += 1 }
    let links = trace.keys.indices.filter { link in
      let key = trace.keys[link]
      return beacon.map { $0 == catalogue.beacons[Int(key.beacon)].id } ?? true
        && receiver.map { $0 == catalogue.receivers[Int(key.receiver)].id } ?? true
    }
    return links.max { (counts[$0], $1) < (counts[$1], $0) }
  }
}

extension FilterComparisonRequest {
  /// The raw levels and each chain, with the noise estimated from what filters are given.
  fileprivate func candidates(
    _ table: TrialLevels, _ keys: [LinkKey], _ log: any ActivityLog
  ) -> [FilterCandidate] {
    let filters = chains.flatMap(\.chain).filter { $0.missingNoise != nil }
    let noise = LinkNoise(filters, filters.isEmpty ? [] : table.levelsByLink(keys, resetAfter))
    for note in noise.notes { log.note(note) }
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
