import Evaluation
import PathLoss
import Positioning
import RealModule
import Sightings

/// The station of each sighting of one file: from the stay it belongs to, else from positions.
///
/// A position is a stay of the link at a known distance; one link at one place where the moving node
/// stood, however often; or, where it walked, one link in one trace. The number of a position is made of
/// names and places alone, so the same readings given twice are the same positions.
struct StationLookup {
  private let sites: MovingNodes
  private let series: Set<String>
  private let minDistance: Double
  private let walls: WallCount?
  /// By link and trace, what their names contribute to a position.
  private var links: [UInt64: Fingerprint] = [:]
  /// By stay and channel; `unknown` until the first sighting of it.
  private var staySlots: [Int32] = []
  private var stayStations: [Int] = []
  private var placeSlots: [PlaceKey: Int32] = [:]

  private static let unknown = Int32.min

  /// How many walls of each kind lie between two points.
  typealias WallCount = (Point, Point) -> [String: Int]

  private struct PlaceKey: Hashable {
    var link: UInt64
    var position: UInt64
    var distance: UInt64
    var channel: UInt8
    var walls: [String: Int]?
  }

  init(_ catalogue: Catalogue, series: Set<String>, minDistance: Double, walls: WallCount?) {
    sites = MovingNodes(catalogue)
    self.series = series
    self.minDistance = minDistance
    self.walls = walls
  }

  /// Sets the slot of each row, or why it has none.
  mutating func slots(
    _ rows: SightingColumns, _ catalogue: Catalogue, into slots: inout [Int32],
    of tally: inout StationTally
  ) {
    slots.removeAll(keepingCapacity: true)
    if staySlots.count < catalogue.dwells.count * 4 {
      let more = catalogue.dwells.count * 4 - staySlots.count
      staySlots.append(contentsOf: repeatElement(Self.unknown, count: more))
      stayStations.append(contentsOf: repeatElement(-1, count: more / 4))
    }
    let hasChannel = !rows.channel.isEmpty
    let stays = UInt32(clamping: catalogue.dwells.count)
    for row in rows.rssi.indices {
      let dwell = rows.dwell[row]
      let channel = hasChannel ? rows.channel[row] : 255
      guard dwell < stays else {
        slots.append(place(rows, row, channel, catalogue, &tally))
        continue
      }
      let index = Int(dwell) << 2 | ((37...39).contains(channel) ? Int(channel) - 36 : 0)
      var slot = staySlots[index]
      if slot == Self.unknown {
        slot = stay(Int(dwell), rows, row, channel, catalogue, &tally)
        staySlots[index] = slot
      }
      slots.append(slot)
    }
  }

  /// Tells the tally how long the stays lasted, once all sightings are in.
  func finish(_ catalogue: Catalogue, _ tally: inout StationTally) {
    for (dwell, station) in stayStations.enumerated() where station >= 0 {
      let stay = catalogue.dwells[dwell]
      if stay.start <= stay.end { tally.extend(station: station, over: stay.start...stay.end) }
    }
  }

  private mutating func stay(
    _ dwell: Int, _ rows: SightingColumns, _ row: Int, _ channel: UInt8, _ catalogue: Catalogue,
    _ tally: inout StationTally
  ) -> Int32 {
    let stay = catalogue.dwells[dwell]
    let name = catalogue.traces[Int(rows.trace[row])]
    if let reason = reason(series: name, distance: stay.distance) { return reason.rawValue }
    var position = link(rows, row, catalogue)
    position.add(name)
    position.add(UInt64(bitPattern: stay.start))
    position.add(stay.distance.bitPattern)
    var station = station(rows, row, catalogue)
    station.position = position.value
    station.distance = stay.distance
    let number = tally.number(of: station)
    stayStations[dwell] = number
    return tally.slot(station: number, channel: channel, isStay: true)
  }

  private mutating func place(
    _ rows: SightingColumns, _ row: Int, _ channel: UInt8, _ catalogue: Catalogue,
    _ tally: inout StationTally
  ) -> Int32 {
    let name = catalogue.traces[Int(rows.trace[row])]
    guard series.isEmpty || series.contains(name) else {
      return StationTally.Exclusion.otherSeries.rawValue
    }
    guard !rows.time.isEmpty, let pair = sites.pair(rows, row),
      let target = sites.place(of: pair.target, at: rows.time[row])
    else { return StationTally.Exclusion.noDistance.rawValue }
    var position = link(rows, row, catalogue)
    if target.isStanding {
      position.add(target.position.x.bitPattern)
      position.add(target.position.y.bitPattern)
      position.add((target.z ?? .nan).bitPattern)
    } else {
      position.add(name)
    }
    let anchor = pair.anchor
    let dx = anchor.x - target.position.x
    let dy = anchor.y - target.position.y
    let dz = target.z.flatMap { anchor.z.isNaN ? nil : anchor.z - $0 } ?? 0
    let distance = (dx * dx + dy * dy + dz * dz).squareRoot()
    if let reason = reason(series: name, distance: distance) { return reason.rawValue }
    var station = station(rows, row, catalogue)
    station.position = position.value
    station.distance = distance
    if !target.isStanding {
      station.walk = .exact
      if tally.roundsWalks { station.roundDistance() }
    }
    let crossed = walls?(Point(x: anchor.x, y: anchor.y), target.position)
    let key = PlaceKey(
      link: linkKey(rows, row), position: position.value, distance: station.distance.bitPattern,
      channel: channel, walls: crossed)
    if let known = placeSlots[key] { return known }
    station.walls = crossed
    let slot = tally.slot(
      station: tally.number(of: station), channel: channel, isStay: target.isStanding)
    placeSlots[key] = slot
    return slot
  }

  private func reason(series name: String, distance: Double) -> StationTally.Exclusion? {
    if !series.isEmpty, !series.contains(name) { return .otherSeries }
    if distance <= 0 { return .zeroDistance }
    return distance < minDistance ? .belowMinimumDistance : nil
  }

  private func station(_ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue) -> Station {
    Station(
      beacon: catalogue.beacons[Int(rows.beacon[row])].id,
      receiver: catalogue.receivers[Int(rows.receiver[row])].id,
      series: catalogue.traces[Int(rows.trace[row])], position: 0, distance: 1)
  }

  private func linkKey(_ rows: SightingColumns, _ row: Int) -> UInt64 {
    UInt64(rows.trace[row]) << 48 | UInt64(rows.receiver[row]) << 32 | UInt64(rows.beacon[row])
  }

  private mutating func link(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> Fingerprint {
    let key = linkKey(rows, row)
    if let known = links[key] { return known }
    var names = Fingerprint()
    names.add(catalogue.beacons[Int(rows.beacon[row])].id)
    names.add(catalogue.receivers[Int(rows.receiver[row])].id)
    links[key] = names
    return names
  }
}
