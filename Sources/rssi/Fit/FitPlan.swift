import Filtering
import Inputs
import PathLoss
import Support
import TracePipelines
import TraceStore

/// The readings of a fit, and where they are from.
struct FitReadings {
  var stations: [Station] = []
  var excluded: [String: Int] = [:]
  var inputs: [Calibration.Input] = []
  /// By receiver, what is wrong with its levels.
  var doubts: [String: String] = [:]
  /// Some of the readings with their times, for a picture; nil where they are not known.
  var timed: [TimedReading]?
}

/// Which model is fitted with which estimator to which groups.
struct FitPlan {
  private let options: FitOptions
  private let model: PathLossModel
  private let estimator: PathLossEstimator
  private let reduction: PositionReduction
  private let settings: FitSettings

  /// - Parameter agreed: the settings of calibrations that are merged, which hold where the command
  ///   line says nothing else.
  init(_ options: FitOptions, merging parts: MergedCalibrations?) throws {
    self.options = options
    let agreed = parts?.agreed
    var settings = agreed?.settings ?? parts?.chosen ?? FitSettings()
    let name = options.model ?? agreed.flatMap { ModelName(rawValue: $0.model) } ?? .logDistance
    estimator =
      options.estimator ?? agreed.flatMap { PathLossEstimator(rawValue: $0.estimator) }
      ?? .leastSquares
    reduction =
      options.perPosition ?? PositionReduction(rawValue: settings.perPosition) ?? .samples
    settings.perPosition = reduction.rawValue
    if options.minDistance > 0 { settings.minDistance = options.minDistance }
    if !options.series.isEmpty { settings.series = options.series }
    settings.filtered = options.filtered ?? settings.filtered
    settings.sensitivity = options.sensitivity ?? settings.sensitivity
    settings.lostShare = options.lostShare ?? settings.lostShare
    if let text = options.advertisingInterval {
      guard let interval = duration(text), interval > 0 else {
        throw RSSIError(
          .usage, "--advertising-interval \(text): write a time such as 100ms or 1s")
      }
      settings.advertisingInterval = Double(interval) / 1e9
    }
    settings.referencePower =
      name == .altBeacon ? options.referencePower ?? settings.referencePower : nil
    if let site = options.site {
      settings.site = try ToolIdentity.program.provenance(of: "fit", inputs: [site]).inputs.first
        .map { Calibration.Input(name: $0.name, sha256: $0.sha256) }
    }
    settings.exponent =
      name == .fixedExponent ? options.exponent ?? settings.exponent ?? 2 : nil
    self.settings = settings
    switch name {
    case .logDistance: model = .logDistance
    case .fixedExponent: model = .fixedExponent(settings.exponent ?? 2)
    case .twoSlope: model = .twoSlope
    case .walls: model = .walls
    case .altBeacon: model = .altBeacon
    case .hierarchical: model = .hierarchical
    }
    try check(name, merging: parts)
  }

  var isHierarchical: Bool { model == .hierarchical }

  private func check(_ name: ModelName, merging parts: MergedCalibrations?) throws {
    func refuse(_ words: String) -> RSSIError { RSSIError(.usage, words) }
    if let parts, estimator == .weighted, !parts.isWeighted {
      throw refuse(
        "--estimator weighted needs readings with weights: merge calibrations that were fitted "
          + "with it"
      )
    }
    if name == .walls, options.site == nil, parts == nil {
      throw refuse("--model walls needs --site site.toml, which tells where the walls are")
    }
    if options.exponent != nil, name != .fixedExponent {
      throw refuse("--exponent goes with --model fixed-exponent: the others fit it")
    }
    if options.referencePower != nil, name != .altBeacon {
      throw refuse("--reference-power goes with --model altbeacon")
    }
    if let power = settings.referencePower, !(power < 0 && power.isFinite) {
      throw refuse("--reference-power \(power): write a measured power below 0 dBm, such as -59")
    }
    if let exponent = settings.exponent, !exponent.isFinite {
      throw refuse("--exponent must be a number")
    }
    if options.sensitivity != nil, !estimator.needsSensitivity {
      throw refuse("--sensitivity goes with --estimator censored or truncated")
    }
    if options.advertisingInterval != nil || options.lostShare != nil, estimator != .censored {
      throw refuse("--advertising-interval and --lost-share go with --estimator censored")
    }
    if let edge = options.sensitivity, !(-127..<0).contains(edge) {
      throw refuse("--sensitivity \(edge): write a level from -127 to below 0 dBm, such as -95")
    }
    if let level = options.distanceAt.first(where: { !(-127..<0).contains($0) }) {
      throw refuse("--distance-at \(level): write a level from -127 to below 0 dBm, such as -75")
    }
    guard options.minDistance >= 0, options.minDistance.isFinite else {
      throw refuse("--min-distance \(options.minDistance): write metres, 0 or more")
    }
    if let share = settings.lostShare, !(0..<1).contains(share) {
      throw refuse("--lost-share \(share): write a share from 0 to below 1")
    }
    if reduction != .samples, estimator.needsSensitivity || estimator == .weighted {
      throw refuse(
        "--per-position \(reduction.rawValue) leaves one number a position; --estimator "
          + "\(estimator.rawValue) needs the single readings"
      )
    }
    guard (0...100_000).contains(options.bootstrap),
      options.bootstrap == 0 || options.bootstrap >= 100
    else { throw refuse("--bootstrap \(options.bootstrap): write 100 to 100000 draws") }
    let isLinear = name != .altBeacon && name != .hierarchical
    if name == .hierarchical, reduction == .median {
      throw refuse(
        "--per-position median goes with the other models; hierarchical takes samples or mean")
    }
    if !isLinear, estimator != .leastSquares {
      throw refuse(
        "--model \(name.rawValue) has one estimator of its own: leave out --estimator "
          + "\(estimator.rawValue)"
      )
    }
    if !isLinear, options.bootstrap > 0 {
      throw refuse("--bootstrap goes with the linear models, not with \(name.rawValue)")
    }
  }

