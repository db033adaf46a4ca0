import PathLoss
import Support

/// Which model is fitted with which estimator to which groups: what a request states, else what the
/// merged calibrations have in common, else a default.
struct FitPlan {
  let model: PathLossModel
  let estimator: PathLossEstimator
  let reduction: PositionReduction
  let grouping: Grouping
  let settings: FitSettings

  /// Whose offsets of channels are fitted.
  var channelOffsets: ChannelOffsetScope {
    settings.channelOffsets.flatMap(ChannelOffsetScope.init) ?? .none
  }

  /// - Parameter parts: the calibrations that are merged; nil = files are read.
  /// - Throws: `RSSIError` where parts of the request exclude each other.
  init(_ request: FitRequest, merging parts: MergedCalibrations?) throws {
    let agreed = parts?.agreed
    let known = agreed?.settings ?? parts?.chosen ?? FitSettings()
    let name = request.model ?? agreed.flatMap { ModelName(rawValue: $0.model) } ?? .logDistance
    estimator =
      request.estimator ?? agreed.flatMap { PathLossEstimator(rawValue: $0.estimator) }
      ?? .leastSquares
    reduction =
      request.perPosition ?? PositionReduction(rawValue: known.perPosition) ?? .samples
    grouping = request.by ?? parts?.grouping ?? Grouping()
    settings = try Self.settings(request, known, name, reduction)
    model = PathLossModel(name, exponent: settings.exponent ?? 2)
    try check(request, knowsWalls: parts != nil, isWeighted: parts?.isWeighted)
  }

  /// - Parameters:
  ///   - request: names model, estimator, reduction and grouping.
  ///   - settings: those of the parts that are fitted.
  init(_ request: FitRequest, of settings: FitSettings) throws(RSSIError) {
    model = PathLossModel(request.model ?? .logDistance, exponent: settings.exponent ?? 2)
    estimator = request.estimator ?? .leastSquares
    reduction = request.perPosition ?? .samples
    grouping = request.by ?? Grouping()
    self.settings = settings
    try check(request, knowsWalls: true, isWeighted: nil)
  }

  private static func settings(
    _ request: FitRequest, _ known: FitSettings, _ name: ModelName, _ reduction: PositionReduction
  ) throws -> FitSettings {
    var settings = known
    settings.perPosition = reduction.rawValue
    if request.minDistance > 0 { settings.minDistance = request.minDistance }
    if !request.series.isEmpty { settings.series = request.series }
    settings.filtered = request.filtered ?? settings.filtered
    settings.sensitivity = request.sensitivity ?? settings.sensitivity
    settings.lostShare = request.lostShare ?? settings.lostShare
    settings.advertisingInterval = request.advertisingInterval ?? settings.advertisingInterval
    settings.referencePower =
      name == .altBeacon ? request.referencePower ?? settings.referencePower : nil
    settings.exponent =
      name == .fixedExponent ? request.exponent ?? settings.exponent ?? 2 : nil
    if let scope = request.channelOffsets {
      settings.channelOffsets = scope == .none ? nil : scope.rawValue
    }
    if let site = request.site { settings.site = try fittedFiles([site]).first }
    return settings
  }

  private func check(
    _ request: FitRequest, knowsWalls: Bool, isWeighted: Bool?
  ) throws(RSSIError) {
    func refuse(_ isMet: Bool, _ problem: String) throws(RSSIError) {
      if isMet { throw RSSIError(.usage, problem) }
    }
    let isHierarchical = model == .hierarchical
    try refuse(
      estimator == .weighted && isWeighted == false,
      "`estimator` weighted needs readings with weights: merge calibrations that were fitted with it"
    )
    try refuse(
      model == .walls && request.site == nil && !knowsWalls,
      "`model` walls needs `site` site.toml, which has the walls")
    try refuse(
      request.exponent != nil && model.kind != .fixedExponent,
      "`exponent` goes with `model` fixed-exponent: the others fit it")
    try refuse(
      request.referencePower != nil && model != .altBeacon,
      "`referencePower` goes with `model` altbeacon")
    try refuse(
      request.sensitivity != nil && !estimator.needsSensitivity,
      "`sensitivity` goes with `estimator` censored or truncated")
    try refuse(
      (request.advertisingInterval != nil || request.lostShare != nil) && estimator != .censored,
      "`advertisingInterval` and `lostShare` go with `estimator` censored")
    try refuse(
      reduction != .samples && (estimator.needsSensitivity || estimator == .weighted),
      "`perPosition` \(reduction.rawValue) leaves one number a position; `estimator` "
        + "\(estimator.rawValue) needs the single readings")
    try refuse(
      channelOffsets != .none && estimator.needsSensitivity,
      "`channelOffsets` \(channelOffsets.rawValue) does not go with `estimator` "
        + "\(estimator.rawValue), whose sensitivity is one for all channels")
    try refuse(
      channelOffsets != .none && settings.filtered != nil,
      "`channelOffsets` \(channelOffsets.rawValue) goes with raw levels: those of a filter are of "
        + "several channels; leave `filtered` out")
    try refuse(
      isHierarchical && reduction == .median,
      "`perPosition` median goes with the other models; hierarchical takes samples or mean")
    try refuse(
      isHierarchical && grouping.parts.contains(.series),
      "`by` \(grouping) does not go with `model` hierarchical: its groups are beacons, receivers "
        + "or links")
    guard isHierarchical || model == .altBeacon else { return }
    try refuse(
      estimator != .leastSquares,
      "`model` \(model.name) has one estimator of its own: leave out `estimator` "
        + "\(estimator.rawValue)")
    try refuse(
      request.bootstrap > 0, "`bootstrap` goes with the linear models, not with \(model.name)")
  }
}
