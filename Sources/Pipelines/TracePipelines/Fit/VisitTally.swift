import Geometry
import PathLoss
import Sightings

/// The visits of moving nodes to the places at which they stood, from the times of their sightings.
///
/// The memory grows with visits, not with sightings.
struct VisitTally {
  /// A place of a moving node, with the anchors of its sightings there.
  struct Visited {
    var target: Int
    var place: Point
    var z: Double?
    /// The station of each anchor, by its index.
    fileprivate(set) var stations: [Int: Int] = [:]
    fileprivate var latest: Int64?
    fileprivate var visit = Visit(seconds: 0, stretches: 0)
  }

  private struct Place: Hashable {
    var target: Int
    var bits: [UInt64]
  }

  /// The sightings of a moving node by instant.
  private struct Instants {
    /// The visit of the latest sighting.
    var current: Int?
    var anchors: Set<Int> = []
    var count = 0
    var sightings = 0
    var repeated = 0
    /// The first times between two instants, in seconds.
    var gaps: [Double] = []

    mutating func add(_ anchor: Int, at time: Int64, to visited: inout Visited, _ number: Int) {
      current = number
      sightings += 1
      // Rows may be out of order by fractions of a millisecond.
      if let latest = visited.latest, time <= latest {
        if !anchors.insert(anchor).inserted { repeated += 1 }
        return
      }
      anchors.removeAll(keepingCapacity: true)
      anchors.insert(anchor)
      count += 1
      defer { visited.latest = time }
      if let latest = visited.latest {
        let gap = (Double(time) - Double(latest)) / 1e9
        if gap <= VisitTally.pause {
          visited.visit.seconds += gap
          if gaps.count < VisitTally.mostGaps { gaps.append(gap) }
          return
        }
      }
      visited.visit.stretches += 1
    }
  }

  /// The longest time between two sightings of one stretch, in seconds.
  private static let pause = 10.0
  private static let mostGaps = 4096

  private var visits: [Visited] = []
  private var numbers: [Place: Int] = [:]
  private var instants: [Int: Instants] = [:]
  /// The links of each moving node, by anchor.
  private var links: [Int: [Int: MovingNodes.Pair]] = [:]

  /// Adds a sighting of a node that stands.
  mutating func add(
    _ link: MovingNodes.Pair, at place: Point, z: Double?, time: Int64, station: Int
  ) {
    let (target, anchor) = (link.target, link.anchorIndex)
    let number = number(target, place, z, instants[target]?.current)
    if number != instants[target]?.current { visits[number].latest = nil }
    if visits[number].stations.updateValue(station, forKey: anchor) == nil {
      links[target, default: [:]][anchor] = link
    }
    instants[target, default: Instants()].add(anchor, at: time, to: &visits[number], number)
  }

  private mutating func number(
    _ target: Int, _ place: Point, _ z: Double?, _ current: Int?
  ) -> Int {
    if let current, visits[current].place == place, visits[current].z == z { return current }
    let key = Place(
      target: target, bits: [place.x, place.y, z ?? .infinity].map(\.bitPattern))
    if let known = numbers[key] { return known }
    numbers[key] = visits.count
    visits.append(Visited(target: target, place: place, z: z))
    return visits.count - 1
  }

  /// Returns the visits of all nodes, and the links of a node that had no sighting at the place.
  func finished() -> [(visited: Visited, visit: Visit, silent: [MovingNodes.Pair])] {
    let periods = instants.mapValues(Self.scanPeriod)
    return visits.map { visited in
      var visit = visited.visit
      visit.scanPeriod = periods[visited.target] ?? nil
      let silent = (links[visited.target] ?? [:]).filter { visited.stations[$0.key] == nil }
      return (visited, visit, silent.sorted { $0.key < $1.key }.map(\.value))
    }
  }

  /// Returns the mean time between scans, or `nil` if sightings do not come in scans: if few share
  /// their instant, or an anchor has several at one instant.
  private static func scanPeriod(_ instants: Instants) -> Double? {
    guard 2 * instants.sightings >= 3 * instants.count,
      100 * instants.repeated <= instants.sightings,
      !instants.gaps.isEmpty
    else { return nil }
    let gaps = instants.gaps.sorted()
    // A scan without a sighting doubles the time between two.
    let single = gaps.prefix { $0 <= 1.5 * gaps[gaps.count / 2] }
    return single.reduce(0, +) / Double(single.count)
  }
}
