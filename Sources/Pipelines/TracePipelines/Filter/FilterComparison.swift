public import Evaluation
public import Filtering
package import Sightings
public import Support
import TraceStore

/// A comparison of filter chains on the same traces.
public struct FilterComparisonRequest: Sendable {
  /// A chain of filters under the name that it was written with.
  public typealias NamedChain = (name: String, chain: [FilterSpecification])

  /// The traces to read.
  public var inputs: [String]
  /// The chains to compare.
  public var chains: [NamedChain]
  /// The longest delay of a sighting out of order.
  public var reorder: Duration
  /// The gap that restarts the filters of a link; nil = none does.
  public var resetAfter: Duration?
  /// Levels at the start of each link in each trace that are not scored.
  public var settling: Int
  /// Names of beacons that a user will select; their addresses are looked up.
  public var names: [String] = []

  /// Creates a comparison of chains.
  public init(
    inputs: [String], chains: [NamedChain], reorder: Duration = .milliseconds(100),
    resetAfter: Duration? = nil,
    settling: Int = 10
  ) {
    (self.inputs, self.chains) = (inputs, chains)
    (self.reorder, self.resetAfter, self.settling) = (reorder, resetAfter, settling)
  }
}

/// Filters side by side on one trace.
public struct FilterComparison: Sendable {
  /// The trace with its levels and its reference.
  public let trace: ComparedTrace
  /// The comparison that scores filters on the levels of the trace.
  public let trial: FilterTrial
  /// The sums of errors in the order of the request, after the raw levels.
  package let sums: [(candidate: FilterCandidate, sums: FilterSums)]
  package let catalogue: Catalogue

  /// Reads a trace and compares the chains on it.
  ///
  /// - Parameter progress: receives the number of completed chains.
  /// - Throws: `RSSIError` for a trace that cannot be read.
  init(
    _ request: FilterComparisonRequest, on input: String, progress: any ActivityProgress,
    log: any ActivityLog
  ) throws {
    let settling = request.settling
    let reader = try TraceReader(path: input)
    try reader.requireUsablePlaces()
    try reader.requireTimes()
    var trace = try ComparedTrace(reader)
    if trace.isCut {
      log.warn("only the first \(ComparedTrace.limit) sightings are compared")
    }
    var trial = FilterTrial(trace.table, truth: trace.levels, settling: settling)
    let comparable = trial.comparable
    if trace.truth == .stays, comparable * 20 < trace.table.count {
      log.warn(
        "only \(comparable) of \(trace.table.count) sightings are of a stay and beyond the first "
          + "\(settling) of their link: filters are compared with sightings held back instead"
      )
      trace.holdBack()
      trial = FilterTrial(trace.table, truth: nil, settling: settling)
    }
    let candidates = request.candidates(trial.table, trace.keys, log)
    var sums: [(candidate: FilterCandidate, sums: FilterSums)] = []
    for (done, candidate) in candidates.enumerated() {
      progress.update(done)
      sums.append((candidate, trial.sums(candidate)))
    }
    (self.trace, self.trial, self.sums) = (trace, trial, sums)
    catalogue = try reader.catalogue(withSendersAmong: addresses(among: request.names))
  }

  /// Returns the number of the link with the most sightings, among those of a beacon and a
  /// receiver; nil if it has none.
  ///
  /// - Throws: `RSSIError` for a shortened identity of several beacons.
  public func busiestLink(beacon: String?, receiver: String?) throws(RSSIError) -> Int? {
    var meant: [Int]?
    if let beacon { meant = try HeardBeacons(catalogue).numbers(beacon) }
    var counts = Array(repeating: 0, count: trace.keys.count)
    for link in trace.table.link { counts[Int(link)] += 1 }
    let links = trace.keys.indices.filter { link in
      let key = trace.keys[link]
      return meant.map { $0.contains(Int(key.beacon)) } ?? true
        && receiver.map { $0 == catalogue.receivers[Int(key.receiver)].id } ?? true
    }
    return links.max { (counts[$0], $1) < (counts[$1], $0) }
  }
}

extension FilterComparisonRequest {
  /// Returns the raw levels and each chain, with the noise that is estimated from the filters'
  /// input.
  fileprivate func candidates(
    _ table: TrialLevels, _ keys: [LinkKey], _ log: any ActivityLog
  ) -> [FilterCandidate] {
    let filters = chains.flatMap(\.chain).filter { $0.missingNoise != nil }
    let noise = LinkNoise(
      filters, filters.isEmpty ? [] : table.levelsByLink(keys, resetAfter?.nanoseconds))
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
  /// Returns the levels of each link over all its traces, for estimates.
  fileprivate func levelsByLink(_ keys: [LinkKey], _ resetAfter: Int64?) -> [LinkLevels] {
    var histories = LevelHistories(resetAfter: resetAfter)
    for key in keys { histories.open(key) }
    for row in 0..<count where !rssi[row].isNaN {
      histories.append(link: Int(link[row]), time: time[row], rssi: Float(rssi[row]))
    }
    return histories.byLink()
  }
}

extension FilterSpecification {
  /// Reads chains to compare, under the names that they are written with: chains separated by
  /// commas, the filters of a chain by plus signs.
  ///
  ///     kalman,median:window=1s,ewma:tau=2s        three filters
  ///     kalman:q=6,r=12,median+kalman              a filter with two parameters, and a chain
  ///     all                                        every filter with its defaults
  package static func chains(
    _ text: String
  ) throws(RSSIError) -> [(name: String, chain: [FilterSpecification])] {
    let texts = Specification.texts(
      of: text.split(separator: ",", omittingEmptySubsequences: false))
    let names = texts.flatMap {
      $0 == "all" ? FilterKind.all.filter(\.hasDefaults).map(\.name) : [$0]
    }
    // Raw levels are always there.
    return try names.filter { $0 != "raw" }.map { name throws(RSSIError) in
      (name, try filters(of: name).map(FilterSpecification.init))
    }
  }

  /// Splits a chain into filters: a plus sign separates filters only before a letter.
  private static func filters(of chain: String) -> [String] {
    var filters = [""]
    for (index, character) in zip(chain.indices, chain) {
      let next = chain.index(after: index)
      if character == "+", next < chain.endIndex, chain[next].isLetter {
        filters.append("")
      } else {
        filters[filters.count - 1].append(character)
      }
    }
    return filters
  }
}
