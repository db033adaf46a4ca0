public import ArgumentParser
public import PathLoss
import Support

/// What to fit and how.
struct FitOptions: ParsableArguments {
  @Option(
    help:
      "log-distance, fixed-exponent, two-slope, walls, altbeacon or hierarchical (default: log-distance)."
  )
  var model: ModelName?

  @Option(
    help: "A site file (TOML) with walls, and anchors that the inputs do not know the places of.")
  var site: String?

  @Option(
    parsing: .unconditional, help: "The exponent that fixed-exponent takes as known (default: 2).")
  var exponent: Double?

  @Option(
    parsing: .unconditional,
    help:
      "The measured power in dBm that altbeacon's curve refers to (default: the fitted one, rounded)."
  )
  var referencePower: Double?

  @Option(
    help:
      "least-squares, weighted, huber, tukey, cauchy, censored or truncated (default: least-squares)."
  )
  var estimator: PathLossEstimator?

  @Option(
    parsing: .unconditional,
    help:
      "The lowest level in dBm that receivers hear, for censored and truncated (default: the lowest that each heard)."
  )
  var sensitivity: Double?

  @Option(
    help:
      "Mean time between a beacon's packets, such as 105ms for one set to 100 ms (0 to 10 ms are added at random): tells censored how many were missed."
  )
  var advertisingInterval: String?

  @Option(
    help: "The share of packets lost whatever their level, for censored (default: estimated).")
  var lostShare: Double?

  @Option(
    help:
      "What each position gives to the fit: samples (every one), their mean or their median (default: samples)."
  )
  var perPosition: PositionReduction?

  @Option(help: "Only these series (traces); may be repeated.")
  var series: [String] = []

  @Option(parsing: .unconditional, help: "Only readings at this distance or more, in metres.")
  var minDistance: Double = 0

  @Option(
    help:
      "The filter whose levels to fit, in place of the raw ones; weighted needs one that tells variances."
  )
  var filtered: String?

  @Option(
    parsing: .unconditional,
    help: "Also intervals from so many draws of positions with replacement, 100 to 100000.")
  var bootstrap: Int = 0

  @Option(help: "Another number draws other positions.")
  var seed: UInt64 = 1

  @Option(
    parsing: .unconditionalSingleValue,
    help:
      "Also the distance that this level in dBm means, such as -75, with its intervals; may be repeated."
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
