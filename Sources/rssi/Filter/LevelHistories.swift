import Filtering
import Sightings

/// The levels of each link that estimates are made from: the first ones, up to a limit.
struct LevelHistories {
  private let linkLimit: Int
  private var room: Int
  private let resetAfter: Int64?
  private var index: LinkIndex
  private var keys: [LinkKey] = []
  /// By number of the link in its trace: stretches between long gaps.
  private var stretches: [[NoiseEstimate.Link]] = []
  private var counts: [Int] = []

  /// - Parameters:
  ///   - linkLimit: levels kept of a link in a trace.
  ///   - totalLimit: levels kept in all.
  ///   - resetAfter: nanoseconds; a longer gap begins a new stretch.
  init(_ catalogue: Catalogue, linkLimit: Int, totalLimit: Int, resetAfter: Int64?) {
    self.linkLimit = linkLimit
    room = totalLimit
    self.resetAfter = resetAfter
    index = LinkIndex(catalogue)
  }

  mutating func append(_ rows: borrowing SightingColumns) {
    for row in 0..<rows.count where !rows.rssi[row].isNaN {
      let (link, isNew) = index.number(rows, row)
      if isNew {
        keys.append(LinkKey(beacon: rows.beacon[row], receiver: rows.receiver[row]))
        stretches.append([NoiseEstimate.Link()])
        counts.append(0)
      }
      guard room > 0, counts[link] < linkLimit else { continue }
      let time = rows.time[row]
      let current = stretches[link].count - 1
      if let resetAfter, let last = stretches[link][current].times.last, time > last,
        UInt64(bitPattern: time &- last) > UInt64(resetAfter)
      {
        stretches[link].append(NoiseEstimate.Link(times: [time], levels: [rows.rssi[row]]))
      } else {
        stretches[link][current].times.append(time)
        stretches[link][current].levels.append(rows.rssi[row])
      }
      counts[link] += 1
      room -= 1
    }
  }

  /// The links in order of first appearance, with the levels of all their traces in order of time.
  func byLink() -> [(key: LinkKey, levels: [NoiseEstimate.Link])] {
    var places: [LinkKey: Int] = [:]
    var links: [(key: LinkKey, levels: [NoiseEstimate.Link])] = []
    for (key, levels) in zip(keys, stretches) {
      let place = places[key] ?? links.count
      if place == links.count {
        places[key] = place
        links.append((key, []))
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
