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
  /// A Boolean value that is true for least squares whose weights are from variance components.
  var isWeighedByComponents = false
  var hasConverged = true
  var iterations = 1
  var logLikelihood: Double?
  /// The share of packets lost for reasons other than their level.
  var lostShare: Double?
  /// The reception and the scatter of an estimator that accounts for missing packets.
  var reception: Reception?

  struct Reception {
    var edge: ReceptionEdge
    /// The estimated level of half reception, in dBm.
    var level: Double
    /// The scale of the edge, in dB; 0 if it is hard.
    var scale: Double
    /// The standard deviation that the packets of a position share, in dB.
    var positionDeviation: Double
    /// The standard deviation of packets about the level of their position, in dB.
    var packetDeviation: Double
  }
}

/// The contribution of one position, or of another cluster of readings, to a fit: the second and
/// first derivatives of its part of the criterion.
struct PositionInformation {
  /// Minus the second derivatives.
  var information: Matrix
  /// The first derivatives; those of all positions sum to 0.
  var score: [Double]
  /// The variance of the score under the working model, in any unit that all positions share.
  var variance: Matrix

  /// - Parameter variance: `nil` for that of independent readings, which is the information.
  init(information: Matrix, score: [Double], variance: Matrix? = nil) {
    self.information = information
    self.score = score
    self.variance = variance ?? information
  }

  /// Adds the variance of an offset that all readings share.
  ///
  /// The first column of the design is 1, so the sum of the readings' rows, each with its weight, is
  /// that column of the information.
  mutating func share(offsetOfVariance offset: Double) {
    let rows = (0..<information.rows).map { information[$0, 0] }
    variance.addOuter(rows, times: offset)
  }

  static func += (sum: inout PositionInformation, one: PositionInformation) {
    sum.information = sum.information + one.information
    sum.score = zip(sum.score, one.score).map { $0 + $1 }
    sum.variance = sum.variance + one.variance
  }
}

/// The reason why an estimator has no result.
enum NotFitted: Error, Equatable {
  /// The stations do not determine every coefficient.
  case undetermined
  /// A reason in words.
  case reason(String)
}

extension Observations {
  /// Returns the information and score of each position or other cluster, from a weight and a sum
  /// per station.
  ///
  /// - Parameters:
  ///   - curvature: Minus the second derivative with respect to the station's prediction, by
  ///     station.
  ///   - slope: The first derivative, by station.
  ///   - clusters: The cluster of each station; `nil` for its position.
  func positionInformation(
    curvature: [Double], slope: [Double], of clusters: [Int]? = nil
  ) -> [PositionInformation] {
    let cluster = clusters ?? cluster
    let clusterCount = (cluster.max() ?? -1) + 1
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
    for index in positions.indices { positions[index].variance = positions[index].information }
    return positions
  }

  /// Returns the variance of each cluster's score if its readings are independent with variance 1,
  /// from a weight per station.
  func variances(curvature: [Double], of cluster: [Int]) -> [Matrix] {
    let squares = (0..<stations).map { station in
      let count = count[first[station]..<first[station + 1]].reduce(0, +)
      return count > 0 ? curvature[station] * curvature[station] / count : 0
    }
    return positionInformation(
      curvature: squares, slope: [Double](repeating: 0, count: stations), of: cluster
    ).map(\.information)
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

  /// A Boolean value that is true if it accounts for packets too weak to be received.
  public var accountsForMissing: Bool { self == .censored || self == .truncated }
}
