import Evaluation
import Foundation
import Geometry
import NumericalMethods
import Positioning

/// The errors of a file that numpy's tofile wrote: algorithm by algorithm, trace by trace, equally
/// many.
private func errors(_ path: String, algorithms: Int, traces: Int) throws -> [[[Double]]] {
  let data = try Data(contentsOf: URL(filePath: path))
  let all = data.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
  let length = all.count / (algorithms * traces)
  return (0..<algorithms).map { algorithm in
    (0..<traces).map { trace in
      let first = (algorithm * traces + trace) * length
      return Array(all[first..<(first + length)])
    }
  }
}

/// The whole leaderboard of all algorithms; every answer has a covariance.
private func judge(_ errors: [[[Double]]], _ bootstrap: TraceBootstrap) {
  let covariance = Covariance(xx: 1, xy: 0, yy: 1)
  let traces = errors[0].enumerated().map { number, trace in
    EvaluatedTrace(
      name: "\(number)",
      questions: trace.indices.map {
        Question(instant: Int64($0), asked: Int64($0), truth: Point(x: 0, y: 0), bound: covariance)
      })
  }
  let answers = errors.enumerated().map { number, traces in
    AlgorithmAnswers(
      name: "\(number)",
      outcomes: traces.map {
        $0.map {
          .located(Estimate(position: Point(x: $0, y: 0), uncertainty: .covariance(covariance)))
        }
      })
  }
  var settings = LeaderboardSettings()
  settings.bootstrap = bootstrap
  precondition(
    Leaderboard(traces: traces, answers: answers, settings: settings).scores.count == errors.count)
}

/// Prints what, how many values, seconds, and the interval of the first algorithm's median.
func printEvaluation(_ arguments: [String]) throws {
  guard arguments.count == 4, let algorithms = Int(arguments[1]), let traces = Int(arguments[2]),
    let resamples = Int(arguments[3])
  else { fatalError("evaluation ERRORS ALGORITHMS TRACES RESAMPLES") }
  let errors = try errors(arguments[0], algorithms: algorithms, traces: traces)
  let bootstrap = TraceBootstrap(resamples: resamples)
  var best = Double.infinity
  var first = Interval(lower: .nan, upper: .nan)
  for _ in 0..<5 {
    let time = ContinuousClock().measure {
      let intervals = errors.map {
        bootstrap.intervals(ofQuantiles: [0.5, 0.75, 0.95], traces: $0)
      }
      first = intervals[0][0].interval ?? first
    }
    best = min(best, time / .seconds(1))
  }
  let time = ContinuousClock().measure { judge(errors, bootstrap) }
  print("leaderboard \(errors[0].reduce(0) { $0 + $1.count }) \(time / .seconds(1))")
  print("bootstrap \(errors[0].reduce(0) { $0 + $1.count }) \(best) \(first.lower) \(first.upper)")
}
