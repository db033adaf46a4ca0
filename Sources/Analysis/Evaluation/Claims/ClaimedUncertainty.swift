import Geometry
package import NumericalMethods
import Positioning
import RealModule

/// Whether an algorithm's covariances are right: claims against what happened.
package struct ClaimedUncertainty: Equatable, Sendable {
  /// 2 for ellipses in the plane, 3 for ellipsoids.
  package var dimensions: Int
  /// Answers with a covariance.
  package var count: Int
  /// Those whose covariance is singular or no covariance, so that no truth is inside.
  package var singular: Int
  /// Coverage of the 50, 90 and 95 % ellipses.
  package var coverages: [EllipseCoverage]
  /// Mean of eᵀ C⁻¹ e over the regular covariances, the normalised estimation error squared: the
  /// number of dimensions where the covariances are right, more where they are too small. Nil
  /// without any.
  package var meanNEES: Double?
  /// Median of the same, which a few wild answers do not move: 1.39 in the plane and 2.37 in space
  /// where the errors are Gaussian and the covariances right.
  package var medianNEES: Double?
}

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

extension Covariance {
  /// eᵀ C⁻¹ e in the plane; nil for a singular covariance, or one that is none.
  package func planeScore(_ dx: Double, _ dy: Double) -> Double? {
    guard xx > 0, yy > 0 else { return nil }
    let score = squaredScore(dx, dy)
    return score.isFinite && score >= 0 ? score : nil
  }

  /// eᵀ C⁻¹ e in space, by Cholesky's factors; nil for a singular covariance, one that is none, or
  /// one of the plane.
  func spaceScore(_ dx: Double, _ dy: Double, _ dz: Double) -> Double? {
    guard let vertical, xx > 0 else { return nil }
    let a = xx.squareRoot()
    let (b, c) = (xy / a, vertical.xz / a)
    let dd = yy - b * b
    guard dd > 0 else { return nil }
    let d = dd.squareRoot()
    let e = (vertical.yz - b * c) / d
    let ff = vertical.zz - c * c - e * e
    guard ff > 0 else { return nil }
    let u = dx / a
    let v = (dy - b * u) / d
    let w = dz - c * u - e * v
    let score = u * u + v * v + w * w / ff
    return score.isFinite ? score : nil
  }
}

/// How often the truth is inside the ellipses that an algorithm claims to hold it with a
/// probability.
package struct EllipseCoverage: Equatable, Sendable {
  /// The claimed probability.
  package var claimed: Double
  /// Answers with a covariance.
  package var count: Int
  /// Those whose ellipse holds the truth.
  package var held: Int
  /// The Clopper–Pearson interval at 95 %: exact where answers are independent trials, too short
  /// where neighbouring ones resemble each other.
  package var exact: Interval
  /// The confidence interval over traces.
  package var byTrace: IntervalOutcome

  /// The share that holds the truth.
  package var share: Double { Double(held) / Double(count) }
}
