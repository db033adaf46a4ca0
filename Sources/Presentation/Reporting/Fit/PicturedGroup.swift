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
  /// How many readings each that is drawn stands for.
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
