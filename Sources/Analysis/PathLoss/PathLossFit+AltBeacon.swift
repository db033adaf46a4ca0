extension PathLossFit {
  /// The curve of the AltBeacon library beside the straight line.
  func addAltBeacon(_ stations: [Station], _ group: inout PathLossGroup) {
    let power = referencePower ?? (group.measuredPower ?? 0).rounded(.toNearestOrAwayFromZero)
    let positions = numbers(stations.map(\.position))
    let means = stations.map { station in
      StationMean(
        distance: station.distance, level: station.meanLevel, count: Double(station.samples),
        squaresWithin: station.squaresWithin, position: positions[station.position] ?? 0)
    }
    do {
      let fit = try AltBeaconFit(means, measuredPower: power)
      group.altBeacon = AltBeaconConstants(fit)
      if !fit.hasConverged {
        group.diagnostics.append(
          Diagnostic(
            "not-converged", "AltBeacon's curve did not settle (\(fit.ending)): do not use it"))
      }
      if fit.nearStations > 0 {
        group.diagnostics.append(
          Diagnostic(
            "near-stations",
            "AltBeacon's curve leaves out \(fit.nearStations) "
              + "place\(fit.nearStations == 1 ? "" : "s") nearer than 1 m, where the library has a "
              + "curve of its own",
            value: Double(fit.nearStations)))
      }
    } catch {
      group.diagnostics.append(Diagnostic("no-altbeacon-curve", error.description))
    }
  }
}
