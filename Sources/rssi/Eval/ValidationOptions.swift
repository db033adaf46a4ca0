public import ArgumentParser
import PathLoss
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

  /// Fills in a request.
  func apply(to request: inout EvaluationRequest) {
    request.crossValidate = crossValidate
    request.by = by
    request.estimator = estimator
    request.group = group
    request.survey = survey
    request.inSample = inSample
  }
}

extension CrossValidation: ExpressibleByArgument {}
