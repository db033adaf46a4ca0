import Evaluation
import PathLoss

/// Epochs of one of the targets.
struct TargetEpochs: Equatable {
  /// The target's place in the list of targets.
  var target: Int
  var epochs: [Int]
}

/// Questions that are answered with the same knowledge: all of them, or those left out of one fit.
struct Fold {
  /// Its place in the list of all folds.
  var number: Int
  /// What was left out of the fit, such as the name of a trace; nil where the fit came from
  /// elsewhere.
  var leftOut: String?
  /// The epochs to answer, by target; targets without any are left out.
  var scored: [TargetEpochs]
  /// The epochs that the knowledge is from, of the same targets.
  var learned: [TargetEpochs] = []
  var knowledge: SiteKnowledge
  /// The targets to answer about as they were heard without the fold's offsets of channels, by their
  /// places in the list of targets; empty where the fit has none.
  var targets: [Int: AskedTarget] = [:]
  /// What a person should know of its fit.
  var notes: [String] = []

  /// The constants of this fold, for reports.
  var reportedConstants: [ReportedCalibration] {
    let calibration = knowledge.constants.calibration
    var groups = calibration.groups
    if !groups.contains(where: { $0.key == calibration.pooled.key }) {
      groups.append(calibration.pooled)
    }
    return groups.compactMap { group in
      group.constants.map {
        ReportedCalibration(
          group: group.key == "pooled" ? "all links" : group.key, leftOut: leftOut,
          measuredPower: $0.measuredPower, exponent: $0.exponent, sigma: $0.sigma,
          samples: group.samples)
      }
    }
  }
}
