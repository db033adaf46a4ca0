public import Evaluation
import Filtering
import Sightings
import Support

/// The results of a comparison of filters on one trace.
struct ComparedFile: Codable, Sendable {
  var name: String
  /// The raw value of the reference of the comparison.
  var truth: String
  var sightings: Int
  /// The beacon and the receiver of each link, sorted.
  var links: [[String]]
  /// The sums of errors in the order of the chains, after the raw levels.
  var sums: [FilterSums]

  init(_ comparison: FilterComparison, named name: String) {
    let catalogue = comparison.catalogue
    self.name = name
    truth = comparison.trace.truth.rawValue
    sightings = comparison.trace.table.count
    links = Set(comparison.trace.keys).map {
      [catalogue.beacons[Int($0.beacon)].id, catalogue.receivers[Int($0.receiver)].id]
    }.sorted { $0.lexicographicallyPrecedes($1) }
    sums = comparison.sums.map(\.sums)
  }
}

/// Compares chains of filters on each trace of a request, on all cores.
public struct FilterComparisonStage: Stage {
  private let request: FilterComparisonRequest

  public init(_ request: FilterComparisonRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> ComparedFilters {
    try compared(request.files(log: context.log), context)
  }

  /// Compares the chains on the only trace, with the data for a picture of a link.
  public func pictured(
    in context: StageContext
  ) throws -> (comparison: FilterComparison, result: ComparedFilters) {
    let comparison = try request.comparison(log: context.log)
    return (
      comparison, try compared([ComparedFile(comparison, named: request.inputs[0])], context)
    )
  }

  private func compared(
    _ files: [ComparedFile], _ context: StageContext
  ) throws(RSSIError) -> ComparedFilters {
    let result = try ComparedFilters(files, request.compared)
    for note in result.notes { context.log.warn(note) }
    return result
  }
}

/// Filters side by side on one or more traces.
public struct ComparedFilters: Sendable {
  /// A chain of filters with its score.
  public typealias Scored = (name: String, isCausal: Bool, score: FilterScore)

  /// The reference that filters are compared with.
  public let truth: ComparedTrace.Truth
  /// The number of sightings in all traces.
  public let sightings: Int
  /// The number of links in all traces.
  public let links: Int
  /// Levels of each link that are not scored.
  public let settling: Int
  /// The scores in the order of the request, after those of the raw levels.
  public let scores: [Scored]

  init(_ files: [ComparedFile], _ filters: ComparedChains) throws(RSSIError) {
    let files = files.sorted { ($0.name, $0.sightings) < ($1.name, $1.sightings) }
    guard let first = files.first, let truth = ComparedTrace.Truth(rawValue: first.truth) else {
      throw RSSIError(.badInput, "no trace to compare filters on: name one")
    }
    if let other = files.first(where: { $0.truth != first.truth }) {
      throw RSSIError(
        .badInput,
        "\(first.name) is compared with \(truth.words), \(other.name) with "
          + (ComparedTrace.Truth(rawValue: other.truth)?.words ?? other.truth),
        advice: "compare filters on traces of one kind of truth at a time")
    }
    self.truth = truth
    sightings = files.reduce(0) { $0 + $1.sightings }
    links = Set(files.flatMap(\.links)).count
    settling = filters.settling
    scores = filters.chains.enumerated().map { index, chain in
      var sums = first.sums[index]
      for file in files.dropFirst() { sums.merge(file.sums[index]) }
      return (chain.name, chain.isCausal, sums.score)
    }
  }

  /// The notes about the scores, for the user.
  public var notes: [String] {
    guard scores.allSatisfy({ $0.score.samples == 0 }) else { return [] }
    return [
      "no sighting is compared: no link has a level beyond its first \(settling), which are not "
        + "scored; give a smaller `settling`"
    ]
  }
}

extension ComparedTrace.Truth {
  /// The description of the reference, in words.
  public var words: String {
    switch self {
    case .levels: "the true levels in the trace"
    case .stays: "the mean level of each stay"
    case .heldBack: "one sighting in ten, held back (its noise is in the errors)"
    }
  }
}

/// The compared chains and their settings.
struct ComparedChains: Codable, Equatable {
  struct Chain: Codable, Equatable {
    var name: String
    /// A Boolean value that is true if its levels depend on no later sighting.
    var isCausal: Bool
  }

  /// The chains, after the raw levels.
  var chains: [Chain]
  var settling: Int
}

extension FilterComparisonRequest {
  var compared: ComparedChains {
    ComparedChains(
      chains: [.init(name: "raw", isCausal: true)]
        + chains.map { .init(name: $0.name, isCausal: $0.chain.allSatisfy(\.kind.isCausal)) },
      settling: settling)
  }

  /// Compares the chains on the only trace.
  ///
  /// - Throws: `RSSIError` for several traces, and for one that cannot be read.
  func comparison(log: any ActivityLog) throws -> FilterComparison {
    try check()
    guard inputs.count == 1 else {
      throw RSSIError(.usage, "`picture` shows one trace: name a single one")
    }
    let progress = log.progress("compare", total: chains.count + 1)
    defer { progress.finish() }
    return try FilterComparison(self, on: inputs[0], progress: progress, log: log)
  }

  /// Compares the chains on each trace, on all cores.
  func files(log: any ActivityLog) throws -> [ComparedFile] {
    guard inputs.count > 1 else {
      return try inputs.map { ComparedFile(try comparison(log: log), named: $0) }
    }
    try check()
    try requireDistinctInputs(inputs)
    let progress = log.progress("compare", total: inputs.count)
    defer { progress.finish() }
    let request = self
    var files: [ComparedFile] = []
    try parallelInOrder(inputs.count) { index in
      let (input, notes) = (request.inputs[index], HeldNotes())
      let comparison = try FilterComparison(
        request, on: input, progress: SilentLog(), log: notes)
      return (file: ComparedFile(comparison, named: input), notes: notes)
    } take: { one in
      one.notes.pass(to: log, about: one.file.name)
      files.append(one.file)
      progress.update(files.count)
    }
    return files
  }

  private func check() throws(RSSIError) {
    guard settling >= 0 else {
      throw RSSIError(.usage, "`settling` \(settling): write 0 or more")
    }
  }
}
