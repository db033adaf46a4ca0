import PathLoss
import Support

/// The model, estimator, groups and configuration of a fit: those of the request, else those that
/// all merged calibrations share, else the defaults.
struct FitPlan {
  let model: PathLossModel
  let estimator: PathLossEstimator
  let grouping: Grouping
  let configuration: FitConfiguration

  var reduction: PositionReduction { configuration.perPosition ?? .samples }

  /// The devices whose channel offsets are fitted.
  var channelOffsets: ChannelOffsetScope { configuration.channelOffsets ?? .none }

  /// - Parameter parts: the calibrations that are merged; nil = files are read.
  /// - Throws: `RSSIError` if parts of the request exclude each other.
  init(_ request: FitRequest, merging parts: MergedCalibrations?) throws {
    let agreed = parts?.agreed
    let name = request.model ?? agreed.flatMap { ModelName(rawValue: $0.model) } ?? .logDistance
    estimator =
      request.estimator ?? agreed.flatMap { PathLossEstimator(rawValue: $0.estimator) }
      ?? .leastSquares
    grouping = request.by ?? parts?.grouping ?? Grouping()
    var chosen = request.configuration
    chosen.site = try request.site.flatMap { try fittedFiles([$0]).first }
    chosen = chosen.overriding(agreed?.configuration ?? parts?.chosen ?? FitConfiguration())
    if name != .altBeacon { chosen.referencePower = nil }
    chosen.exponent = name == .fixedExponent ? chosen.exponent ?? 2 : nil
    chosen.perPosition = chosen.perPosition ?? .samples
    configuration = chosen
    model = PathLossModel(name, exponent: chosen.exponent ?? 2)
    try check(request, knowsWalls: parts != nil, isWeighted: parts?.isWeighted)
  }

  /// - Parameter request: the request of the parts that are fitted.
  init(ofParts request: FitRequest) throws(RSSIError) {
    configuration = request.configuration
    model = PathLossModel(request.model ?? .logDistance, exponent: configuration.exponent ?? 2)
    estimator = request.estimator ?? .leastSquares
    grouping = request.by ?? Grouping()
    try check(request, knowsWalls: true, isWeighted: nil)
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
      "`model` walls needs the walls: give `site`")
    try refuse(
      request.exponent != nil && model.kind != .fixedExponent,
      "`exponent` goes with `model` fixed-exponent: the others fit it")
    try refuse(
      request.referencePower != nil && model != .altBeacon,
      "`referencePower` goes with `model` altbeacon")
    try refuse(
      (request.sensitivity != nil || request.sensitivityScale != nil)
        && !estimator.accountsForMissing,
      "`sensitivity` and `sensitivityScale` go with `estimator` censored or truncated")
    try refuse(
      (request.advertisingInterval != nil || request.lostShare != nil) && estimator != .censored,
      "`advertisingInterval` and `lostShare` go with `estimator` censored")
    try refuse(
      reduction.isOneNumber && (estimator.accountsForMissing || estimator == .weighted),
      "`perPosition` \(reduction.rawValue) leaves one number per position; `estimator` "
        + "\(estimator.rawValue) needs the single readings")
    try refuse(
      channelOffsets != .none && estimator.accountsForMissing,
      "`channelOffsets` \(channelOffsets.rawValue) does not go with `estimator` "
        + "\(estimator.rawValue), whose sensitivity is one for all channels")
    try refuse(
      channelOffsets != .none && configuration.filtered != nil,
      "`channelOffsets` \(channelOffsets.rawValue) goes with raw levels: filtered levels mix "
        + "channels; leave out `filtered`")
    try refuse(
      reduction == .packets && (isHierarchical || estimator != .leastSquares),
      "`perPosition` packets goes with `estimator` least-squares and the other models")
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
      "`model` \(model.name) has its own estimator: leave out `estimator` "
        + "\(estimator.rawValue)")
    try refuse(
      request.bootstrap > 0, "`bootstrap` goes with the linear models, not with \(model.name)")
  }
}
