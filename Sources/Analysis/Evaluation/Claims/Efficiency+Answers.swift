import Geometry
import Positioning
import RealModule

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
