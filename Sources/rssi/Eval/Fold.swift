import Geometry
import PathLoss
import Positioning
import Reporting

/// Questions that are answered with the same knowledge: all of them, or those left out of one fit.
struct Fold {
  /// What was left out of the fit, such as the name of a trace; nil where the fit came from
  /// elsewhere.
  var leftOut: String?
  /// The epochs to answer, by target; targets without any are left out.
  var epochs: [(target: Int, epochs: [Int])]
  var constants: LinkConstants
  /// What the algorithms that learn from places may learn from.
  var survey: [(target: AskedTarget, epochs: [Int])]
}

/// What is left out of each fit of a cross-validation.
enum CrossValidation: String, CaseIterable {
  /// A whole recording: nothing of the walk that is scored was fitted.
  case traces
  /// One surveyed place with all its visits, for recordings that stand at many places.
  case places
}

extension Fold {
  /// The constants of this fold, for reports.
  var reported: [ReportedCalibration] {
    let calibration = constants.calibration
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
