public import PathLoss
public import Recordings
public import Support

/// The readings to fit, and the settings of the fit.
@dynamicMemberLookup
public struct FitRequest: Sendable {
  /// Traces, tables of readings, recordings or `-`; calibrations where `merge` is set.
  public var inputs: [String] = []
  /// The columns of tables of other programs.
  public var columns = ColumnMap()
  /// A Boolean value that is true if the inputs are calibrations whose readings are combined.
  public var merge = false
  /// The model; nil = that of the merged calibrations, else log-distance.
  public var model: ModelName?
  /// The estimator; nil = that of the merged calibrations, else least squares.
  public var estimator: PathLossEstimator?
  /// The groups; nil = those of the merged calibrations, else one.
  public var by: Grouping?
  /// A site file with walls, and with anchors whose places are missing from the inputs.
  public var site: String?
  /// Resamples of positions for additional intervals, 100 to 100,000; 0 = none.
  public var bootstrap = 0
  /// The seed of the random numbers of the bootstrap.
  public var seed: UInt64 = 1
  /// Levels whose distances are reported with intervals, dBm; empty = −50 to −90 in steps of 10.
  public var distanceAt: [Double] = []
  /// A Boolean value that is true if readings keep some of their times, for a picture.
  public var keepsTimes = false

  /// The configuration of the fit, whose members the request has as well: `request.lostShare`.
  public var configuration = FitConfiguration()

  /// Creates a request without inputs.
  public init() {}

  /// Accesses a member of ``configuration``.
  public subscript<Value>(
    dynamicMember path: WritableKeyPath<FitConfiguration, Value>
  ) -> Value {
    get { configuration[keyPath: path] }
    set { configuration[keyPath: path] = newValue }
  }

  /// Refuses values that are out of range or exclude each other, whatever the inputs hold.
  public func check() throws(RSSIError) {
    if merge { try checkMerge() }
    try configuration.check()
    if let level = distanceAt.first(where: { !(-127..<0).contains($0) }) {
      throw RSSIError(
        .usage,
        "`distanceAt` \(level): expected a level from -127 to below 0 dBm, such as -75")
    }
    guard bootstrap == 0 || (100...100_000).contains(bootstrap) else {
      throw RSSIError(.usage, "`bootstrap` \(bootstrap): expected 100 to 100000 resamples")
    }
  }

  /// Refuses options that select readings: calibrations have their readings already.
  private func checkMerge() throws(RSSIError) {
    let given = [
      ("series", !configuration.series.isEmpty),
      ("minDistance", configuration.minDistance != 0),
      ("filtered", configuration.filtered != nil), ("site", site != nil),
    ]
    guard let name = given.first(where: \.1)?.0 else { return }
    throw RSSIError(
      .usage,
      "`\(name)` does not go with `merge`, whose readings are already selected: give it to the "
        + "fits that are merged")
  }

  /// The options that select a fit rather than readings, and whether each was given.
  var fitted: [(name: String, isGiven: Bool)] {
    [("model", model != nil), ("estimator", estimator != nil), ("by", by != nil)]
      + configuration.given
      + [
        ("bootstrap", bootstrap != 0), ("seed", seed != 1), ("distanceAt", !distanceAt.isEmpty),
      ]
  }
}

/// A calibration, and the data for its picture.
public struct FitResult {
  /// The fitted calibration.
  public var calibration: Calibration
  package var readings: FitReadings
  /// The grouping of the readings.
  public var grouping: Grouping
  /// Levels whose distances were requested, dBm.
  package var distanceAt: [Double] = []
}

/// Fits path-loss constants to readings at known distances.
///
/// ```swift
/// var request = FitRequest()
/// request.inputs = ["bench.h5"]
/// let fit = try FitStage(request).run()
/// print(fit.calibration.pooled.exponent ?? .nan)
/// ```
public struct FitStage: Stage {
  private let request: FitRequest

  public init(_ request: FitRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> FitResult {
    try FitRun(request, in: context).result()
  }

  /// Reads the files of a share, or all of the request, to be fitted with other parts.
  package func part(_ share: FileShare?, in context: StageContext) throws -> FitShard {
    try FitRun(request, in: context).part(share)
  }
}
