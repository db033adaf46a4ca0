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
  private var slots: [Key: Int32] = [:]

  /// The common properties of sightings of one slot.
  private struct Key: Hashable {
    var link: Link
    var position: UInt64
    var distance: UInt64
    var channel: UInt8
    var walls: [Int]
    var knownLoss: Double
  }

  /// The ends of a link: the node with truth, whether it stands, and the anchor.
  private struct Ends {
    var target: (position: Point, z: Double?, isStanding: Bool)
    var anchor: Node

    /// The distance in metres; in the plane if a height is unknown.
    var distance: Double {
      let dx = anchor.x - target.position.x
      let dy = anchor.y - target.position.y
      let dz = target.z.flatMap { anchor.z.isNaN ? nil : anchor.z - $0 } ?? 0
      return (dx * dx + dy * dy + dz * dz).squareRoot()
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
    if !ends.target.isStanding {
      station.walk = .exact
      if tally.roundsWalks { station.roundDistance() }
    }
    let crossed = try walls?.tally(
      from: Point(x: ends.anchor.x, y: ends.anchor.y), to: ends.target.position)
    let key = Key(
      link: rows.link(row), position: position.value, distance: station.distance.bitPattern,
      channel: channel, walls: crossed?.unknownLoss ?? [], knownLoss: crossed?.knownAttenuation ?? 0
    )
    if let known = slots[key] { return known }
    if let walls, let crossed {
      station.walls = Dictionary(uniqueKeysWithValues: zip(walls.kinds, crossed.unknownLoss))
      station.knownLoss = crossed.knownAttenuation
    }
    let slot = tally.slot(
      station: tally.number(of: station), channel: channel, isStay: ends.target.isStanding)
    slots[key] = slot
    return slot
  }

  private func ends(_ rows: borrowing SightingColumns, _ row: Int) -> Ends? {
    guard !rows.time.isEmpty, let pair = nodes.pair(rows, row),
      let target = nodes.place(of: pair.target, at: rows.time[row])
    else { return nil }
    return Ends(target: target, anchor: nodes.anchor(of: pair))
  }
}
