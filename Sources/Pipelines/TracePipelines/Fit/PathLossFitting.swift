public import Inputs
public import PathLoss
package import Sites
public import Support

/// The readings of a fit, and where they are from.
package struct FitReadings {
  public var stations: [Station] = []
  /// Readings left out, by reason.
  public var excluded: [String: Int] = [:]
  public var inputs: [Calibration.Input] = []
  /// By receiver, what is wrong with its levels.
  public var doubts: [String: String] = [:]
  /// Some of the readings, to recognise them; nil where they are not raw levels.
  public var sample: ReadingSample?
  /// Some of the readings with their times, for a picture; nil where they are not known.
  public var timed: [TimedReading]?

  public init() {}
}

/// A calibration, and what a picture of it needs.
public struct FitResult {
  public var calibration: Calibration
  package var readings: FitReadings
  public var grouping: Grouping
}

/// Fits path-loss constants to readings at known distances.
///
/// ```swift
/// var request = FitRequest()
/// request.inputs = ["bench.h5"]
/// let fit = try PathLossFitting(request, by: tool, log: SilentLog())
/// print(try fit.result().calibration.pooled.exponent ?? .nan)
/// ```
public struct PathLossFitting {
  private let request: FitRequest
  private let site: Site?
  private let plan: FitPlan
  private let merged: MergedCalibrations?
  private let tool: ToolIdentity
  private let log: any ActivityLog

  public var grouping: Grouping { plan.grouping }

  /// - Throws: `RSSIError` for a request that cannot be met, or calibrations that cannot be merged.
  public init(_ request: FitRequest, by tool: ToolIdentity, log: any ActivityLog) throws {
    try self.init(request, by: tool, log: log, site: nil)
  }

  /// - Parameter site: the site file of the request, where it was read already.
  /// - Throws: `RSSIError` for a request that cannot be met, or calibrations that cannot be merged.
  package init(
    _ request: FitRequest, by tool: ToolIdentity, log: any ActivityLog, site: Site?
  ) throws {
    self.request = request
    self.site = site
    self.tool = tool
    self.log = log
    try request.check()
    merged = request.merge ? try MergedCalibrations(paths: request.inputs) : nil
    plan = try FitPlan(request, merging: merged)
  }

  /// Reads the inputs and fits them.
  ///
  /// - Throws: `RSSIError` for inputs that cannot be read, or from which no constants follow.
  public func result() throws -> FitResult {
    if let merged, merged.agreed == nil, request.model == nil || request.estimator == nil {
      log.warn(
        "the calibrations differ in model, estimator or settings: what was not given has its "
          + "default")
    }
    let readings = try readings()
    guard !readings.stations.isEmpty else { throw nothingToFit(readings) }
    let groups = grouping.split(readings.stations).count
    let line = log.progress("fit", total: (groups + 1) * stepsOfGroup)
    let calibration = calibration(of: readings, progress: line)
    line.finish()
    for (reason, count) in calibration.excluded.sorted(by: { $0.key < $1.key }) {
      log.note("left out \(count) × \(reason)")
    }
    guard calibration.groups.contains(where: { $0.measuredPower != nil }) else {
      throw RSSIError(
        .badInput, "no constants could be fitted: \(calibration.groups[0].warnings[0])")
    }
    return FitResult(calibration: calibration, readings: readings, grouping: grouping)
  }

  /// Reads the inputs.
  package func readings() throws -> FitReadings {
    if let merged { return merged.readings }
    var gathering = ReadingGathering(
      ReadingSelection(series: Set(request.series), minDistance: request.minDistance),
      isWeighted: plan.estimator == .weighted, site: try fitSite,
      isFiltered: request.filtered != nil, keepsTimes: request.keepsTimes, log: log)
    var inputs: [Calibration.Input] = []
    for input in request.inputs {
      do {
        try gathering.read(input, filtered: request.filtered)
      } catch  where looksLikeCalibration(input) {
        throw RSSIError(
          .badInput, "\(input) is a calibration, not readings: combine calibrations with `merge`")
      }
      inputs += try fittedInputs(input)
    }
    try requireDifferent(inputs)
    if let missing = request.series.first(where: { !gathering.seenSeries.contains($0) }) {
      throw RSSIError(
        .badInput,
        "there is no series \"\(missing)\"; there are "
          + gathering.seenSeries.sorted().joined(separator: ", "))
    }
    for doubt in gathering.doubtsOfSite { log.warn(doubt) }
    var readings = gathering.readings
    readings.inputs = inputs
    return readings
  }

