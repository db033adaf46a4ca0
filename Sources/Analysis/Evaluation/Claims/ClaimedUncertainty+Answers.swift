import Geometry
import NumericalMethods
import Positioning
import RealModule

extension ClaimedUncertainty {
  /// The claimed probabilities that are checked.
  static let levels = [0.5, 0.9, 0.95]

  /// The ellipses in the plane; nil where no answer has a covariance.
  init?(_ answered: [[AnsweredQuestion]], bootstrap: TraceBootstrap) {
    let scores = answered.map { trace in
      trace.compactMap { answer in
        answer.estimate.uncertainty.covariance.map { $0.planeScore(answer.dx, answer.dy) }
      }
    }
    self.init(scores, dimensions: 2, bootstrap: bootstrap)
  }

  /// The ellipsoids in space; nil where no answer has one and a true height.
  init?(inSpace answered: [[AnsweredQuestion]], bootstrap: TraceBootstrap) {
    let scores = answered.map { trace in
      trace.compactMap { answer -> Double?? in
        guard let dz = answer.dz, let covariance = answer.estimate.uncertainty.covariance,
          covariance.vertical != nil
        else { return nil }
        return .some(covariance.spaceScore(answer.dx, answer.dy, dz))
      }
    }
    self.init(scores, dimensions: 3, bootstrap: bootstrap)
  }

  /// - Parameters:
  ///   - scores: eᵀ C⁻¹ e of the answers of each trace that have a covariance; nil for a singular
  ///     one.
  private init?(_ scores: [[Double?]], dimensions: Int, bootstrap: TraceBootstrap) {
    let regular = scores.joined().compactMap(\.self)
    count = scores.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    self.dimensions = dimensions
    singular = count - regular.count
    let answers = count
    let held = Self.levels.map { level in
      let limit = ChiSquaredDistribution(degreesOfFreedom: Double(dimensions)).quantile(level)
      return scores.map { $0.count { $0.map { $0 <= limit } ?? false } }
    }
    let intervals = bootstrap.shareIntervals(held, of: scores.map(\.count))
    coverages = Self.levels.indices.map { index in
      let all = held[index].reduce(0, +)
      return EllipseCoverage(
        claimed: Self.levels[index], count: answers, held: all,
        exact: clopperPearsonInterval(successes: all, trials: answers, confidence: 0.95),
        byTrace: intervals[index])
    }
    guard !regular.isEmpty else { return }
    meanNEES = regular.reduce(0) { $0 + $1 / Double(regular.count) }
    medianNEES = SortedSample(regular).quantile(0.5)
  }
}
