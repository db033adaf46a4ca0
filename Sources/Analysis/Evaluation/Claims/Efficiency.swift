import Geometry
import Positioning
import RealModule

/// The efficiency of an algorithm: the Cramér–Rao bound of the questions over the squared error, in
/// the plane.
///
/// At 1, no unbiased answer from one epoch's levels can be better. A value above 1 is correct for
/// an algorithm that uses more information: the past, rooms, a survey, or silence.
package struct Efficiency: Equatable, Sendable {
  /// The number of questions with a bound.
  package var bounded: Int
  /// The number of those that were answered, over which all figures are taken.
  package var count: Int
  /// The share of all questions with a bound.
  package var share: Double
  /// The root of the mean trace of the bound, in metres: no unbiased answer has a smaller root mean
  /// square error.
  package var boundRMS: Double
  /// The root mean square error over the same questions, in metres.
  package var rms: Double
  /// The sum of the bounds' traces over the sum of the squared errors (CRLB / MSE).
  package var meanSquare: Double
  /// 2 ln 2 over the median of eᵀ B⁻¹ e: the same for Gaussian errors, and robust to outliers.
  package var median: Double
  /// The confidence interval of `meanSquare` over traces.
  package var interval: IntervalOutcome
}

extension Efficiency {
  /// Returns `nil` if no answered question has a bound.
  init?(_ answered: [[AnsweredQuestion]], traces: [EvaluatedTrace], bootstrap: TraceBootstrap) {
    var (bounds, squares) = ([Double](), [Double]())
    var scores: [Double] = []
    var answers = 0
    for trace in answered {
      var (bound, square) = (0.0, 0.0)
      for answer in trace {
        guard let covariance = answer.question.bound,
          let score = covariance.planeScore(answer.dx, answer.dy)
        else { continue }
        answers += 1
        bound += covariance.xx + covariance.yy
        square += answer.error * answer.error
        scores.append(score)
      }
      bounds.append(bound)
      squares.append(square)
    }
    guard let middle = SortedSample(scores).quantile(0.5) else { return nil }
    let asked = traces.reduce(0) { $0 + $1.questions.count }
    bounded = traces.reduce(0) { $0 + $1.questions.count { $0.bound != nil } }
    count = answers
    share = Double(bounded) / Double(asked)
    let (bound, square) = (bounds.reduce(0, +), squares.reduce(0, +))
    boundRMS = (bound / Double(count)).squareRoot()
    rms = (square / Double(count)).squareRoot()
    meanSquare = bound / square
    median = 2 * Double.log(2) / middle
    interval = bootstrap.ratioInterval(bounds, over: squares)
  }
}
