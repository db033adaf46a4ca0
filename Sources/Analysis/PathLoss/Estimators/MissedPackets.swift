/// How many packets of each stay were not heard, from the time between packets.
///
/// A stay is known from its first to its last packet that was heard. What was sent in between
/// follows from the interval; of what was sent before and after, as many are missed on average as
/// between two that were heard, at either end. A stay of fewer than five packets shows too little
/// of that: it has the median length of the others.
struct MissedPackets {
  /// By station.
  let counts: [Double]
  /// The station with the most packets more than were sent, and how many those are.
  let crowded: (station: Int, sent: Double)?

  /// - Parameters:
  ///   - stations: each with its span.
  ///   - interval: seconds between packets.
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
