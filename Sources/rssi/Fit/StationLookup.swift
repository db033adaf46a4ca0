import Evaluation
import Geometry
import Inputs
import PathLoss
import Positioning
import RealModule
import Sightings
import Sites

/// The station of each sighting of one file: from the stay it belongs to, else from positions.
///
/// A position is a stay of the link at a known distance; one link at one place where the moving
/// node stood, however often; or, where it walked, one link in one trace. The number of a position
/// is made of names and places alone, so the same readings given twice are the same positions.
struct StationLookup {
  private let sites: MovingNodes
  private let series: Set<String>
  private let minDistance: Double
  private let walls: WallCrossings?
  /// By link and trace, what their names contribute to a position.
  private var links: [UInt64: FNVHash] = [:]
  /// By stay and channel; `unknown` until the first sighting of it.
  private var staySlots: [Int32] = []
  /// By stay, that of channels that are not known.
  private var unknownChannelSlots: [Int32] = []
  private var stayStations: [Int] = []
  private var placeSlots: [PlaceKey: Int32] = [:]
  /// Of one block: stays with channels, and slots.
  private var keys: [UInt32] = []
  private var slots: [Int32] = []

  private static let unknown = Int32.min

  private struct PlaceKey: Hashable {
    var link: UInt64
    var position: UInt64
    var distance: UInt64
    var channel: UInt8
    var walls: [Int]
    var knownLoss: Double
  }

  /// - Parameters:
  ///   - series: names of the traces to take; empty = all.
  ///   - minDistance: metres; nearer readings are left out.
  ///   - site: gives anchors that the file does not know the places of, and walls.
  init(_ catalogue: Catalogue, series: Set<String>, minDistance: Double, site: FitSite?) {
    sites = MovingNodes(site?.placing(catalogue) ?? catalogue)
    walls = site?.walls
    self.series = series
    self.minDistance = minDistance
  }

  /// Counts the levels of a block.
  ///
  /// Pieces that hold nothing but whole levels of stays that are known already, which is nearly all
  /// of a recording at the bench, take a faster way.
  mutating func count(
    _ rows: borrowing SightingColumns, _ catalogue: Catalogue, into tally: inout StationTally
  ) throws {
    makeRoom(catalogue)
    let channels = rows.channel.span
    let isUnknown = channels.isEmpty || isAlways255(channels)
    keys.removeAll(keepingCapacity: true)
    if !isUnknown {
      for row in rows.dwell.indices {
        keys.append(rows.dwell[row] &<< 2 | UInt32(channelNumber(channels[row])))
      }
    }
    var first = 0
    while first < rows.rssi.count {
      let piece = first..<min(first + 4096, rows.rssi.count)
      first = piece.upperBound
      let isCounted =
        isUnknown
        ? tally.addStays(
          levels: rows.rssi.span.extracting(piece), keys: rows.dwell.span.extracting(piece),
          slots: unknownChannelSlots.span)
        : tally.addStays(
          levels: rows.rssi.span.extracting(piece), keys: keys.span.extracting(piece),
          slots: staySlots.span)
      if isCounted { continue }
      try setSlots(rows, piece, catalogue, of: &tally)
      tally.add(
        levels: rows.rssi.span.extracting(piece),
        variances: rows.variance.isEmpty
          ? rows.variance.span : rows.variance.span.extracting(piece),
        slots: slots.span)
    }
  }

  /// The slot of each row of a block, or why it has none; nothing is counted.
  mutating func slots(
    _ rows: borrowing SightingColumns, _ catalogue: Catalogue, of tally: inout StationTally
  ) throws -> [Int32] {
    makeRoom(catalogue)
    try setSlots(rows, 0..<rows.rssi.count, catalogue, of: &tally)
    return slots
  }

  private mutating func makeRoom(_ catalogue: Catalogue) {
    let more = catalogue.dwells.count - stayStations.count
    guard more > 0 else { return }
    staySlots.append(contentsOf: repeatElement(Self.unknown, count: more * 4))
    unknownChannelSlots.append(contentsOf: repeatElement(Self.unknown, count: more))
    stayStations.append(contentsOf: repeatElement(-1, count: more))
  }

