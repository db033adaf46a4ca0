extension PathLossFit {
  /// The curve of the AltBeacon library beside the straight line.
  func addAltBeacon(_ stations: [Station], _ group: inout PathLossGroup) {
    let power = referencePower ?? (group.measuredPower ?? 0).rounded(.toNearestOrAwayFromZero)
    var positions: [UInt64: Int] = [:]
    let means = stations.map { station -> StationMean in
      let number = positions[station.position] ?? positions.count
      positions[station.position] = number
      let mean = station.meanLevel
      return StationMean(
        distance: station.distance, level: mean, count: Double(station.samples),
        squaresWithin: station.levels.reduce(0) {
          $0 + Double($1.count) * ($1.level - mean) * ($1.level - mean)
        }, position: number)
    }
    do {
      let fit = try AltBeaconFit(means, measuredPower: power)
      group.altBeacon = AltBeaconConstants(fit)
      if !fit.hasConverged {
        group.diagnostics.append(
          Diagnostic("not-converged", "AltBeacon's curve did not settle (\(fit.ending)): do not use it"))
      }
      if fit.nearStations > 0 {
        group.diagnostics.append(
          Diagnostic(
            "near-stations",
            "AltBeacon's curve leaves out \(fit.nearStations) place\(fit.nearStations == 1 ? "" : "s") nearer than 1 m, where the library has a curve of its own",
            value: Double(fit.nearStations)))
      }
    } catch {
      group.diagnostics.append(Diagnostic("no-altbeacon-curve", error.description))
    }
  }
}
