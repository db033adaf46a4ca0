import NumericalMethods

/// The number of missed packets of each stay.
///
/// A stay at the bench extends from its first to its last received packet. The number of packets
/// sent in between follows from the advertising interval; before and after it, as many are missed
/// on average at either end as between two received packets. A stay of fewer than five packets
/// carries too little information and is assigned the median duration of the others. A visit of a
/// moving node has the duration of all that it received or sent there, and needs no interval if the
/// receiver reports in scans.
struct MissedPackets {
  /// The number of missed packets, by station.
  let counts: [Double]
  /// The station with the largest excess of received over sent packets, with the number sent.
  let crowded: (station: Int, sent: Double)?

  /// - Parameters:
  ///   - stations: The stations, each with its span or visit.
  ///   - interval: The time between packets, in seconds; `nil` if every visit has scans.
  init(_ stations: [Station], interval: Double?) {
    let inside = stations.map { station -> Double in
      if let visit = station.visit { return visit.opportunities(interval: interval) ?? 1 }
      guard let span = station.span, let interval else { return 1 }
      return (Double(span.upperBound - span.lowerBound) / 1e9 / interval).rounded() + 1
    }
    let sent = zip(stations, inside).map { station, inside -> Double? in
      if station.visit != nil { return inside }
      let heard = Double(station.samples)
      guard heard >= 5 else { return nil }
      let share = min((heard - 1) / max(inside - 1, 1), 1)
      return inside + 2 * (1 - share) / share
    }
    let known = sent.compactMap(\.self).sorted()
    let typical = known.isEmpty ? 0 : known[known.count / 2]
    counts = stations.indices.map { index in
      max(0, (sent[index] ?? max(typical, inside[index])) - Double(stations[index].samples))
    }
    let surplus = stations.indices.max {
      Double(stations[$0].samples) - inside[$0] < Double(stations[$1].samples) - inside[$1]
    }
    crowded = surplus.flatMap { index in
      let heard = Double(stations[index].samples)
      return heard - inside[index] > 0.05 * heard + 1 ? (index, inside[index]) : nil
    }
  }

  /// Returns the reason why missed packets cannot be counted.
  static func refusal(_ stations: [Station], interval: Double?) -> Diagnostic? {
    if interval == nil, stations.contains(where: { $0.visit?.scanPeriod == nil }) {
      return Diagnostic(
        "no-missing-counts",
        "the estimator censored requires the number of packets sent: give "
          + "the advertising interval, or use the estimator truncated")
    }
    if stations.contains(where: { $0.span == nil && $0.visit == nil }) {
      return Diagnostic(
        "no-missing-counts",
        "the durations of some stays are unknown, so missed packets cannot be counted: "
          + "use the estimator truncated")
    }
    return nil
  }
}

extension PathLossFit {
  /// Adds the edge of each receiver and the number of missed packets to the observations.
  func addMissing(
    _ stations: [Station], to observations: inout Observations, _ group: inout PathLossGroup
  ) {
    guard estimator.accountsForMissing else { return }
    observations.sensitivity = edges(stations, &group)
    guard estimator == .censored else { return }
    let missed = MissedPackets(stations, interval: configuration.advertisingInterval)
    observations.missing = missed.counts
    group.estimation.missed = Int(missed.counts.reduce(0, +).rounded())
    if let (station, sent) = missed.crowded {
      group.diagnostics.append(
        Diagnostic(
          "interval-too-long",
          "\(stations[station].samples) packets were received in a stay in which \(Int(sent)) were "
            + "sent at the given advertising interval: give the correct interval",
          value: Double(stations[station].samples) - sent))
    }
  }

  /// Returns the edge of each station's receiver, in dBm: the given one, but not above a received
  /// level if it is hard.
  private func edges(_ stations: [Station], _ group: inout PathLossGroup) -> [Double] {
    if let given = configuration.sensitivity, configuration.sensitivityScale != 0 {
      return stations.map { _ in given }
    }
    var used = sensitivity.filter { given in stations.contains { $0.receiver == given.key } }
    for station in stations {
      guard let weakest = station.levels.first?.level else { continue }
      used[station.receiver] = min(used[station.receiver] ?? 0, weakest)
    }
    if configuration.sensitivityScale == 0 {
      for (receiver, edge) in used.sorted(by: { $0.key < $1.key }) {
        guard let given = sensitivity[receiver], edge < given else { continue }
        group.diagnostics.append(
          Diagnostic(
            "sensitivity-too-high",
            "\(receiver) received \(shown(edge)) dBm, below the given sensitivity of "
              + "\(shown(given)) dBm: the lower one is used",
            value: edge))
      }
    }
    return stations.map { used[$0.receiver] ?? 0 }
  }

  /// Adds the edge of reception that an estimator found.
  func addEdge(
    _ fit: LinearFit, _ stations: [Station], _ edges: [Double], to group: inout PathLossGroup
  ) {
    guard let reception = fit.reception else { return }
    guard reception.edge != .none else {
      group.diagnostics.append(
        Diagnostic(
          "no-edge",
          "no edge of reception shows in the levels\(estimator == .censored ? " or the counts" : ""): "
            + "weak packets are not missing, or the levels do not reach the edge"))
      return
    }
    group.estimation.sensitivityScale = reception.scale
    group.estimation.sensitivity = Dictionary(
      zip(stations, edges).map { station, edge in
        (station.receiver, reception.edge.level == .estimated ? reception.level : edge)
      }, uniquingKeysWith: { $1 })
  }
}
