import Geometry
import PathLoss
import Sightings
import Sites

/// The stations of sightings whose distance follows from the positions of an anchor and of a node
/// with truth.
struct PlaceStations {
  private let nodes: MovingNodes
  private let selection: ReadingSelection
  private let walls: WallCrossings?
  private var slots: [Key: (slot: Int32, station: Int)] = [:]
  private var visits = VisitTally()

  /// The common properties of sightings of one slot.
  private struct Key: Hashable {
    var link: Link
    var position: UInt64
    var distance: UInt64
    var channel: UInt8
    var walls: [Int]
    var knownLoss: Double
    var cell: SIMD3<Int32>?
  }

  /// The ends of a link: the node with truth, whether it stands, and the anchor.
  private struct Ends {
    var link: MovingNodes.Pair
    var target: (position: Point, z: Double?, isStanding: Bool)
    var anchor: Node

    /// The distance in metres; in the plane if a height is unknown.
    var distance: Double {
      let dx = anchor.x - target.position.x
      let dy = anchor.y - target.position.y
      let dz = target.z.flatMap { anchor.z.isNaN ? nil : anchor.z - $0 } ?? 0
      return (dx * dx + dy * dy + dz * dz).squareRoot()
    }

    /// The place of the target in whole metres; `nil` for coordinates of no building.
    var cell: SIMD3<Int32>? {
      let metres = [target.position.x, target.position.y, target.z ?? 0].map { $0.rounded() }
      guard metres.allSatisfy({ abs($0) < 1e9 }) else { return nil }
      return SIMD3(Int32(metres[0]), Int32(metres[1]), Int32(metres[2]))
    }

    /// Returns the walls between the ends.
    func crossed(_ walls: WallCrossings?) throws -> WallTally? {
      try walls?.tally(from: Point(x: anchor.x, y: anchor.y), to: target.position)
    }
  }

  init(_ nodes: MovingNodes, _ selection: ReadingSelection, walls: WallCrossings?) {
    self.nodes = nodes
    self.selection = selection
    self.walls = walls
  }

  /// Returns the slot of a row, or the reason why it has none.
  mutating func slot(
    _ rows: borrowing SightingColumns, _ row: Int, _ channel: UInt8, _ links: inout LinkNames,
    _ catalogue: Catalogue, in tally: inout StationTally
  ) throws -> Int32 {
    let name = catalogue.traces[Int(rows.trace[row])]
    guard selection.takes(series: name) else {
      return StationTally.Exclusion.otherSeries.rawValue
    }
    guard let ends = ends(rows, row) else { return StationTally.Exclusion.noDistance.rawValue }
    let distance = ends.distance
    if let reason = selection.exclusion(series: name, distance: distance) {
      return reason.rawValue
    }
    var position = links.number(rows, row, catalogue)
    if ends.target.isStanding {
      position.add(ends.target.position, z: ends.target.z)
    } else {
      position.add(name)
    }
    var station = rows.station(row, catalogue, position: position, distance: distance)
    station.cell = ends.cell
    if !ends.target.isStanding {
      station.walk = .exact
      if tally.roundsWalks { station.roundDistance() }
    }
    let crossed = try ends.crossed(walls)
    let key = Key(
      link: rows.link(row), position: position.value, distance: station.distance.bitPattern,
      channel: channel, walls: crossed?.unknownLoss ?? [],
      knownLoss: crossed?.knownAttenuation ?? 0, cell: station.cell)
    var known = slots[key]
    if known == nil {
      station.cross(crossed, of: walls)
      let number = tally.number(of: station)
      known = (
        tally.slot(station: number, channel: channel, isStay: ends.target.isStanding), number
      )
      slots[key] = known
    }
    guard let known else { return StationTally.Exclusion.noDistance.rawValue }
    if ends.target.isStanding {
      visits.add(
        ends.link, at: ends.target.position, z: ends.target.z, time: rows.time[row],
        station: known.station)
    }
    return known.slot
  }

  /// Passes on the visits, after the last sighting.
  ///
  /// - Parameter addsSilent: A Boolean value that is true if anchors that a node received elsewhere
  ///   in the trace, but not at a place, have stations there.
  func finish(
    _ catalogue: Catalogue, _ tally: inout StationTally, addsSilent: Bool
  ) throws {
    for (visited, visit, silent) in visits.finished() {
      for station in visited.stations.values { tally.set(visit, ofStation: station) }
      guard addsSilent else { continue }
      let target = nodes.targets[visited.target]
      let name = catalogue.traces[Int(target.trace)]
      for link in silent {
        let ends = Ends(
          link: link, target: (visited.place, visited.z, true), anchor: nodes.anchor(of: link))
        guard selection.exclusion(series: name, distance: ends.distance) == nil else { continue }
        let (beacon, receiver) =
          target.role == .receiver
          ? (ends.anchor.id, catalogue.receivers[Int(target.node)].id)
          : (catalogue.beacons[Int(target.node)].id, ends.anchor.id)
        let position = PositionNumber(
          beacon: beacon, receiver: receiver, at: visited.place, z: visited.z)
        var station = Station(
          beacon: beacon, receiver: receiver, series: name, position: position.value,
          distance: ends.distance)
        station.cell = ends.cell
        station.cross(try ends.crossed(walls), of: walls)
        tally.set(visit, ofStation: tally.number(of: station))
      }
    }
  }

  private func ends(_ rows: borrowing SightingColumns, _ row: Int) -> Ends? {
    guard !rows.time.isEmpty, let pair = nodes.pair(rows, row),
      let target = nodes.place(of: pair.target, at: rows.time[row])
    else { return nil }
    return Ends(link: pair, target: target, anchor: nodes.anchor(of: pair))
  }
}

extension Station {
  fileprivate mutating func cross(_ crossed: WallTally?, of walls: WallCrossings?) {
    guard let walls, let crossed else { return }
    self.walls = Dictionary(uniqueKeysWithValues: zip(walls.kinds, crossed.unknownLoss))
    knownLoss = crossed.knownAttenuation
  }
}
