import PathLoss
import RealModule

/// A group of readings as it is drawn.
struct PicturedGroup {
  /// Its key, and what its series have their colour from.
  let name: String
  let fit: PathLossGroup
  /// Nil where its constants could not be fitted.
  let curve: FittedCurve?
  let stations: [Station]
  let pooling: PicturedMean.Pooling
  let means: [PicturedMean]

  init(_ fit: PathLossGroup, _ stations: [Station], curves: FittedCurves) {
    name = fit.key
    self.fit = fit
    self.stations = stations
    curve = FittedCurve(fit)
    pooling = PicturedMean.Pooling(stations)
    means = PicturedMean.means(stations, pooling, curves: curves)
  }
}

/// Single readings of some stations, every k-th in order of station and level, so that all
/// distances and levels keep their share.
struct PicturedPackets {
  /// Metres, moved a little at random so that dots do not hide dots; dBm; dB, NaN without a curve.
  private(set) var distances: [Double] = []
  private(set) var levels: [Double] = []
  private(set) var residuals: [Double] = []
  /// The number of readings per drawn reading.
  let step: Int

  /// - Parameters:
  ///   - limit: readings that are drawn at most.
  ///   - spread: decades by which distances of stays are moved at most.
  init(_ stations: [Station], curves: FittedCurves, limit: Int, spread: Double) {
    let stations = stations.sorted(by: Station.precedes)
    let total = stations.reduce(0) { $0 + $1.samples }
    step = max(1, (total + limit - 1) / limit)
    var passed = 0
    for station in stations {
      for one in station.levels {
        let first = (passed + step - 1) / step * step
        for reading in stride(from: first, to: passed + one.count, by: step) {
          // Multiples of the golden ratio fill an interval evenly, and are the same in every run.
          let phase = (Double(reading / step) * 0.618_033_988_749_895)
            .truncatingRemainder(dividingBy: 1)
          let shift = station.walk == nil ? Double.exp10((2 * phase - 1) * spread) : 1
          distances.append(station.distance * shift)
          levels.append(one.level)
          residuals.append(curves.residual(one.level, at: station))
        }
        passed += one.count
      }
    }
  }
}

/// The readings of a position, of a distance or of a range of distances, summed up.
struct PicturedMean {
  /// Metres; the mean of the logarithms.
  private(set) var distance: Double
  /// Mean level, dBm.
  private(set) var level: Double
  /// Standard deviation of the levels, dB; nil of a single reading.
  private(set) var deviation: Double?
  /// The mean residual about the curve of the group in dB; NaN without one.
  private(set) var residual: Double

  /// The readings that are drawn as one mean, to limit the number of marks.
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

    /// Returns the key that stations of one mean share.
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
