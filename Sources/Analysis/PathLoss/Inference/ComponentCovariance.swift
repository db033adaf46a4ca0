import NumericalMethods

/// The covariance of least-squares estimates under a working model: clusters have offsets of one
/// variance, and what lies within them has another.
///
/// With few clusters it is far more precise than a sandwich (``ClusteredCovariance``), which learns
/// the variance of each cluster from that cluster alone: six places give an exponent four degrees of
/// freedom instead of two. In a balanced design it is that of a line through the means of clusters.
/// Degrees of freedom are Satterthwaite's, with those of the clusters' means for the part that
/// clusters share, and those within clusters for the rest (Biometrics Bull. 2, 1946).
struct ComponentCovariance {
  let covariance: Matrix
  /// The part of the offsets.
  private let shared: Matrix
  /// The variance of a cluster's mean over that of its offset.
  private let inflation: Double
  private let freedom: (between: Double, within: Double)

  /// - Parameters:
  ///   - clusters: The contribution of each cluster; the variance is that of the score without the
  ///     offset.
  ///   - components: The variance between clusters, and the factor of the variance within.
  /// - Returns: `nil` if the information is singular.
  init?(_ clusters: [PositionInformation], _ components: VarianceComponents) {
    let offset = components.position
    self.init(
      clusters, packet: components.packet, offset: offset,
      inflation: offset > 0 ? 1 + components.varianceOfMeansWithin / offset : 1,
      freedom: (components.freedom, max(components.freedomWithin, components.freedom)))
  }

  /// Creates the covariance of independent positions.
  ///
  /// - Parameters:
  ///   - positions: The contribution of each position, with the variance of its score.
  ///   - scale: The factor of these variances.
  ///   - freedom: The degrees of freedom of that factor.
  init?(_ positions: [PositionInformation], scale: Double = 1, freedom: Double) {
    self.init(
      positions, packet: scale, offset: 0, inflation: 1, freedom: (freedom, freedom))
  }

  private init?(
    _ clusters: [PositionInformation], packet: Double, offset: Double, inflation: Double,
    freedom: (between: Double, within: Double)
  ) {
    guard let size = clusters.first?.score.count else { return nil }
    let zero = Matrix(zeros: size, size)
    guard let inverse = clusters.reduce(zero, { $0 + $1.information }).positiveInverse else {
      return nil
    }
    var offsets = zero
    if offset > 0 {
      for cluster in clusters {
        offsets.addOuter((0..<size).map { cluster.information[$0, 0] }, times: offset)
      }
    }
    shared = inverse * offsets * inverse
    let within = packet * clusters.reduce(zero) { $0 + $1.variance }
    covariance = inverse * (within + offsets) * inverse
    (self.inflation, self.freedom) = (inflation, freedom)
  }

  /// Returns the degrees of freedom of the variance of a linear combination of the estimates.
  func degreesOfFreedom(of combination: [Double]) -> Double {
    let all = covariance.form(combination)
    let between = min(inflation * shared.form(combination), all)
    let within = all - between
    let spread = between * between / freedom.between + within * within / freedom.within
    return spread > 0 ? max(all * all / spread, 1) : freedom.between
  }
}