  private var fitSite: FitSite? {
    get throws { try site.map(FitSite.init) ?? request.site.map { try FitSite(path: $0) } }
  }

  /// Fits every group, and all readings together.
  ///
  /// - Parameters:
  ///   - readings: what `readings()` gave, or a part of it.
  ///   - progress: receives how many steps are done, `stepsOfGroup` for each group; all readings
  ///     together are one.
  package func calibration(
    of readings: FitReadings, progress: any ActivityProgress = SilentLog()
  ) -> Calibration {
    var fit = fit(of: readings.stations)
    fit.drawn = { progress.update($0) }
    let hierarchy =
      plan.model == .hierarchical
      ? Hierarchy(plan.reduction.reduce(readings.stations), levels: fit.levels) : nil
    func group(_ members: Grouping.Members) -> PathLossGroup {
      let key = members.key.isEmpty ? "pooled" : members.key
      let stations = plan.reduction.reduce(members.stations)
      var group =
        hierarchy?.group(
          key: key, beacon: members.beacon, receiver: members.receiver, stations)
        ?? fit.group(key: key, stations)
      group.series = members.series
      group.beacon = members.beacon
      group.receiver = members.receiver
      group.diagnostics += Set(members.stations.map(\.receiver)).sorted()
        .compactMap { readings.doubts[$0] }.map { Diagnostic(doubtfulReceiver, $0) }
      return group
    }
    // In a group by group reduction, so that pooled positions are those of all readings.
    let pooled = group(Grouping.Members(stations: readings.stations))
    let groups = grouping.split(readings.stations).enumerated().map { done, members in
      let before = (done + 1) * stepsOfGroup
      progress.update(before)
      fit.drawn = { progress.update(before + $0) }
      return group(members)
    }
    return Calibration(
      toolVersion: tool.version, commandLine: tool.commandLine, model: plan.model.name,
      estimator: plan.estimator.rawValue, settings: plan.settings, by: grouping.description,
      groups: groups.isEmpty ? [pooled] : groups, pooled: pooled, hierarchical: hierarchy?.effects,
      excluded: readings.excluded, inputs: readings.inputs, stations: readings.stations,
      sample: readings.sample)
  }

  /// The draws of a group's bootstrap, and its fit.
  private var stepsOfGroup: Int { request.bootstrap + 1 }

  private func fit(of stations: [Station]) -> PathLossFit {
    var fit = PathLossFit(model: plan.model, estimator: plan.estimator)
    fit.advertisingInterval = plan.settings.advertisingInterval
    fit.lostShare = plan.settings.lostShare
    fit.referencePower = plan.settings.referencePower
    fit.levels = request.distanceAt.isEmpty ? [-50, -60, -70, -80, -90] : request.distanceAt
    fit.bootstrapDraws = request.bootstrap
    fit.seed = request.seed
    for station in stations {
      guard let weakest = station.levels.first?.level else { continue }
      let known = fit.sensitivity[station.receiver] ?? weakest
      fit.sensitivity[station.receiver] = plan.settings.sensitivity ?? min(known, weakest)
    }
    return fit
  }

  private func nothingToFit(_ readings: FitReadings) -> RSSIError {
    let reasons = readings.excluded.sorted { $0.key < $1.key }
      .map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    if readings.excluded["no-variance"] != nil {
      return RSSIError(
        .badInput,
        "no reading has a variance to be weighted by (\(reasons)): give `filtered` NAME, of a "
          + "filter with variances")
    }
    return RSSIError(
      .badInput,
      "no reading has a distance to fit (\(reasons.isEmpty ? "no sightings" : reasons)): import a "
        + "distance table, or coordinates of anchors and the truth of the other nodes")
  }
}