  /// Sets the slot of each row of a piece, or why it has none.
  private mutating func setSlots(
    _ rows: borrowing SightingColumns, _ piece: Range<Int>, _ catalogue: Catalogue,
    of tally: inout StationTally
  ) throws {
    slots.removeAll(keepingCapacity: true)
    let hasChannel = !rows.channel.isEmpty
    for row in piece {
      let dwell = Int(rows.dwell[row])
      let channel = hasChannel ? rows.channel[row] : 255
      guard dwell < stayStations.count else {
        slots.append(try place(rows, row, channel, catalogue, &tally))
        continue
      }
      let number = channelNumber(channel)
      var slot = staySlots[dwell << 2 | number]
      if slot == Self.unknown {
        slot = stay(dwell, rows, row, channel, catalogue, &tally)
        staySlots[dwell << 2 | number] = slot
        if number == 0 { unknownChannelSlots[dwell] = slot }
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
    _ dwell: Int, _ rows: borrowing SightingColumns, _ row: Int, _ channel: UInt8,
    _ catalogue: Catalogue,
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
    _ rows: borrowing SightingColumns, _ row: Int, _ channel: UInt8, _ catalogue: Catalogue,
    _ tally: inout StationTally
  ) throws -> Int32 {
    let name = catalogue.traces[Int(rows.trace[row])]
    guard series.isEmpty || series.contains(name) else {
      return StationTally.Exclusion.otherSeries.rawValue
    }
    guard !rows.time.isEmpty, let pair = sites.pair(rows, row),
      let target = sites.place(of: pair.target, at: rows.time[row])
    else { return StationTally.Exclusion.noDistance.rawValue }
    var position = link(rows, row, catalogue)
    if target.isStanding {
      position.add(target.position, z: target.z)
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
    let crossed = try walls?.tally(from: Point(x: anchor.x, y: anchor.y), to: target.position)
    let key = PlaceKey(
      link: linkKey(rows, row), position: position.value, distance: station.distance.bitPattern,
      channel: channel, walls: crossed?.unstated ?? [], knownLoss: crossed?.knownAttenuation ?? 0)
    if let known = placeSlots[key] { return known }
    if let walls, let crossed {
      station.walls = Dictionary(uniqueKeysWithValues: zip(walls.kinds, crossed.unstated))
      station.knownLoss = crossed.knownAttenuation
    }
    let slot = tally.slot(
      station: tally.number(of: station), channel: channel, isStay: target.isStanding)
    placeSlots[key] = slot
    return slot
  }

  private func reason(series name: String, distance: Double) -> StationTally.Exclusion? {
    if !series.isEmpty, !series.contains(name) { return .otherSeries }
    if distance <= 0 { return .zeroDistance }
    if distance < Station.nearest { return .tooNear }
    return distance < minDistance ? .belowMinimumDistance : nil
  }

  private func station(_ rows: borrowing SightingColumns, _ row: Int, _ catalogue: Catalogue)
    -> Station
  {
    Station(
      beacon: catalogue.beacons[Int(rows.beacon[row])].id,
      receiver: catalogue.receivers[Int(rows.receiver[row])].id,
      series: catalogue.traces[Int(rows.trace[row])], position: 0, distance: 1)
  }

  private func linkKey(_ rows: borrowing SightingColumns, _ row: Int) -> UInt64 {
    UInt64(rows.trace[row]) << 48 | UInt64(rows.receiver[row]) << 32 | UInt64(rows.beacon[row])
  }

  private mutating func link(
    _ rows: borrowing SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> FNVHash {
    let key = linkKey(rows, row)
    if let known = links[key] { return known }
    let names = FNVHash(
      beacon: catalogue.beacons[Int(rows.beacon[row])].id,
      receiver: catalogue.receivers[Int(rows.receiver[row])].id)
    links[key] = names
    return names
  }

  /// The number of the position of a link whose moving node stands at a place.
  static func position(beacon: String, receiver: String, at place: Point, z: Double?) -> UInt64 {
    var position = FNVHash(beacon: beacon, receiver: receiver)
    position.add(place, z: z)
    return position.value
  }
}

extension FNVHash {
  fileprivate init(beacon: String, receiver: String) {
    add(beacon)
    add(receiver)
  }

  fileprivate mutating func add(_ place: Point, z: Double?) {
    add(place.x.bitPattern)
    add(place.y.bitPattern)
    add((z ?? .nan).bitPattern)
  }
}

/// 1 to 3 for channels 37 to 39, 0 for any other.
private func channelNumber(_ channel: UInt8) -> Int {
  (37...39).contains(channel) ? Int(channel) - 36 : 0
}

private func isAlways255(_ channels: Span<UInt8>) -> Bool {
  var all: UInt8 = 255
  for row in channels.indices { all &= channels[row] }
  return all == 255
}
