public import Filtering
import NumericalMethods
public import Sightings
public import Support
package import TraceStore

/// A filter run: the trace, the chain of filters and the output.
public struct FilterRequest: Sendable {
  /// The trace to read.
  public var input: String
  /// The trace to write, a copy with the filtered levels; it may be the input.
  public var output: String
  /// The group of the filtered levels; nil joins the filters' names by plus signs.
  public var name: String?
  /// The filters, in the order in which they are applied.
  public var chain: [FilterSpecification]
  /// The longest delay of a sighting out of order.
  public var reorder: Duration = .milliseconds(100)
  /// The gap that restarts the filters of a link; nil = none does.
  public var resetAfter: Duration?
  /// The calibration whose channel offsets are subtracted from the levels first; nil = none.
  public var calibration: String?

  /// Creates a request to filter a trace.
  public init(
    input: String, output: String, name: String? = nil, chain: [FilterSpecification],
    reorder: Duration = .milliseconds(100), resetAfter: Duration? = nil
  ) {
    (self.input, self.output, self.name, self.chain) = (input, output, name, chain)
    (self.reorder, self.resetAfter) = (reorder, resetAfter)
  }

  /// Returns the name of the group in the file.
  ///
  /// - Throws: `RSSIError` of kind `usage` for a name that cannot be a group of HDF5.
  public func groupName() throws(RSSIError) -> String {
    let name = name ?? chain.map(\.name).joined(separator: "+")
    guard !name.isEmpty, !name.contains("/"), name != "." else {
      throw RSSIError(
        .usage, "the name \"\(name)\" cannot be a group in the file: leave out slashes")
    }
    return name
  }
}

/// The figures of a chain of filters on a trace.
public struct FilterResult {
  /// The group of the filtered levels.
  public var name: String
  package var links: [FilteredLink]
  /// The origin of q and r of the links; nil if no filter has them.
  package var noise: NoiseModel?
  /// The counts of irregular sightings and of restarts.
  public var counts: FilterCounts
  /// The nodes and traces of the input.
  public var catalogue: Catalogue
}

/// Filters a trace into a copy of it.
///
/// ```swift
/// let request = FilterRequest(
///   input: "walks.h5", output: "smooth.h5", chain: [try FilterSpecification("kalman")])
/// let result = try FilterStage(request).run()
/// print(result.counts.missing)
/// ```
public struct FilterStage: Stage {
  private let request: FilterRequest

  public init(_ request: FilterRequest) { self.request = request }

  /// Reads the trace twice, in blocks: memory is constant in its rows.
  ///
  /// - Throws: `RSSIError` for a trace that cannot be read, or an output that cannot be written.
  public func perform(in context: StageContext) throws -> FilterResult {
    let log = context.log
    let (chain, resetAfter) = (request.chain, request.resetAfter)
    let name = try request.groupName()
    var channels = try request.calibration.map(ChannelCorrection.init(path:))
    let reader = try TraceReader(path: request.input, toRewriteAt: request.output)
    try reader.requireTimes()
    var writer = try FilteredWriter(
      copying: reader, to: request.output, name: name,
      chain: chain.map(\.text).joined(separator: " "),
      provenance: context.tool.provenance(
        of: "filter", inputs: [request.input] + [request.calibration].compactMap(\.self)))
    let estimates = chain.contains { $0.missingNoise != nil }
    let progress = log.progress("filter", total: 2 * reader.count)
    var scan = try TraceScan(
      reader, withLevels: estimates, resetAfter: resetAfter?.nanoseconds, channels: channels,
      progress: progress)
    let noise = estimates ? estimate(scan.levels, log) : LinkNoise([], [])

    var filters = FilterChain(
      chain, reorder: request.reorder, resetAfter: resetAfter, isOrdered: scan.isOrdered)
    var order = RowOrder()
    var index = LinkIndex(reader.catalogue)
    var keys: [LinkKey] = []
    var links: [Int32] = []
    var rows = LevelRows()
    var done = 0
    try reader.forEachBlock([.time, .link, .rssi, .channel]) { block in
      links.removeAll(keepingCapacity: true)
      for row in 0..<block.count {
        let (link, isNew) = index.number(block, row)
        if isNew {
          let key = LinkKey(beacon: block.beacon[row], receiver: block.receiver[row])
          keys.append(key)
          let place = LinkPlace(trace: Int(block.trace[row]), receiver: Int(block.receiver[row]))
          _ = filters.addLink(place, noise: noise.of(key, chain))
        }
        links.append(Int32(truncatingIfNeeded: link))
      }
      rows.replaceAll(
        first: done, links: links, times: block.time,
        rssi: channels.levels(of: block, reader.catalogue), channels: block.channel)
      done += block.count
      filters.process(&rows)
      order.place(rows)
      for trace in scan.traces(endedBefore: done) {
        filters.finish(&rows, trace: trace)
        order.place(rows)
      }
      try order.takeBlocks(of: 65_536) { try writer.append(rssi: $0, variance: $1) }
      progress.update(reader.count + done)
    }
    filters.finish(&rows)
    order.place(rows)
    try order.takeRest { try writer.append(rssi: $0, variance: $1) }
    progress.finish()
    for text in try reader.levelNotes() { log.note(text) }
    if let note = channels?.note { log.warn(note) }
    filters.counts.report(to: log, of: reader.count, reorder: request.reorder)
    let results = LinkResults(chain, noise, scan.levels).links(of: filters, keys)
    try writer.finish(links: results)
    return FilterResult(
      name: name, links: results, noise: chain.last { $0.kind.noiseModel != nil }?.kind.noiseModel,
      counts: filters.counts, catalogue: reader.catalogue)
  }

