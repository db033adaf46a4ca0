import Geometry
import Positioning
import RealModule

/// How near errors come to the Cramér–Rao bound of the same questions, in the plane.
///
/// 1 = an unbiased answer from one epoch's levels cannot be better. More than 1 is not a mistake
/// where an algorithm knows more: the past, rooms, a survey, or silence.
package struct Efficiency: Equatable, Sendable {
  /// Questions asked that have a bound.
  package var bounded: Int
  /// Those that were answered; the figures are over them.
  package var count: Int
  /// The share of all questions asked that have a bound.
  package var share: Double
  /// Root of the mean of the bound's trace: no unbiased answer has a smaller RMS error, in metres.
  package var boundRMS: Double
  /// RMS error over the same questions, in metres.
  package var rms: Double
  /// Sum of the bounds' traces over sum of the squared errors.
  package var meanSquare: Double
  /// 2 ln 2 over the median of eᵀ B⁻¹ e: the same for Gaussian errors, and not moved by a few wild
  /// ones.
  package var median: Double
  /// The confidence interval of `meanSquare` over traces.
  package var interval: IntervalOutcome
}

extension Efficiency {
  /// Nil where no answered question has a bound.
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
