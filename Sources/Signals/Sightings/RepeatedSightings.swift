import Support

/// A detector of duplicate sightings, such as in rotated logs that overlap, or in a log that was
/// concatenated with itself.
///
/// It compares a sample of up to 4096 sightings, selected by the trailing zeros of a hash of the
/// time. O(1) per sighting.
package struct RepeatedSightings: Sendable {
  private struct Key: Hashable {
    var time: Int64
    var beacon: UInt32
    var receiver: UInt16
    var rssi: UInt32
  }

  private struct Place {
    var trace: UInt16
    /// Another trace that contains it too.
    var other: UInt16?
    var isTwice = false
  }

  private var places: [Key: Place] = [:]
  private var mask: UInt64 = 0

  private static let most = 4096
  /// The shares of the sampled sightings above which there is a warning.
  private static let (notable, notableInOne) = (0.1, 0.4)
  private static let fewest = 5

  package init() {}

  package mutating func add(_ rows: borrowing SightingColumns) {
    for row in 0..<rows.count where Self.hash(rows.time[row]) & mask == 0 {
      let key = Key(
        time: rows.time[row], beacon: rows.beacon[row], receiver: rows.receiver[row],
        rssi: rows.rssi[row].bitPattern)
      let trace = rows.trace[row]
      guard let place = places[key] else {
        places[key] = Place(trace: trace)
        if places.count > Self.most { thin() }
        continue
      }
      if place.trace == trace { places[key]?.isTwice = true } else { places[key]?.other = trace }
    }
  }

  private mutating func thin() {
    while places.count > Self.most / 2, mask < .max / 2 {
      mask = mask << 1 | 1
      places = places.filter { Self.hash($0.key.time) & mask == 0 }
    }
  }

  @inline(__always)
  private static func hash(_ time: Int64) -> UInt64 {
    // Fibonacci hashing: the high bits are the mixed ones.
    (UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15) >> 32
  }

  /// Returns sentences on traces that share sightings, and on those with many duplicates.
  package func sentences(traces: [String]) -> [String] {
    var sampled = [Int](repeating: 0, count: traces.count)
    var twice = sampled
    var isFine = [Bool](repeating: false, count: traces.count)
    var common: [ClosedRange<Int>: Int] = [:]
    for (key, place) in places {
      let trace = Int(place.trace)
      sampled[trace] += 1
      if place.isTwice { twice[trace] += 1 }
      if key.time % Timestamp.second != 0 { isFine[trace] = true }
      guard let other = place.other.map(Int.init) else { continue }
      sampled[other] += 1
      common[min(trace, other)...max(trace, other), default: 0] += 1
    }
    var sentences: [String] = []
    for (pair, count) in common.sorted(by: {
      ($0.key.lowerBound, $0.key.upperBound) < ($1.key.lowerBound, $1.key.upperBound)
    }) {
      let (one, other) = (pair.lowerBound, pair.upperBound)
      let share = Double(count) / Double(min(sampled[one], sampled[other]))
      guard count >= Self.fewest, share >= Self.notable else { continue }
      sentences.append(
        "\(traces[one]) and \(traces[other]) have about \(decimal(100 * share, 0)) % of the sightings of the shorter one in "
          + "common, which count twice: exclude one, or separate them with `from` and `to`")
    }
    // With times in whole seconds, different sightings can have equal rows.
    for trace in traces.indices
    where isFine[trace] && twice[trace] >= Self.fewest
      && Double(twice[trace]) >= Self.notableInOne * Double(sampled[trace])
    {
      sentences.append(
        "\(decimal(100 * Double(twice[trace]) / Double(sampled[trace]), 0)) % of the sightings of "
          + "\(traces[trace]) occur twice, with the same time and level: each counts twice")
    }
    return sentences
  }
}
