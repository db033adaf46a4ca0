/// The number of missed packets of each stay, from the advertising interval.
///
/// A stay extends from its first to its last received packet. The number of packets sent in between
/// follows from the interval; before and after it, as many are missed on average at either end as
/// between two received packets. A stay of fewer than five packets carries too little information
/// and is assigned the median duration of the others.
struct MissedPackets {
  /// The number of missed packets, by station.
  let counts: [Double]
  /// The station with the largest excess of received over sent packets, with the number sent.
  let crowded: (station: Int, sent: Double)?

  /// - Parameters:
  ///   - stations: The stations, each with its span.
  ///   - interval: The time between packets, in seconds.
  init(_ stations: [Station], interval: Double) {
    let inside = stations.map { station -> Double in
      guard let span = station.span else { return 1 }
      return (Double(span.upperBound - span.lowerBound) / 1e9 / interval).rounded() + 1
    }
    let sent = zip(stations, inside).map { station, inside -> Double? in
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
}
