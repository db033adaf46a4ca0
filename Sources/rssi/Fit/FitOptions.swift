public import ArgumentParser
package import PathLoss
import Support
public import TracePipelines

/// What to fit and how.
struct FitOptions: ParsableArguments {
  @Option(help: "Path-loss model (default: log-distance).")
  var model: ModelName?

  @Option(
    help: "Site file (TOML) with walls, and anchors whose positions are missing from the inputs.")
  var site: String?

  @Option(
    parsing: .unconditional, help: "Exponent of the fixed-exponent model (default: 2).")
  var exponent: Double?

  @Option(
    parsing: .unconditional,
    help:
      "Reference power of the altbeacon model in dBm (default: the fitted measured power, rounded)."
  )
  var referencePower: Double?

  @Option(help: "Estimator (default: least-squares).")
  var estimator: PathLossEstimator?

  @Option(
    parsing: .unconditional,
    help:
      "Receiver sensitivity in dBm, for censored and truncated (default: each receiver's lowest level)."
  )
  var sensitivity: Double?

  @Option(
    help:
      "Mean time between a beacon's packets, for censored to count missed packets; 105ms for a setting of 100 ms, as beacons add 0 to 10 ms at random."
  )
  var advertisingInterval: String?

  @Option(
    help: "Share of packets lost independently of their level, for censored (default: estimated).")
  var lostShare: Double?

  @Option(
    help:
      "Readings of each position that enter the fit: all samples, their mean or their median (default: samples)."
  )
  var perPosition: PositionReduction?

  @Option(help: "Use only this series (trace); repeatable.")
  var series: [String] = []

  @Option(parsing: .unconditional, help: "Use only readings at this distance or more, in metres.")
  var minDistance: Double = 0

  @Option(
    help:
      "Fit the levels of this filter instead of the raw ones; weighted needs a filter with variances."
  )
  var filtered: String?

  @Option(
    parsing: .unconditional,
    help: "Number of bootstrap resamples of positions for additional intervals, 100 to 100000.")
  var bootstrap: Int = 0

  @Option(help: "Random seed for the bootstrap.")
  var seed: UInt64 = 1

  @Option(
    parsing: .unconditionalSingleValue,
    help: "Also print the distance for this level in dBm, such as -75, with intervals; repeatable.")
  var distanceAt: [Double] = []

  /// The request, without its inputs.
  func request() throws -> FitRequest {
    var request = FitRequest()
    request.model = model
    request.estimator = estimator
    request.perPosition = perPosition
    request.site = site
    request.exponent = exponent
    request.referencePower = referencePower
    request.sensitivity = sensitivity
    request.advertisingInterval = try advertisingInterval.map(seconds)
    request.lostShare = lostShare
    request.series = series
    request.minDistance = minDistance
    request.filtered = filtered
    request.bootstrap = bootstrap
    request.seed = seed
    request.distanceAt = distanceAt
    return request
  }

  private func seconds(_ text: String) throws -> Double {
    guard let interval = duration(text), interval > 0 else {
      throw RSSIError(.usage, "--advertising-interval \(text): write a time such as 100ms or 1s")
    }
    return Double(interval) / 1e9
  }
}

extension ModelName: ExpressibleByArgument {}
extension PathLossEstimator: ExpressibleByArgument {}
extension PositionReduction: ExpressibleByArgument {}

extension Grouping: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }

  public var defaultValueDescription: String { description }
}
