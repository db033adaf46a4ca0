/// How many walls are on one path.
package struct WallTally: Hashable, Sendable {
  /// Crossings of each kind, in the order of `WallCrossings.kinds`.
  package fileprivate(set) var counts: [Int]
  /// Those of them whose loss the site does not state.
  package fileprivate(set) var unstated: [Int]
  /// The sum in dB of the losses that the site states.
  package fileprivate(set) var knownAttenuation = 0.0
}

/// What a path meets of the walls, gathered before it is counted.
struct WallHits {
  private var crossings: [(place: PathFraction, kind: Int, attenuation: Double?)] = []
  private var stretches: [(first: PathFraction, last: PathFraction, kind: Int)] = []

  mutating func add(_ segment: WallSegment, from start: Micrometres, along path: Micrometres) {
    switch segment.meets(from: start, along: path) {
    case .nowhere: break
    case .crossing(let place): crossings.append((place, segment.kind, segment.attenuation))
    case .stretch(let first, let last): stretches.append((first, last, segment.kind))
    }
  }

  /// Counts each place once a kind, and none that is on a stretch of its kind.
  consuming func tally(kinds: Int) -> WallTally {
    let none = [Int](repeating: 0, count: kinds)
    var tally = WallTally(counts: none, unstated: none)
    crossings.sort { ($0.kind, $0.place) < ($1.kind, $1.place) }
    stretches.sort { ($0.kind, $0.first) < ($1.kind, $1.first) }
    var (i, j) = (0, 0)
    var covered: (kind: Int, last: PathFraction)?
    while i < crossings.count {
      let (place, kind, _) = crossings[i]
      while j < stretches.count, (stretches[j].kind, stretches[j].first) <= (kind, place) {
        let stretch = stretches[j]
        if let reach = covered, reach.kind == stretch.kind {
          covered = (reach.kind, max(reach.last, stretch.last))
        } else {
          covered = (stretch.kind, stretch.last)
        }
        j += 1
      }
      var attenuation: Double?
      while i < crossings.count, crossings[i].kind == kind, crossings[i].place == place {
        if let stated = crossings[i].attenuation { attenuation = max(stated, attenuation ?? 0) }
        i += 1
      }
      if let reach = covered, reach.kind == kind, place <= reach.last { continue }
      tally.counts[kind] += 1
      if let attenuation {
        tally.knownAttenuation += attenuation
      } else {
        tally.unstated[kind] += 1
      }
    }
    return tally
  }
}
