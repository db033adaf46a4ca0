extension PathLossFit {
  /// Shows the observations what each receiver hears, and how many packets it missed.
  func addMissing(
    _ stations: [Station], to observations: inout Observations, _ group: inout PathLossGroup
  ) {
    guard estimator.needsSensitivity else { return }
    var used = sensitivity.filter { given in stations.contains { $0.receiver == given.key } }
    for station in stations {
      // A level that was heard cannot be below what can be heard.
      used[station.receiver] = min(used[station.receiver] ?? 0, station.levels.first?.level ?? 0)
    }
    observations.sensitivity = stations.map { used[$0.receiver] ?? 0 }
    for (receiver, edge) in used.sorted(by: { $0.key < $1.key }) {
      if let given = sensitivity[receiver], edge < given {
        group.diagnostics.append(
          Diagnostic(
            "sensitivity-too-high",
            "\(receiver) heard \(shown(edge)) dBm, below the sensitivity of \(shown(given)) dBm "
              + "that was given: the lower one is used",
            value: edge))
      }
    }
    group.estimation.sensitivity = used
    guard estimator == .censored, let interval = advertisingInterval else { return }
    let missed = MissedPackets(stations, interval: interval)
    observations.missing = missed.counts
    group.estimation.missed = Int(missed.counts.reduce(0, +).rounded())
    if let (station, sent) = missed.crowded {
      group.diagnostics.append(
        Diagnostic(
          "interval-too-long",
          "\(stations[station].samples) packets were heard in a stay in which \(Int(sent)) were "
            + "sent at the given advertising interval: give the true one",
          value: Double(stations[station].samples) - sent))
    }
  }
}
