public import ArgumentParser
package import PathLoss
import Support
public import TracePipelines

/// The model, the estimator and the readings to fit.
struct FitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Path-loss model (default: log-distance).", valueName: "model"))
  var model: ModelName?

  @Option(
    help: ArgumentHelp(
      "Site file (TOML) with walls, and anchors whose positions are missing from the inputs.",
      valueName: "file"), completion: .file())
  var site: SitePath?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exponent of the fixed-exponent model (default: 2).", valueName: "number"))
  var exponent: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Reference power of the altbeacon model in dBm (default: the fitted measured power, rounded).",
      valueName: "dbm"))
  var referencePower: Double?

  @Option(help: ArgumentHelp("Estimator (default: least-squares).", valueName: "estimator"))
  var estimator: PathLossEstimator?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Level in dBm at which half of the packets are lost, for censored and truncated (default: estimated).",
      valueName: "dbm"))
  var sensitivity: Double?

  @Option(
    help: ArgumentHelp(
      "Scale in dB of the logistic curve of reception about it; 0 is a step (default: estimated).",
      valueName: "db"))
  var sensitivityScale: Double?

  @Option(
    help: ArgumentHelp(
      "Mean time between a beacon's packets, for censored to count missed packets; 105ms for a setting of 100 ms, as beacons add 0 to 10 ms at random.",
      valueName: "time"))
  var advertisingInterval: String?

  @Option(
    help: ArgumentHelp(
      "Share of packets lost independently of their level, for censored (default: estimated).",
      valueName: "share"))
  var lostShare: Double?

  @Option(
    help: ArgumentHelp(
      "Readings of each position that enter the fit: all samples, their mean or median, or all packets with equal weights (default: samples).",
      valueName: "reading"))
  var perPosition: PositionReduction?

  @Option(
    help: ArgumentHelp(
      "Also fit what levels on each channel lie above the mean over channels, of each: receiver, beacon, both, or none (default: none).",
      valueName: "device"))
  var channelOffsets: ChannelOffsetScope?

  @Option(help: ArgumentHelp("Use only this series (trace); repeatable.", valueName: "name"))
  var series: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Use only readings at this distance or more, in metres.", valueName: "metres"))
  var minDistance: Double = 0

  @Option(
    help: ArgumentHelp(
      "Fit the levels of this filter instead of the raw ones; weighted needs a filter with variances.",
      valueName: "filter"))
  var filtered: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of bootstrap resamples of positions for additional intervals, 100 to 100000.",
      valueName: "n"))
  var bootstrap: Int = 0

  @Option(help: ArgumentHelp("Random seed for the bootstrap.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Also print the distance for this level in dBm, such as -75, with intervals; repeatable.",
      valueName: "dbm"))
  var distanceAt: [Double] = []

  /// The request, without its inputs.
  func request() throws -> FitRequest {
    var request = FitRequest()
    request.model = model
    request.estimator = estimator
    request.perPosition = perPosition
    request.site = site?.path
    request.exponent = exponent
    request.referencePower = referencePower
    request.sensitivity = sensitivity
    request.sensitivityScale = sensitivityScale
    request.advertisingInterval = try advertisingInterval.map(seconds)
    request.lostShare = lostShare
    request.series = series
    request.minDistance = minDistance
    request.filtered = filtered
    request.bootstrap = bootstrap
    request.seed = seed
    request.distanceAt = distanceAt
    request.channelOffsets = channelOffsets
    return request
  }

  private func seconds(_ text: String) throws -> Double {
    try time(text, "--advertising-interval") / .seconds(1)
  }
}

extension ModelName: ExpressibleByArgument {}
extension PathLossEstimator: ExpressibleByArgument {}
extension PositionReduction: ExpressibleByArgument {}
extension ChannelOffsetScope: ExpressibleByArgument {}

extension Grouping: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }

  public static var allValueStrings: [String] {
    ["pooled", "beacon", "receiver", "series", "link"]
  }

  public var defaultValueDescription: String { description }
}
