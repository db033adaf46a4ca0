import PathLoss
import Sites
import Support
import TraceStore

/// One fit: its inputs, its plan and its readings.
final class FitRun {
  private let request: FitRequest
  private let site: Site?
  private let plan: FitPlan
  private let merged: MergedCalibrations?
  private let part: FitShard?
  private let tool: ToolIdentity
  private let log: any ActivityLog

  var grouping: Grouping { plan.grouping }

  /// - Parameter site: the site file of the request, if it was read already.
  /// - Throws: `RSSIError` for a request that cannot be met, or calibrations that cannot be merged.
  init(_ request: FitRequest, in context: StageContext, site: Site? = nil) throws {
    self.site = site
    log = context.log
    try request.check()
    if request.merge, let first = request.inputs.first, looksLikePart(first) {
      let part = try FitShard(merging: request.inputs)
      self.request = try part.request(request)
      plan = try FitPlan(ofParts: self.request)
      self.tool = part.tool
      self.part = part
      merged = nil
      return
    }
    self.request = request
    tool = context.tool
    part = nil
    merged = request.merge ? try MergedCalibrations(paths: request.inputs) : nil
    plan = try FitPlan(request, merging: merged)
  }

  /// Reads the files of a share, or all of the request, to be fitted with other parts.
  ///
  /// - Throws: `RSSIError` for inputs that cannot be read.
  func part(_ share: FileShare?) throws -> FitShard {
    let inputs = try share?.files(of: request.inputs) ?? request.inputs
    let origin = try ShardManifest(files: inputs, share: share, of: request.inputs, by: tool)
    var files: [FitReadings] = []
    try forEachFile(of: inputs) { files.append($0) }
    return FitShard(files, of: origin, request, plan)
  }

  /// Reads the inputs and fits them.
  ///
  /// - Throws: `RSSIError` for inputs that cannot be read, or from which no constants follow.
  func result() throws -> FitResult {
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
    return FitResult(
      calibration: calibration, readings: readings, grouping: grouping,
      distanceAt: request.distanceAt)
  }

  /// Reads the inputs.
  func readings() throws -> FitReadings {
    if let merged {
      var readings = merged.readings
      if let stations = separated(merged.files) { readings.stations = stations }
      return readings
    }
    if let part { return try united(part.merged(), part.series) }
    var files = FitReadings()
    try forEachFile(of: request.inputs) { files.merge($0) }
    let readings = try united(files, request.series)
    let doubts = try fitSite?.site.unheardAnchors(
      beacons: Set(files.beacons), receivers: Set(files.receivers))
    for doubt in doubts ?? [] { log.warn(doubt) }
    return readings
  }

  /// - Parameter series: the requested series.
  private func united(_ files: FitReadings, _ series: [String]) throws(RSSIError) -> FitReadings {
    var readings = files
    try readings.unite(series: series)
    if let stations = separated(files.files) { readings.stations = stations }
    return readings
  }

  /// Returns the stations of all files if groups are series and files share some; else nil.
  private func separated(_ files: [(name: String, stations: [Station])]) -> [Station]? {
    guard grouping.parts.contains(.series) else { return nil }
    let series = SeriesOfFiles(files)
    guard !series.shared.isEmpty else { return nil }
    log.warn(
      "several files have the series \(listed(series.shared, 4)): each file's series is fitted separately; "
        + "fit without `by` series to pool them")
    return PathLoss.merged(series.stations)
  }

  /// Reads inputs on all cores, and passes them on in order of their names.
  private func forEachFile(of inputs: [String], _ take: (FitReadings) throws -> Void) throws {
    let inputs = inputs.sorted()
    let progress = FilesProgress("fit: readings", inputs, log: log)
    defer { progress.finish() }
    let addsSilent = plan.estimator == .censored
    let (request, isWeighted, site) = (request, plan.estimator == .weighted, try fitSite)
    try parallelInOrder(inputs.count) { index in
      let (input, notes) = (inputs[index], HeldNotes())
      let gathering = ReadingGathering(
        ReadingSelection(
          series: Set(request.series), minDistance: request.minDistance, addsSilent: addsSilent),
        isWeighted: isWeighted, site: site, isFiltered: request.filtered != nil,
        keepsTimes: request.keepsTimes, progress: progress.file(index), log: notes)
      do {
        try gathering.read(input, filtered: request.filtered, columns: request.columns)
      } catch  where [.calibration, .part].contains(KnownFile(path: input)) {
        throw RSSIError(
          .badInput, "\(input) is a calibration or a part, not readings: combine them with `merge`")
      }
      return (readings: gathering.readings(of: try fittedInputs(input)), notes: notes)
    } take: { file in
      file.notes.pass(to: log)
      try take(file.readings)
    }
  }