  private func estimate(_ levels: [LinkLevels], _ log: any ActivityLog) -> LinkNoise {
    if request.chain.first?.missingNoise == nil {
      log.note("q and r are estimated from the unfiltered levels")
    }
    let noise = LinkNoise(request.chain, levels, withUncertainty: true)
    for note in noise.notes { log.note(note) }
    return noise
  }
}

extension FilterCounts {
  /// Notes what filters met in a number of sightings.
  func report(to log: any ActivityLog, of all: Int, reorder: Duration) {
    if outOfOrder > 0 {
      log.note(
        "\(outOfOrder) of \(all) sightings came after a newer one of their link; "
          + "\(outOfOrder - late) were put into order"
      )
    }
    if late > 0 {
      log.warn(
        "\(late) sightings came more than \(plain(reorder / .seconds(1))) s behind the clock of their link and "
          + "count as simultaneous with its newest sighting: raise `reorder`, or sort the input by time"
      )
    }
    if missing > 0 {
      log.note("\(missing) of \(all) sightings have no level: filters ignore them")
    }
    let gaps = restarts - clockSteps
    if gaps > 0 {
      log.note("\(counted(gaps, "gap")) longer than `resetAfter` restarted the filters of a link")
    }
    if clockSteps > 0 {
      log.note(
        "\(counted(clockSteps, "time")) a link went back in time by more than a minute, as if a clock was "
          + "set: its filters restarted")
    }
  }
}

/// The results of a chain for each link, with the uncertainty of estimates.
struct LinkResults {
  private let chain: [FilterSpecification]
  private let noise: LinkNoise
  private var levels: [LinkKey: [NoiseEstimate.Link]] = [:]

  /// - Parameter levels: the levels from which estimates were made.
  init(_ chain: [FilterSpecification], _ noise: LinkNoise, _ levels: [LinkLevels]) {
    self.chain = chain
    self.noise = noise
    for link in levels { self.levels[link.key] = link.levels }
  }

  /// Returns one result per link, over its traces: a filter restarts in each trace, its link does
  /// not.
  func links(of filters: FilterChain, _ keys: [LinkKey]) -> [FilteredLink] {
    // A result belongs to the last filter with its own noise.
    let filter = chain.last { $0.kind.noiseModel != nil }
    var results: [FilteredLink] = []
    var places: [LinkKey: Int] = [:]
    for (link, key) in keys.enumerated() {
      let samples = filters.samples(ofLink: link)
      let likelihood = filters.likelihood(ofLink: link)
      if let place = places[key] {
        results[place].samples += samples
        results[place].logLikelihood += likelihood?.logLikelihood ?? 0
        continue
      }
      places[key] = results.count
      var result = FilteredLink(beacon: key.beacon, receiver: key.receiver, samples: samples)
      if let likelihood {
        result.q = likelihood.noise.q
        result.r = likelihood.noise.r
        result.logLikelihood = likelihood.logLikelihood
        if let reception = likelihood.noise.reception {
          (result.floor, result.edge, result.loss) = (
            reception.floor, reception.edge, reception.loss
          )
          result.floorOrigin = ReceptionOrigin(reception.floorOrigin)
          result.lossOrigin = ReceptionOrigin(reception.lossOrigin)
        }
      }
      if let filter {
        let used = noise.of(key, filter)
        result.origin = used.origin
        if filter.missingNoise == .randomWalk { judge(&result, used, levels[key] ?? []) }
      }
      results.append(result)
    }
    return results
  }

  private func judge(
    _ result: inout FilteredLink, _ used: LinkNoise.Estimate, _ levels: [NoiseEstimate.Link]
  ) {
    if let uncertainty = used.uncertainty {
      result.qStandardError = uncertainty.qStandardError
      result.rStandardError = uncertainty.rStandardError
      (result.qLow, result.qHigh) = (uncertainty.q.lower, uncertainty.q.upper)
      (result.rLow, result.rHigh) = (uncertainty.r.lower, uncertainty.r.upper)
    }
    if let whiteness = Whiteness(
      levels, q: result.q, r: result.r, areFitted: result.origin == .link)
    {
      result.whiteness = whiteness.statistic
      result.whitenessLags = UInt16(clamping: whiteness.lags)
      result.whitenessP = whiteness.pValue
      result.meanNIS = whiteness.meanNIS
    }
  }
}

extension ReceptionOrigin {
  fileprivate init(_ origin: Reception.Origin) {
    self =
      switch origin {
      case .given: .given
      case .estimated: .estimated
      case .assumed: .assumed
      }
  }
}
