import NumericalMethods

/// The estimate of a linear model.
struct LinearFit {
  /// The coefficients of the centred design, without other parameters such as log σ, which follow
  /// them in the blocks of `positions`.
  var coefficients: [Double]
  /// The standard deviation of single readings about the prediction, in dB.
  var sigma: Double
  /// The information and score of each position.
  var positions: [PositionInformation]
  /// Minus the second and the first derivative, by station, of the criterion with respect to the
  /// prediction; `nil` if there are parameters other than coefficients.
  var byStation: (curvature: [Double], slope: [Double])?
  var hasConverged = true
  var iterations = 1
  var logLikelihood: Double?
  /// The share of packets lost for reasons other than their level.
  var lostShare: Double?
}

/// The contribution of one position to a fit: the second and first derivatives of its part of the
/// criterion.
/// criterion.
struct PositionInformation {
  /// Minus the second derivatives.
  var information: Matrix
  /// The first derivatives; those of all positions sum to 0.
  var score: [Double]
}

/// The reason why an estimator has no result.
enum NotFitted: Error, Equatable {
  /// The stations do not determine every coefficient.
  case undetermined
  /// A reason in words.
  case reason(String)
}

extension Observations {
  /// Returns the information and score of each position, from a weight and a sum per station.
  ///
  /// - Parameters:
  ///   - curvature: Minus the second derivative with respect to the station's prediction, by
  ///     station.
  ///   - slope: The first derivative, by station.
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

/// A method that estimates constants from readings.
public enum PathLossEstimator: String, CaseIterable, Sendable {
  /// Ordinary least squares.
  case leastSquares = "least-squares"
  /// Least squares with each reading weighted by the inverse of its variance.
  case weighted
  /// Robust regression with Huber's weights.
  case huber
  /// Robust regression with Tukey's bisquare weights.
  case tukey
  /// Robust regression with Cauchy's weights.
  case cauchy
  /// Maximum likelihood with a known number of missed packets.
  case censored
  /// Maximum likelihood with an unknown number of missed packets.
  case truncated

  /// A Boolean value that is true if it requires the sensitivity of each receiver.
  public var needsSensitivity: Bool { self == .censored || self == .truncated }
}