  private var fitSite: FitSite? {
    get throws { try site.map(FitSite.init) ?? request.site.map { try FitSite(path: $0) } }
  }

  /// Fits every group, and all readings together.
  ///
  /// - Parameters:
  ///   - readings: the result of `readings()`, or a part of it.
  ///   - progress: receives the number of completed steps, `stepsOfGroup` for each group; all
  ///     readings together count as a group.
  func calibration(
    of readings: FitReadings, progress: any ActivityProgress = SilentLog()
  ) -> Calibration {
    var fit = fit(of: readings.stations)
    fit.drawn = { progress.update($0) }
    let stations =
      plan.estimator == .censored
      ? readings.stations : readings.stations.filter { !$0.levels.isEmpty }
    let common = channelOffsets(stations)
    let hierarchy =
      plan.model == .hierarchical
      ? Hierarchy(reduced(stations, without: common), levels: fit.levels) : nil
    func group(_ all: Grouping.Members) -> PathLossGroup {
      let unheard = all.stations.filter(\.levels.isEmpty)
      var members = all
      members.stations.removeAll(where: \.levels.isEmpty)
      let key = members.key.isEmpty ? "pooled" : members.key
      // The groups of a hierarchical fit share their offsets.
      let offsets =
        members.key.isEmpty || hierarchy != nil ? common : channelOffsets(members.stations)
      let stations = reduced(members.stations, without: offsets)
      var group =
        hierarchy?.group(
          key: key, beacon: members.beacon, receiver: members.receiver, stations)
        ?? fit.group(key: key, stations, unheard: unheard)
      group.series = members.series
      group.beacon = members.beacon
      group.receiver = members.receiver
      if plan.channelOffsets != .none { group.channelOffsets = offsets.offsets }
      group.diagnostics += offsets.diagnostics
      group.diagnostics.addUnits(of: group, members.stations)
      group.diagnostics += Set(members.stations.map(\.receiver)).sorted()
        .compactMap { readings.doubts[$0] }.map { Diagnostic(doubtfulReceiver, $0) }
      return group
    }
    // Reduction is per group, so that pooled positions are those of all readings.
    let pooled = group(Grouping.Members(stations: stations))
    let groups = grouping.split(stations).enumerated().map { done, members in
      let before = (done + 1) * stepsOfGroup
      progress.update(before)
      fit.drawn = { progress.update(before + $0) }
      return group(members)
    }
    return Calibration(
      toolVersion: tool.version, commandLine: tool.commandLine, model: plan.model.name,
      estimator: plan.estimator.rawValue, settings: plan.configuration, by: grouping.description,
      groups: groups.isEmpty ? [pooled] : groups, pooled: pooled, hierarchical: hierarchy?.effects,
      excluded: readings.excluded, inputs: readings.inputs, stations: stations,
      sample: readings.sample)
  }

  private func channelOffsets(_ stations: [Station]) -> ChannelOffsetFit {
    ChannelOffsetFit(plan.channelOffsets, plan.model, stations)
  }

  /// Returns the readings of each position without channel offsets.
  private func reduced(_ stations: [Station], without channels: ChannelOffsetFit) -> [Station] {
    plan.reduction.reduce(
      channels.offsets.isEmpty
        ? stations
        : stations.map {
          $0.removing(
            LinkChannelOffsets(channels.offsets, beacon: $0.beacon, receiver: $0.receiver))
        })
  }

  /// The number of steps for a group: the resamples of its bootstrap, and its fit.
  private var stepsOfGroup: Int { request.bootstrap + 1 }

  private func fit(of stations: [Station]) -> PathLossFit {
    var fit = PathLossFit(model: plan.model, estimator: plan.estimator)
    fit.configuration = plan.configuration
    fit.levels = request.distanceAt.isEmpty ? [-50, -60, -70, -80, -90] : request.distanceAt
    fit.bootstrapDraws = request.bootstrap
    fit.seed = request.seed
    fit.learnSensitivity(of: stations)
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