  /// Reads the inputs.
  ///
  /// - Parameter keepsTimes: whether a picture will show readings against time.
  func gather(
    _ inputs: [String], keepsTimes: Bool = false, reporting: ReportingOptions
  ) throws -> FitReadings {
    var gathering = ReadingGathering(
      series: Set(options.series), minDistance: options.minDistance,
      isWeighted: estimator == .weighted, site: try options.site.map { try FitSite(path: $0) },
      keepsTimes: keepsTimes)
    var readings = FitReadings()
    for input in inputs {
      do {
        try gathering.read(input, filtered: options.filtered) {
          reporting.log.progress("fit \(input)", total: $0)
        }
      } catch  where looksLikeCalibration(input) {
        throw RSSIError(
          .badInput,
          "\(input) is a calibration, not readings: put calibrations together with --merge")
      }
      readings.inputs += try fittedInputs(input)
    }
    try requireDifferent(readings.inputs)
    if let missing = options.series.first(where: { !gathering.seenSeries.contains($0) }) {
      throw RSSIError(
        .badInput,
        "there is no series \"\(missing)\"; there are "
          + gathering.seenSeries.sorted().joined(separator: ", "))
    }
    if let strangeness = gathering.strangeness { reporting.note(strangeness) }
    readings.stations = gathering.stations
    readings.excluded = gathering.excluded
    readings.doubts = gathering.doubts
    readings.timed = gathering.timed
    return readings
  }

  /// Fits every group, and all readings together.
  func calibration(
    _ readings: FitReadings, by grouping: Grouping, toolVersion: String, commandLine: String
  ) -> Calibration {
    var fit = PathLossFit(model: model, estimator: estimator)
    fit.advertisingInterval = settings.advertisingInterval
    fit.lostShare = settings.lostShare
    fit.referencePower = settings.referencePower
    fit.levels = options.distanceAt.isEmpty ? [-50, -60, -70, -80, -90] : options.distanceAt
    fit.bootstrapDraws = options.bootstrap
    fit.seed = options.seed
    for station in readings.stations {
      guard let weakest = station.levels.first?.level else { continue }
      let known = fit.sensitivity[station.receiver] ?? weakest
      fit.sensitivity[station.receiver] = settings.sensitivity ?? min(known, weakest)
    }
    let hierarchy =
      model == .hierarchical
      ? Hierarchy(reduction.reduce(readings.stations), levels: fit.levels) : nil
    func group(_ members: Grouping.Members) -> PathLossGroup {
      let key = members.key.isEmpty ? "pooled" : members.key
      let stations = reduction.reduce(members.stations)
      var group =
        hierarchy?.group(
          key: key, beacon: members.beacon, receiver: members.receiver, stations)
        ?? fit.group(key: key, stations)
      group.series = members.series
      group.beacon = members.beacon
      group.receiver = members.receiver
      group.diagnostics += Set(members.stations.map(\.receiver)).sorted()
        .compactMap { readings.doubts[$0] }.map { Diagnostic("doubtful-receiver", $0) }
      return group
    }
    // In a group by group reduction, so that pooled positions are those of all readings.
    let pooled = group(Grouping.Members(stations: readings.stations))
    let groups = grouping.split(readings.stations).map(group)
    return Calibration(
      toolVersion: toolVersion, commandLine: commandLine, model: model.name,
      estimator: estimator.rawValue, settings: settings, by: grouping.description,
      groups: groups.isEmpty ? [pooled] : groups, pooled: pooled, hierarchical: hierarchy?.effects,
      excluded: readings.excluded, inputs: readings.inputs, stations: readings.stations)
  }
}
