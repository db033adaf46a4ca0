import PathLoss

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
