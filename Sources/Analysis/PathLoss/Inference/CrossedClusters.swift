import NumericalMethods

/// The covariance of estimates whose readings are correlated beyond their positions: a beacon that
/// sends 3 dB weaker does so at all of its positions, and a mark that is shadowed weakens all
/// beacons that are tested there.
///
/// Clustered by beacon, receiver, place and pose, or several ways at once: the sum over the ways,
/// less that of the intersections of two, and so on (Cameron, Gelbach and Miller, J. Bus. Econ.
/// Stat. 29, 2011), and at least the largest of the ways. In the working model, a cluster, a position
/// in it and a packet have offsets of their own. Covariances of devices and walks are sandwiches,
/// those of places and poses of stays, which are few, follow the model. With fewer than five
/// devices the errors would be unreliable; then diagnostics test for differences between them.
/// Places and poses cluster errors only if their offsets are found (``PlaceEffects``).
struct CrossedClusters {
  /// The smallest number of devices for clustering.
  static let fewestDevices = 5

  let basis: PathLossGroup.ErrorBasis
  private let ways: [ClusterCovariance]
  /// The intersections of several ways, with the signs of their covariances.
  private var intersections: [(sign: Double, covariance: Matrix)] = []
  private let components: [VarianceComponents]

  /// - Returns: `nil` if there is nothing to cluster by.
  init?(_ fit: LinearFit, _ residuals: Residuals, _ effects: PlaceEffects) {
    let (stations, observations) = residuals.fitted
    // Places without readings have no residuals that show what they share.
    let areHeard = stations.count == residuals.stations.count
    let devices: [(PathLossGroup.ErrorBasis, [Int])] = [
      (.beacons, numbered(stations.map(\.beacon))),
      (.receivers, numbered(stations.map(\.receiver))),
    ].filter { _, cluster in
      let count = Set(cluster).count
      // A device at only one position shares nothing more.
      return count >= max(Self.fewestDevices, observations.parameters + 3)
        && count < observations.clusterCount
    }
    var clusterings = devices.map(\.1)
    let modelled = fit.isWeighedByComponents && observations.stations == observations.clusterCount
    // Without sums by station, a walk cannot be divided into places.
    let isDivisible = fit.byStation != nil
    let areas = effects.index.areas
    if areHeard, effects.places?.isShared == true,
      Set(areas).count > observations.parameters + (modelled ? 0 : 1)
    {
      let parts = Set(zip(observations.cluster, areas).map { [$0, $1] }).count
      let areDivided = parts > observations.clusterCount
      if isDivisible || !areDivided { clusterings.append(areas) }
      // A walk shares an offset in all of its areas.
      if isDivisible, areDivided { clusterings.append(observations.cluster) }
    }
    if areHeard, effects.poses?.isShared == true, Set(effects.index.poses).count >= 3 {
      clusterings.append(effects.index.poses)
    }
    guard !clusterings.isEmpty,
      let units = ClusterUnits(fit, residuals, dividedBy: clusterings)
    else { return nil }
    basis =
      switch (devices.count, clusterings.count - devices.count) {
      case (1, 0): devices[0].0
      case (_, 0): .devices
      case (0, _): .places
      default: .devicesPlaces
      }
    var ways: [ClusterCovariance] = []
    for choice in 1..<(1 << clusterings.count) {
      let chosen = clusterings.indices.filter { choice >> $0 & 1 == 1 }
      let cluster = numbered(
        stations.indices.map { station in chosen.map { clusterings[$0][station] } })
      let isModelled = modelled && chosen.contains { $0 >= devices.count }
      guard let found = units.covariance(clusteredBy: cluster, isModelled: isModelled) else {
        if chosen.count == 1 { return nil }
        continue
      }
      if chosen.count == 1 {
        ways.append(found)
      } else {
        intersections.append((chosen.count % 2 == 0 ? -1 : 1, found.matrix))
      }
    }
    self.ways = ways
    components = clusterings.compactMap {
      VarianceComponents(
        residuals.observations, residuals.byStation,
        cluster: Array($0.prefix(residuals.stations.count)))
    }
  }

  /// Returns the variance of a linear combination of the centred coefficients, with its degrees of
  /// freedom.
  func variance(of combination: [Double]) -> (variance: Double, freedom: Double) {
    let single = ways.map { $0.matrix.form(combination) }
    let all = intersections.reduce(single.reduce(0, +)) {
      $0 + $1.sign * $1.covariance.form(combination)
    }
    var combinations = [combination]
    if combination[0] != 0 {
      // A level at any distance includes that at the centre of the readings, which may be less
      // certain than the rest.
      combinations.append(combination.indices.map { $0 == 0 ? 1 : 0 })
    }
    let freedoms = ways.flatMap { way in combinations.map { way.degreesOfFreedom(of: $0) } }
    return (max(all, single.max() ?? 0), freedoms.min() ?? 1)
  }

  /// The 95 % interval of the standard deviation of single readings: the widest of all ways.
  var deviationInterval: Interval? {
    let intervals = components.compactMap(\.interval)
    guard let lower = intervals.map(\.lower).min(), let upper = intervals.map(\.upper).max() else {
      return nil
    }
    return Interval(lower: lower, upper: upper)
  }
}

/// The covariance of one clustering.
private enum ClusterCovariance {
  case sandwich(ClusteredCovariance)
  case modelled(ComponentCovariance)

