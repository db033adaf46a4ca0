import NumericalMethods

/// What an estimator of a linear model found.
struct LinearFit {
  /// Of the centred design; parameters that are not coefficients, such as log σ, come after them in
  /// the blocks, and not here.
  var coefficients: [Double]
  /// Standard deviation of single readings about the prediction, dB.
  var sigma: Double
  /// What each position knows of the parameters.
  var positions: [PositionInformation]
  /// By station, minus the second and the first derivative of the criterion with respect to the
  /// prediction; nil where there are parameters that are not coefficients.
  var byStation: (curvature: [Double], slope: [Double])?
  var hasConverged = true
  var iterations = 1
  var logLikelihood: Double?
  /// The share of packets lost for other reasons than their level.
  var lostShare: Double?
}

/// What one position contributes to a fit: the second and first derivatives of its part of the
/// criterion.
struct PositionInformation {
  /// Minus the second derivatives.
  var information: Matrix
  /// The first derivatives; those of all positions sum to 0.
  var score: [Double]
}

/// Why an estimator has no answer.
enum NotFitted: Error, Equatable {
  /// The stations do not determine every coefficient.
  case undetermined
  /// In words.
  case reason(String)
}

extension Observations {
  /// The information and score of each position, from a weight and a sum a station.
  ///
  /// - Parameters:
  ///   - curvature: by station, minus the second derivative with respect to its prediction.
  ///   - slope: by station, the first derivative.
  func positionInformation(curvature: [Double], slope: [Double]) -> [PositionInformation] {
    let empty = PositionInformation(
      information: Matrix(zeros: parameters, parameters),
      score: [Double](repeating: 0, count: parameters))
    var positions = [PositionInformation](repeating: empty, count: clusterCount)
    for station in 0..<stations {
      let base = station * parameters
      let position = cluster[station]
      for row in 0..<parameters {
        positions[position].score[row] += slope[station] * design[base + row]
        for column in 0..<parameters {
          positions[position].information[row, column] +=
            curvature[station] * design[base + row] * design[base + column]
        }
      }
    }
    return positions
  }
}

/// A method to estimate constants from readings.
public enum PathLossEstimator: String, CaseIterable, Sendable {
  /// Ordinary least squares.
  case leastSquares = "least-squares"
  /// Least squares with each reading weighed by the inverse of its variance.
  case weighted
  /// Robust regression with Huber's weights.
  case huber
  /// Robust regression with Tukey's bisquare weights.
  case tukey
  /// Robust regression with Cauchy's weights.
  case cauchy
  /// Maximum likelihood where it is known how many packets were missed.
  case censored
  /// Maximum likelihood where packets were missed, it is not known how many.
  case truncated

  /// A Boolean value that is true if it needs to know what each receiver can hear.
  public var needsSensitivity: Bool { self == .censored || self == .truncated }
}
