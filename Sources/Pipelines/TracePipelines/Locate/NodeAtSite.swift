import Geometry
import Positioning
import Sightings
import Sites

/// The place of each of one node's positions: its room, its spot, and changes of the spot.
struct NodeAtSite {
  private var node: MovingNode
  private let rooms: RoomOutlines
  private let spots: [Site.Spot]
  private let floors: [String]
  private var watch: SpotWatch

  init(_ node: MovingNode, _ plan: SitePlan, rule: SpotWatch.Rule) {
    self.node = node
    rooms = RoomOutlines(plan.site)
    spots = plan.site?.spots ?? []
    floors = plan.building.map { $0.floors.count > 1 ? $0.floors.map(\.name) : [] } ?? []
    watch = SpotWatch(
      spots.map(\.place),
      floors: floors.isEmpty
        ? [] : spots.map { [floors] spot in spot.floor.flatMap { floors.firstIndex(of: $0) } },
      rule: rule)
  }

  /// Receives the next answer; returns the position and the events that follow.
  mutating func position(
    at time: Int64, _ outcome: Outcome, anchors: Int
  ) -> (position: LocatedPosition, events: [SpotEvent]) {
    let events = watch.take(outcome).map { event($0, at: time, outcome) }
    var position = LocatedPosition(time: time, node: node, outcome: outcome, anchors: anchors)
    if let estimate = position.estimate, let floor = estimate.floor, floors.indices.contains(floor)
    {
      position.floor = floors[floor]
      position.floorProbabilities = Dictionary(
        uniqueKeysWithValues: zip(floors, estimate.floorProbabilities))
    }
    if let estimate = position.estimate,
      let room = rooms.room(at: estimate.position, floor: position.floor)
    {
      position.room = room.name
      position.roomProbability = estimate.probability(inside: room)
    }
    position.spot = watch.current.map { spots[$0].name }
    return (position, events)
  }

  /// Takes the new number of the node.
  mutating func renumber(_ renumbering: Renumbering) { node = node.renumbered(renumbering) ?? node }

  /// Ends the track of a node that is not heard any more.
  mutating func end(at time: Int64) -> SpotEvent? {
    watch.end().map { event($0, at: time, nil) }
  }

  private func event(_ change: SpotWatch.Change, at time: Int64, _ outcome: Outcome?) -> SpotEvent {
    let (kind, spot, probability): (SpotEvent.Kind, Int, Double?) =
      switch change {
      case .reached(let spot, let probability): (.reached, spot, probability)
      case .left(let spot, let probability): (.left, spot, probability)
      }
    var position: Point?
    if case .located(let estimate) = outcome { position = estimate.position }
    return SpotEvent(
      time: time, kind: kind, spot: spots[spot], node: node, position: position,
      probability: probability)
  }
}
