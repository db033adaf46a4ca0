public import PathLoss
public import Support

/// What to fit and how.
public struct FitRequest: Sendable {
  /// Traces, tables of readings, recordings or `-`; calibrations where `merge` is set.
  public var inputs: [String] = []
  /// Whether the inputs are calibrations whose readings are combined.
  public var merge = false
  /// Nil = that of the merged calibrations, else log-distance.
  public var model: ModelName?
  /// Nil = that of the merged calibrations, else least squares.
  public var estimator: PathLossEstimator?
  /// What each position gives to the fit; nil = as the merged calibrations, else its samples.
  public var perPosition: PositionReduction?
  /// The groups; nil = those of the merged calibrations, else one.
  public var by: Grouping?
  /// A site file with walls, and with anchors whose places are missing from the inputs.
  public var site: String?
  /// Of the fixed-exponent model; nil = 2.
  public var exponent: Double?
  /// Of the altbeacon model, dBm; nil = the fitted measured power, rounded.
  public var referencePower: Double?
  /// dBm, for the censored and truncated estimators; nil = each receiver's lowest level.
  public var sensitivity: Double?
  /// Mean time between a beacon's packets, seconds, for the censored estimator.
  public var advertisingInterval: Double?
  /// Share of packets lost independently of their level, for the censored estimator; nil =
  /// estimated.
  public var lostShare: Double?
  /// Names of the traces to fit; empty = all.
  public var series: [String] = []
  /// Metres; nearer readings are left out.
  public var minDistance = 0.0
  /// The filter whose levels are fitted; nil = the raw levels.
  public var filtered: String?
  /// Resamples of positions for additional intervals, 100 to 100,000; 0 = none.
  public var bootstrap = 0
  /// Of the bootstrap.
  public var seed: UInt64 = 1
  /// Levels whose distances are given with intervals, dBm; empty = −50 to −90 in steps of 10.
  public var distanceAt: [Double] = []
  /// Whose offsets of channels are fitted; nil = those of the merged calibrations, else none.
  package var channelOffsets: ChannelOffsetScope?
  /// Whether the readings keep some of their times, for a picture.
  public var keepsTimes = false

  public init() {}

  /// Refuses values that are out of range or exclude each other, whatever the inputs hold.
  public func check() throws(RSSIError) {
    if merge { try checkMerge() }
    try require(
      referencePower.map { $0 < 0 && $0.isFinite },
      "`referencePower` \(shown(referencePower)): "
        + "write a measured power below 0 dBm, such as -59")
    try require(exponent.map(\.isFinite), "`exponent` must be a number")
    try require(
      sensitivity.map(isLevel),
      "`sensitivity` \(shown(sensitivity)): write a level from -127 to below 0 dBm, such as -95")
    let noLevel = distanceAt.first { !isLevel($0) }
    try require(
      noLevel == nil,
      "`distanceAt` \(shown(noLevel)): write a level from -127 to below 0 dBm, such as -75")
    try require(
      minDistance >= 0 && minDistance.isFinite,
      "`minDistance` \(minDistance): write metres, 0 or more")
    try require(
      advertisingInterval.map { $0 > 0 && $0.isFinite },
      "`advertisingInterval` \(shown(advertisingInterval)): write a time above 0 s")
    try require(
      lostShare.map((0..<1).contains),
      "`lostShare` \(shown(lostShare)): write a share from 0 to below 1")
    try require(
      bootstrap == 0 || (100...100_000).contains(bootstrap),
      "`bootstrap` \(bootstrap): write 100 to 100000 draws")
  }

  /// Refuses what chooses readings: those of calibrations are chosen already.
  private func checkMerge() throws(RSSIError) {
    let given = [
      ("series", !series.isEmpty), ("minDistance", minDistance != 0),
      ("filtered", filtered != nil), ("site", site != nil),
    ]
    guard let name = given.first(where: \.1)?.0 else { return }
    throw RSSIError(
      .usage,
      "`\(name)` does not go with `merge`, whose readings are chosen already: give it to the "
        + "fits that are merged")
  }

  /// What chooses a fit rather than readings, and whether it was given.
  var fitted: [(name: String, isGiven: Bool)] {
    [
      ("model", model != nil), ("estimator", estimator != nil),
      ("perPosition", perPosition != nil), ("by", by != nil), ("exponent", exponent != nil),
      ("referencePower", referencePower != nil), ("sensitivity", sensitivity != nil),
      ("advertisingInterval", advertisingInterval != nil), ("lostShare", lostShare != nil),
      ("bootstrap", bootstrap != 0), ("seed", seed != 1), ("distanceAt", !distanceAt.isEmpty),
      ("channelOffsets", channelOffsets != nil),
    ]
  }

  private func require(
    _ isMet: Bool?, _ problem: @autoclosure () -> String
  ) throws(RSSIError) {
    if isMet == false { throw RSSIError(.usage, problem()) }
  }

  private func isLevel(_ level: Double) -> Bool { (-127..<0).contains(level) }

  private func shown(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
}

/// A calibration, and what a picture of it needs.
public struct FitResult {
  public var calibration: Calibration
  package var readings: FitReadings
  public var grouping: Grouping
  /// Levels whose distances were asked for, dBm.
  package var distanceAt: [Double] = []
}

/// Fits path-loss constants to readings at known distances.
///
/// ```swift
/// var request = FitRequest()
/// request.inputs = ["bench.h5"]
/// let fit = try FitStage(request).run(in: StageContext(tool: tool))
/// print(fit.calibration.pooled.exponent ?? .nan)
/// ```
public struct FitStage: Stage {
  private let request: FitRequest

  public init(_ request: FitRequest) { self.request = request }

  public func run(in context: StageContext) throws -> FitResult {
    try FitRun(request, in: context).result()
  }

  /// Reads the files of a share, or all of the request, to be fitted with other parts.
  package func part(_ share: FileShare?, in context: StageContext) throws -> FitPart {
    try FitRun(request, in: context).part(share)
  }
}
