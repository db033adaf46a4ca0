import ArgumentParser
import PathLoss
import Support
import TracePipelines

/// How what is scored is kept apart from what was fitted.
struct ValidationOptions: ParsableArguments {
  @Option(
    help:
      "Score each trace or place with a fit of the others.")
  var crossValidate: CrossValidation?

  @Option(
    help: "With --cross-validate: grouping of the fits, like `rssi fit --by` (default: pooled).")
  var by: Grouping?

  @Option(
    help:
      "With --cross-validate: estimator of the fits (default: least-squares)."
  )
  var estimator: PathLossEstimator?

  @Option(help: "Group of the calibration to use for all links, such as a series of distances.")
  var group: String?

  @Option(
    help:
      "Trace with truth, not scored, that fingerprint and gaussian-process learn the site from; repeatable."
  )
  var survey: [String] = []

  @Flag(
    help:
      "Also score traces that the constants were fitted on; every output is marked as in-sample.")
  var inSample = false

  /// Whether there are recordings to learn a site from: given ones, or those not left out.
  var hasSurvey: Bool { crossValidate != nil || !survey.isEmpty }

  /// - Throws: `RSSIError` for options that do not go together.
  func check(calibration: String?, epoch: String) throws {
    func refuse(_ words: String) throws { throw RSSIError(.usage, words) }
    if calibration == nil, crossValidate == nil {
      try refuse(
        "give the path-loss constants with --calibration, or have them fitted with "
          + "--cross-validate traces"
      )
    }
    if calibration != nil, crossValidate != nil {
      try refuse(
        "--calibration and --cross-validate do not go together: one brings constants, the other "
          + "fits them"
      )
    }
    if crossValidate == .places, epoch != "stay", epoch != "place" {
      try refuse(
        "--cross-validate places goes with --epoch stay or --epoch place: on a walk every epoch is "
          + "a place of its own, and its neighbours would be learned from"
      )
    }
    if crossValidate == nil {
      if by != nil {
        try refuse("--by goes with --cross-validate: a calibration has its groups already")
      }
      if estimator != nil {
        try refuse("--estimator goes with --cross-validate: a calibration is fitted already")
      }
    } else {
      if group != nil { try refuse("--group goes with --calibration, not with --cross-validate") }
      if inSample {
        try refuse(
          "--in-sample does not go with --cross-validate, which never scores what it fitted")
      }
    }
  }
}

extension CrossValidation: ExpressibleByArgument {}
