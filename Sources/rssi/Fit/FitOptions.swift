public import ArgumentParser
public import PathLoss
import Support

/// What to fit and how.
struct FitOptions: ParsableArguments {
  @Option(
    help:
      "Path-loss model (default: log-distance)."
  )
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

  @Option(
    help:
      "Estimator (default: least-squares)."
  )
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
    help:
      "Also print the distance for this level in dBm, such as -75, with intervals; repeatable."
  )
  var distanceAt: [Double] = []

  /// Refuses what chooses readings: those of calibrations are chosen already.
  func refuseForMerge() throws {
    let given = [
      ("--series", !series.isEmpty), ("--min-distance", minDistance != 0),
      ("--filtered", filtered != nil), ("--site", site != nil),
    ]
    if let option = given.first(where: \.1) {
      throw RSSIError(
        .usage,
        "\(option.0) does not go with --merge, whose readings are chosen already: give it to the "
          + "fits that are merged"
      )
    }
  }
}

enum ModelName: String, ExpressibleByArgument, CaseIterable {
  case logDistance = "log-distance"
  case fixedExponent = "fixed-exponent"
  case twoSlope = "two-slope"
  case walls
  case altBeacon = "altbeacon"
  case hierarchical
}

extension PathLossEstimator: ExpressibleByArgument {}
extension PositionReduction: ExpressibleByArgument {}
