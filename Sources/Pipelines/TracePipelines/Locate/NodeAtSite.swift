import Geometry
import Positioning
import Rooms
import Sightings
import Sites

/// The place of each of one node's positions: its room, its spot, and changes of both.
struct NodeAtSite {
  private var node: MovingNode
  private let rooms: RoomOutlines
  private let spots: [Site.Spot]
  private let floors: [String]
  private var watch: SpotWatch
  /// The names of the trained rooms; empty without them.
  private let trained: [String]
  /// The number of the announced room.
  private var trainedRoom: Int?
  /// The last instant at which the node was heard.
  private var heard: Int64?

  init(_ node: MovingNode, _ plan: SitePlan, rule: SpotWatch.Rule, trained: RoomsFile?) {
    self.node = node
    self.trained = trained?.model.rooms.map(\.name) ?? []
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
  ///
  /// - Parameter trainedRooms: The trained rooms at that time; nil for the rooms of the site.
  mutating func position(
    at time: Int64, _ outcome: Outcome, anchors: Int, trainedRooms: RoomTracker.Answer? = nil
  ) -> (position: LocatedPosition, events: [PlaceEvent]) {
    if anchors > 0 { heard = time }
    var events = watch.take(outcome).map { event($0, at: time, outcome) }
    var position = LocatedPosition(time: time, node: node, outcome: outcome, anchors: anchors)
    if let estimate = position.estimate, let floor = estimate.floor, floors.indices.contains(floor)
    {
      position.floor = floors[floor]
      position.floorProbabilities = Dictionary(
        uniqueKeysWithValues: zip(floors, estimate.floorProbabilities))
    }
    if let answer = trainedRooms {
      if let change = answer.change {
        events += self.events(
          change, to: answer.room, at: time, answer.probabilities, position.estimate?.position)
      }
      trainedRoom = answer.room
      position.room = answer.room.map { trained[$0] }
      position.roomProbability = answer.room.map { answer.probabilities[$0] }
      position.roomSince = answer.since
      position.roomProbabilities = Dictionary(
        uniqueKeysWithValues: zip(trained, answer.probabilities))
    } else if let estimate = position.estimate,
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
  mutating func end(at time: Int64) -> [PlaceEvent] {
    defer { trainedRoom = nil }
    let change = trainedRoom.map {
      RoomTracker.Change(left: $0, between: min(heard ?? time, time)...time)
    }
    return (watch.end().map { [event($0, at: time, nil)] } ?? [])
      + (change.map { events($0, to: nil, at: time) } ?? [])
  }

  private func event(_ change: SpotWatch.Change, at time: Int64, _ outcome: Outcome?) -> PlaceEvent
  {
    let (kind, spot, probability): (PlaceEvent.Kind, Int, Double?) =
      switch change {
      case .reached(let spot, let probability): (.spotReached, spot, probability)
      case .left(let spot, let probability): (.spotLeft, spot, probability)
      }
    return PlaceEvent(
      time: time, kind: kind, place: .spot(spots[spot]), node: node,
      position: outcome?.estimate?.position, probability: probability)
  }

  /// Returns the events of a change of the room.
  ///
  /// - Parameter probabilities: The probability of each room; nil if the node is not heard any more.
  private func events(
    _ change: RoomTracker.Change, to room: Int?, at time: Int64, _ probabilities: [Double]? = nil,
    _ position: Point? = nil
  ) -> [PlaceEvent] {
    [(PlaceEvent.Kind.roomLeft, change.left), (.roomEntered, room)].compactMap { kind, room in
      room.map {
        PlaceEvent(
          time: time, kind: kind, place: .room(trained[$0], between: change.between), node: node,
          position: position, probability: probabilities?[$0])
      }
    }
  }
}
