import NumericalMethods

/// The covariance of estimates whose readings are correlated through a beacon or a receiver: a
/// device that sends 3 dB weaker does so at all of its positions.
///
/// Clustered by beacon, by receiver, or both ways, as V(beacon) + V(receiver) − V(link) (Cameron,
/// Gelbach and Miller, J. Bus. Econ. Stat. 29, 2011) and at least the larger of the first two. With
/// fewer than five devices the errors would be unreliable; then clustering stays by position, and
/// diagnostics test for differences between devices.
struct DeviceClusters {
  /// The smallest number of devices for clustering.
  static let fewest = 5

  let basis: PathLossGroup.ErrorBasis
  private let ways: [ClusteredCovariance]
  private let links: ClusteredCovariance?
  private let components: [VarianceComponents]

  /// - Returns: `nil` if there are too few devices.
  init?(_ fit: LinearFit, _ residuals: Residuals) {
    let stations = residuals.stations
    let beacons = Self.clusters(stations.map { [$0.beacon] })
    let receivers = Self.clusters(stations.map { [$0.receiver] })
    let clusterings = [beacons, receivers].filter {
      let count = Set($0).count
      // A device at only one position shares nothing more.
      return count >= max(Self.fewest, residuals.observations.parameters + 3)
        && count < residuals.observations.clusterCount
    }
    guard let first = clusterings.first else { return nil }
    ways = clusterings.compactMap { Self.covariance(fit, residuals, by: $0) }
    guard ways.count == clusterings.count else { return nil }
    components = clusterings.compactMap {
      VarianceComponents(residuals.observations, residuals.byStation, cluster: $0)
    }
    if clusterings.count == 2 {
      basis = .devices
      links = Self.covariance(
        fit, residuals, by: Self.clusters(stations.map { [$0.beacon, $0.receiver] }))
    } else {
      basis = first == beacons ? .beacons : .receivers
      links = nil
    }
  }

  private static func clusters(_ names: [[String]]) -> [Int] {
    let known = numbers(names)
    return names.compactMap { known[$0] }
  }

  private static func covariance(
    _ fit: LinearFit, _ residuals: Residuals, by cluster: [Int]
  ) -> ClusteredCovariance? {
    let observations = residuals.observations
    var merged: [Int: PositionInformation] = [:]
    var done = Set<Int>()
    for (station, position) in observations.cluster.enumerated()
    where done.insert(position).inserted {
      let one = fit.positions[position]
      guard var sum = merged[cluster[station]] else {
        merged[cluster[station]] = one
        continue
      }
      sum.information = sum.information + one.information
      sum.score = zip(sum.score, one.score).map { $0 + $1 }
      merged[cluster[station]] = sum
    }
    let components = VarianceComponents(observations, residuals.byStation, cluster: cluster)
    return ClusteredCovariance(
      merged.sorted { $0.key < $1.key }.map(\.value),
      ratio: fit.ratio(components, observations), sharesInAdjustment: fit.logLikelihood == nil)
  }

  /// Returns the variance of a linear combination of the centred coefficients, with its degrees of
  /// freedom.
  func variance(of combination: [Double]) -> (variance: Double, freedom: Double) {
    let single = ways.map { $0.covariance.form(combination) }
    let shared = links.map { $0.covariance.form(combination) } ?? 0
    let both = ways.count > 1 ? single.reduce(0, +) - shared : 0
    return (
      max(both, single.max() ?? 0), ways.map { $0.degreesOfFreedom(of: combination) }.min() ?? 1
    )
  }

  /// The 95 % interval of the standard deviation of single readings: the wider of those that
  /// cluster by device.
  var deviationInterval: Interval? {
    let intervals = components.compactMap(\.interval)
    guard let lower = intervals.map(\.lower).min(), let upper = intervals.map(\.upper).max() else {
      return nil
    }
    return Interval(lower: lower, upper: upper)
  }
}

extension LinearFit {
  /// Returns the variance that the readings of a cluster share over that of the rest, in units of
  /// one reading's information, which is 1 for least squares.
  ///
  /// If packets are missing, near and far readings carry very different amounts of information
  /// about an offset that they share.
  func ratio(_ components: VarianceComponents?, _ observations: Observations) -> Double {
    let ratio =
      components.map { $0.packet > 0 ? min($0.position / $0.packet, 1e6) : 1e6 } ?? 0
    let single = positions.reduce(0) { $0 + $1.information[0, 0] } / observations.samples
    return single > 0 ? ratio / single : ratio
  }
}
