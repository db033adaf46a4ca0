import Geometry
package import NumericalMethods
import Positioning
import RealModule

/// The calibration of an algorithm's covariances: claimed against observed errors.
package struct ClaimedUncertainty: Equatable, Sendable {
  /// 2 for ellipses in the plane, 3 for ellipsoids.
  package var dimensions: Int
  /// The number of answers with a covariance.
  package var count: Int
  /// The number of those whose covariance is singular or not positive definite, so that no truth is
  /// inside.
  package var singular: Int
  /// The coverage of the 50, 90 and 95 % ellipses.
  package var coverages: [EllipseCoverage]
  /// The mean of eᵀ C⁻¹ e over the regular covariances (normalised estimation error squared, NEES):
  /// the number of dimensions for correct covariances, more if they are too small. `nil` without
  /// any.
  package var meanNEES: Double?
  /// The median of the NEES, which is robust to outliers: 1.39 in the plane and 2.37 in space for
  /// Gaussian errors and correct covariances.
  package var medianNEES: Double?
}

extension ClaimedUncertainty {
  /// The claimed probabilities to check.
  static let levels = [0.5, 0.9, 0.95]

  /// Creates the result for ellipses in the plane, or returns `nil` if no answer has a covariance.
  init?(_ answered: [[AnsweredQuestion]], bootstrap: TraceBootstrap) {
    let scores = answered.map { trace in
      trace.compactMap { answer in
        answer.estimate.uncertainty.covariance.map { $0.planeScore(answer.dx, answer.dy) }
      }
    }
    self.init(scores, dimensions: 2, bootstrap: bootstrap)
  }

  /// Creates the result for ellipsoids in space, or returns `nil` if no answer has one and a true
  /// height.
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
  ///   - scores: eᵀ C⁻¹ e of the answers of each trace with a covariance; `nil` for a singular one.
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
  /// Returns eᵀ C⁻¹ e in the plane, or `nil` for a covariance that is not positive definite.
  package func planeScore(_ dx: Double, _ dy: Double) -> Double? {
    guard xx > 0, yy > 0 else { return nil }
    let score = squaredScore(dx, dy)
    return score.isFinite && score >= 0 ? score : nil
  }

  /// Returns eᵀ C⁻¹ e in space, by Cholesky factors, or `nil` for a covariance that is not positive
  /// definite, or one of the plane.
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

/// The coverage of the ellipses that an algorithm claims for one probability.
package struct EllipseCoverage: Equatable, Sendable {
  /// The claimed probability.
  package var claimed: Double
  /// The number of answers with a covariance.
  package var count: Int
  /// The number of those whose ellipse contains the truth.
  package var held: Int
  /// The Clopper–Pearson interval at 95 %: exact for independent answers, too narrow if
  /// neighbouring ones are correlated.
  package var exact: Interval
  /// The confidence interval over traces.
  package var byTrace: IntervalOutcome

  /// The share of ellipses that contain the truth.
  package var share: Double { Double(held) / Double(count) }
}
