import PathLoss
import Sightings

/// The selection of readings to fit.
struct ReadingSelection {
  /// Names of the traces to take; empty = all.
  var series: Set<String> = []
  /// The minimum distance in metres; nearer readings are left out.
  var minDistance = 0.0
  /// A Boolean value that is true if places at which an anchor was not received have stations.
  var addsSilent = false

  /// Returns the reason to leave a reading out; nil if it is fitted.
  func exclusion(series name: String, distance: Double) -> StationTally.Exclusion? {
    if !takes(series: name) { return .otherSeries }
    if distance <= 0 { return .zeroDistance }
    if distance < Station.nearest { return .tooNear }
    return distance < minDistance ? .belowMinimumDistance : nil
  }

  func takes(series name: String) -> Bool { series.isEmpty || series.contains(name) }
}

/// The station of each sighting of one file: from its stay, else from positions.
///
/// A position is a stay of the link at a known distance; all visits of one link to one place at
/// which the moving node stood; or, for a walking node, one link in one trace.
struct StationLookup {
  private let selection: ReadingSelection
  private var links = LinkNames()
  private var places: PlaceStations
  /// The slots by stay and channel; `unknown` until the first sighting.
  private var staySlots: [Int32] = []
  /// The slot of unknown channels, by stay.
  private var unknownChannelSlots: [Int32] = []
  private var stayStations: [Int] = []
  /// Stays with channels, and slots, of one block.
  private var keys: [UInt32] = []
  private var slots: [Int32] = []

  private static let unknown = Int32.min

  /// - Parameter site: the walls, and the places of anchors that are missing from the file.
  init(_ catalogue: Catalogue, _ selection: ReadingSelection, site: FitSite?) throws {
    self.selection = selection
    places = PlaceStations(
      MovingNodes(try site?.site.placing(catalogue) ?? catalogue), selection, walls: site?.walls)
  }

  /// Counts the levels of a block.
  ///
  /// Pieces that contain only whole levels of known stays, which are nearly all of a recording at
  /// the bench, take a faster path.
  mutating func count(
    _ rows: borrowing SightingColumns, _ catalogue: Catalogue, into tally: inout StationTally
  ) throws {
    makeRoom(catalogue)
    let channels = rows.channel.span
    let isUnknown = channels.isEmpty || isAlways255(channels)
    keys.removeAll(keepingCapacity: true)
    if !isUnknown {
      for row in rows.stay.indices {
        keys.append(rows.stay[row] &<< 2 | UInt32(channelNumber(channels[row])))
      }
    }
    var first = 0
    while first < rows.rssi.count {
      let piece = first..<min(first + 4096, rows.rssi.count)
      first = piece.upperBound
      let isCounted =
        isUnknown
        ? tally.addStays(
          levels: rows.rssi.span.extracting(piece), keys: rows.stay.span.extracting(piece),
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

  /// Returns the slot of each row of a block, or the reason why it has none, without counting.
  mutating func slots(
    _ rows: borrowing SightingColumns, _ catalogue: Catalogue, of tally: inout StationTally
  ) throws -> [Int32] {
    makeRoom(catalogue)
    try setSlots(rows, 0..<rows.rssi.count, catalogue, of: &tally)
    return slots
  }

  private mutating func makeRoom(_ catalogue: Catalogue) {
    let more = catalogue.stays.count - stayStations.count
    guard more > 0 else { return }
    staySlots.append(contentsOf: repeatElement(Self.unknown, count: more * 4))
    unknownChannelSlots.append(contentsOf: repeatElement(Self.unknown, count: more))
    stayStations.append(contentsOf: repeatElement(-1, count: more))
  }

  /// Sets the slot of each row of a piece, or the reason why it has none.
  private mutating func setSlots(
    _ rows: borrowing SightingColumns, _ piece: Range<Int>, _ catalogue: Catalogue,
    of tally: inout StationTally
  ) throws {
    slots.removeAll(keepingCapacity: true)
    let hasChannel = !rows.channel.isEmpty
    for row in piece {
      let stay = Int(rows.stay[row])
      let channel = hasChannel ? rows.channel[row] : 255
      guard stay < stayStations.count else {
        slots.append(try places.slot(rows, row, channel, &links, catalogue, in: &tally))
        continue
      }
      let number = channelNumber(channel)
      var slot = staySlots[stay << 2 | number]
      if slot == Self.unknown {
        slot = newSlot(ofStay: stay, rows, row, channel, catalogue, &tally)
        staySlots[stay << 2 | number] = slot
        if number == 0 { unknownChannelSlots[stay] = slot }
      }
      slots.append(slot)
    }
  }

  /// Passes on the durations of stays and visits, after the last sighting.
  func finish(_ catalogue: Catalogue, _ tally: inout StationTally) throws {
    try places.finish(catalogue, &tally, addsSilent: selection.addsSilent)
    for (number, station) in stayStations.enumerated() where station >= 0 {
      let stay = catalogue.stays[number]
      if stay.start <= stay.end { tally.extend(station: station, over: stay.start...stay.end) }
    }
  }

  private mutating func newSlot(
    ofStay index: Int, _ rows: borrowing SightingColumns, _ row: Int, _ channel: UInt8,
    _ catalogue: Catalogue,
    _ tally: inout StationTally
  ) -> Int32 {
    let stay = catalogue.stays[index]
    let name = catalogue.traces[Int(rows.trace[row])]
    if let reason = selection.exclusion(series: name, distance: stay.distance) {
      return reason.rawValue
    }
    var position = links.number(rows, row, catalogue)
    position.add(name)
    position.add(UInt64(bitPattern: stay.start))
    position.add(stay.distance.bitPattern)
    var station = rows.station(row, catalogue, position: position, distance: stay.distance)
    station.pose = stay.pose
    let number = tally.number(of: station)
    stayStations[index] = number
    return tally.slot(station: number, channel: channel, isStay: true)
  }
}

/// The contribution of the names of each link in each trace to the number of a position.
struct LinkNames {
  private var numbers: [Link: PositionNumber] = [:]

  mutating func number(
    _ rows: borrowing SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) -> PositionNumber {
    let link = rows.link(row)
    if let known = numbers[link] { return known }
    let number = PositionNumber(
      beacon: catalogue.beacons[Int(rows.beacon[row])].id,
      receiver: catalogue.receivers[Int(rows.receiver[row])].id)
    numbers[link] = number
    return number
  }
}

extension SightingColumns {
  /// Returns the station of a row's link and trace, without levels.
  func station(
    _ row: Int, _ catalogue: Catalogue, position: PositionNumber, distance: Double
  ) -> Station {
    Station(
      beacon: catalogue.beacons[Int(beacon[row])].id,
      receiver: catalogue.receivers[Int(receiver[row])].id,
      series: catalogue.traces[Int(trace[row])], position: position.value, distance: distance)
  }
}

/// Returns 1 to 3 for channels 37 to 39, 0 for any other.
private func channelNumber(_ channel: UInt8) -> Int {
  (37...39).contains(channel) ? Int(channel) - 36 : 0
}

private func isAlways255(_ channels: Span<UInt8>) -> Bool {
  var all: UInt8 = 255
  for row in channels.indices { all &= channels[row] }
  return all == 255
}