  var matrix: Matrix {
    switch self {
    case .sandwich(let one): one.covariance
    case .modelled(let one): one.covariance
    }
  }

  func degreesOfFreedom(of combination: [Double]) -> Double {
    switch self {
    case .sandwich(let one): one.degreesOfFreedom(of: combination)
    case .modelled(let one): one.degreesOfFreedom(of: combination)
    }
  }
}

/// The parts of positions that no clustering divides.
private struct ClusterUnits {
  /// The unit of each station.
  private let unit: [Int]
  private let information: [PositionInformation]
  private let means: PositionMeans
  /// The variance of each unit's mean, in dB².
  private let variances: [Double]
  /// The factor of these variances, and its degrees of freedom.
  private let scale: (factor: Double, freedom: Double)
  private let sharesInAdjustment: Bool

  init?(_ fit: LinearFit, _ residuals: Residuals, dividedBy clusterings: [[Int]]) {
    unit = numbered(
      residuals.fitted.observations.cluster.enumerated().map { station, position in
        [position] + clusterings.map { $0[station] }
      })
    // Stations with readings come first, and so do their units.
    let heard = Array(unit.prefix(residuals.stations.count))
    let components = VarianceComponents(
      residuals.observations, residuals.byStation, cluster: heard)
    guard let means = PositionMeans(residuals.observations, residuals.byStation, heard),
      let information = fit.information(of: unit, residuals, components)
    else { return nil }
    (self.means, self.information) = (means, information)
    var counts = [Double](repeating: 0, count: (heard.max() ?? -1) + 1)
    for (station, number) in heard.enumerated() {
      counts[number] += residuals.byStation[station].count
    }
    variances = counts.map { count in
      guard let components else { return 1 }
      return max(components.position + components.packet / count, 1e-9)
    }
    scale = (components == nil ? fit.sigma * fit.sigma : 1, means.freedom)
    sharesInAdjustment = fit.logLikelihood == nil
  }

  /// - Parameters:
  ///   - cluster: The cluster of each station.
  ///   - isModelled: A Boolean value that is true if all clusters have one variance.
  func covariance(clusteredBy cluster: [Int], isModelled: Bool) -> ClusterCovariance? {
    var clusterOfUnit = [Int](repeating: 0, count: information.count)
    for (station, number) in unit.enumerated() { clusterOfUnit[number] = cluster[station] }
    let components = VarianceComponents(
      of: means, variances: variances,
      cluster: Array(clusterOfUnit.prefix(variances.count)))
    var merged: [PositionInformation?] = Array(repeating: nil, count: (cluster.max() ?? -1) + 1)
    for (number, one) in zip(clusterOfUnit, information) {
      if merged[number] == nil { merged[number] = one } else { merged[number]? += one }
    }
    var clusters = merged.compactMap(\.self)
    if isModelled {
      let found =
        if let components { ComponentCovariance(clusters, components) } else {
          ComponentCovariance(clusters, scale: scale.factor, freedom: scale.freedom)
        }
      return found.map(ClusterCovariance.modelled)
    }
    if let components {
      for index in clusters.indices {
        clusters[index].variance = components.packet * clusters[index].variance
        clusters[index].share(offsetOfVariance: components.position)
      }
    }
    return ClusteredCovariance(clusters, sharesInAdjustment: sharesInAdjustment)
      .map(ClusterCovariance.sandwich)
  }
}

extension LinearFit {
  /// Returns the contribution of each position, with the variance of its score.
  func positions(_ residuals: Residuals) -> [PositionInformation] {
    information(of: residuals.fitted.observations.cluster, residuals, residuals.components)
      ?? positions
  }

  /// Returns the contribution of each cluster of readings, with the variance of its score if its
  /// readings share an offset.
  ///
  /// The readings of one cluster that are independent otherwise have a variance of the score of
  /// their own for least squares, and that of their information for other estimators, whose
  /// residuals are bounded.
  ///
  /// - Returns: `nil` if the estimator has no sums by station that could be divided.
  func information(
    of cluster: [Int], _ residuals: Residuals, _ components: VarianceComponents?
  ) -> [PositionInformation]? {
    let observations = residuals.fitted.observations
    var clusters = positions
    if let byStation {
      clusters = observations.positionInformation(
        curvature: byStation.curvature, slope: byStation.slope, of: cluster)
    } else if cluster != observations.cluster {
      return nil
    }
    if reception != nil {
      // The likelihood contains the offsets of positions.
      for index in clusters.indices { clusters[index].variance = clusters[index].information }
      return clusters
    }
    let shared = components?.position ?? 0
    var packet = max(components?.packet ?? 1, 1e-6 * shared)
    if packet == 0 { packet = 1 }
    if let byStation, iterations == 1, logLikelihood == nil {
      let independent = observations.variances(curvature: byStation.curvature, of: cluster)
      for index in clusters.indices { clusters[index].variance = packet * independent[index] }
    } else {
      // The information of one reading: if packets are missing, near and far readings carry very
      // different amounts of information about an offset that they share.
      let single = positions.reduce(0) { $0 + $1.information[0, 0] } / observations.samples
      for index in clusters.indices {
        clusters[index].variance = packet * (single > 0 ? single : 1) * clusters[index].information
      }
    }
    for index in clusters.indices { clusters[index].share(offsetOfVariance: shared) }
    return clusters
  }
}
