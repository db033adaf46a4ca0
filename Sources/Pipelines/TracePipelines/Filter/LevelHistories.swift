import Filtering

/// The levels of one link, in order of time.
struct LinkLevels {
  let key: LinkKey
  /// Stretches of levels, separated by long gaps or by a new trace.
  var levels: [NoiseEstimate.Link] = []

  var count: Int { levels.reduce(0) { $0 + $1.times.count } }
}

/// The levels of each link for estimates: the first ones, up to a limit.
///
/// More would cost memory and hardly narrow the estimates.
struct LevelHistories {
  /// The maximum number of levels of a link in a trace.
  private static let linkLimit = 20_000
  /// The maximum number of levels in total.
  private static let totalLimit = 2_000_000
  /// The number of levels kept of each link from a reserve, after others have filled the total.
  private static let fewest = 200

  private var room = Self.totalLimit
  private var reserve = 1_000_000
  private let resetAfter: Int64?
  private var keys: [LinkKey] = []
  /// The stretches between long gaps, by number of the link in its trace.
  private var stretches: [[NoiseEstimate.Link]] = []
  private var counts: [Int] = []

  /// - Parameter resetAfter: nanoseconds; a longer gap begins a new stretch.
  init(resetAfter: Int64?) { self.resetAfter = resetAfter }

  /// Makes room for the next link; links have numbers from 0.
  mutating func open(_ key: LinkKey) {
    keys.append(key)
    stretches.append([NoiseEstimate.Link()])
    counts.append(0)
  }

  /// Takes a level of a link.
  mutating func append(link: Int, time: Int64, rssi: Float) {
    if counts[link] < Self.fewest, reserve > 0 {
      reserve -= 1
    } else {
      guard room > 0, counts[link] < Self.linkLimit else { return }
      room -= 1
    }
    let current = stretches[link].count - 1
    if let resetAfter, let last = stretches[link][current].times.last, time > last,
      UInt64(bitPattern: time &- last) > UInt64(resetAfter)
    {
      stretches[link].append(NoiseEstimate.Link(times: [time], levels: [rssi]))
    } else {
      stretches[link][current].times.append(time)
      stretches[link][current].levels.append(rssi)
    }
    counts[link] += 1
  }

  /// Returns the links in order of first appearance, with the levels of all their traces in order
  /// of time.
  func byLink() -> [LinkLevels] {
    var places: [LinkKey: Int] = [:]
    var links: [LinkLevels] = []
    for (key, levels) in zip(keys, stretches) {
      let place = places[key] ?? links.count
      if place == links.count {
        places[key] = place
        links.append(LinkLevels(key: key))
      }
      links[place].levels += levels.map(inOrder)
    }
    return links
  }

  private func inOrder(_ link: NoiseEstimate.Link) -> NoiseEstimate.Link {
    let isSorted = zip(link.times, link.times.dropFirst()).allSatisfy { $0 <= $1 }
    guard !isSorted else { return link }
    // Equal times keep their order.
    let order = link.times.indices.sorted {
      (link.times[$0], $0) < (link.times[$1], $1)
    }
    return NoiseEstimate.Link(
      times: order.map { link.times[$0] }, levels: order.map { link.levels[$0] })
  }
}
