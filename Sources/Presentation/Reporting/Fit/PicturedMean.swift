import PathLoss
import RealModule

/// The readings of a position, of a distance or of a range of distances, summed up.
struct PicturedMean {
  /// Metres; the mean of the logarithms.
  private(set) var distance: Double
  /// Mean level, dBm.
  private(set) var level: Double
  /// Standard deviation of the levels, dB; nil of a single reading.
  private(set) var deviation: Double?
  /// Mean of what readings lie above the curve of their group, dB; NaN where there is none.
  private(set) var residual: Double

  /// Which readings are one mean, so that no more are drawn than can be distinguished.
  enum Pooling {
    case position, distance
    /// Each 12 % wide.
    case range

    /// Ranges to a decade.
    private static let ranges = 20.0

    init(_ stations: [Station]) {
      let stood = stations.allSatisfy { $0.walk == nil }
      if stood, Set(stations.map(\.position)).count <= 150 {
        self = .position
      } else {
        self = stood && Set(stations.map(\.distance)).count <= 60 ? .distance : .range
      }
    }

    /// What stations have in common that are one mean.
    fileprivate func key(_ station: Station) -> UInt64 {
      switch self {
      case .position: station.position
      case .distance: station.distance.bitPattern
      case .range:
        UInt64(bitPattern: Int64((Double.log10(station.distance) * Self.ranges).rounded(.down)))
      }
    }

    /// In the legend.
    var words: String {
      switch self {
      case .position: "mean of a position"
      case .distance: "mean of a distance"
      case .range: "mean of a range of distances"
      }
    }
  }

  private struct Sums {
    var count = 0.0
    var logs = 0.0
    var levels = 0.0
    var squares = 0.0
    var residuals = 0.0
  }

  /// In order of distance.
  static func means(
    _ stations: [Station], _ pooling: Pooling, curves: FittedCurves
  ) -> [PicturedMean] {
    var sums: [UInt64: Sums] = [:]
    for station in stations.sorted(by: Station.precedes) {
      let log = Double.log10(station.distance)
      let key = pooling.key(station)
      // About −60 dBm, so that squares lose no digits.
      var own = sums[key] ?? Sums()
      let zero = -curves.residual(0, at: station)
      for one in station.levels {
        let count = Double(one.count)
        own.count += count
        own.logs += count * log
        own.levels += count * (one.level + 60)
        own.squares += count * (one.level + 60) * (one.level + 60)
        own.residuals += count * (one.level - zero)
      }
      sums[key] = own
    }
    return sums.filter { $0.value.count > 0 }
      .map { (key: $0.key, mean: PicturedMean($0.value)) }
      .sorted { ($0.mean.distance, $0.key) < ($1.mean.distance, $1.key) }.map(\.mean)
  }

  private init(_ sums: Sums) {
    distance = Double.exp10(sums.logs / sums.count)
    level = sums.levels / sums.count - 60
    let variance = (sums.squares - sums.levels * sums.levels / sums.count) / (sums.count - 1)
    deviation = sums.count > 1 ? max(variance, 0).squareRoot() : nil
    residual = sums.residuals / sums.count
  }
}
