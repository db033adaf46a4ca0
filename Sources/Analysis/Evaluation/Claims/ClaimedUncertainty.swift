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
