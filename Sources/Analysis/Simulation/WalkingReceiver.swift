import Geometry
import RealModule

/// A receiver that walks among beacons on the walls.
struct WalkingReceiver: Motion {
  private var walker: Walker
  private let beacons: [SimulatedBeacon]
  private let slabs: Slabs?
  private let walls: FlatWalls?
  private let propagation: Propagation
  private let rise: Double
  private let storeyHeight: Double

  /// Starts at the walk's first corner, or returns `nil` if the walk has none.
  init?(_ walk: Walk, among beacons: [SimulatedBeacon], slabs: Slabs?, walls: FlatWalls?) {
    guard let walker = Walker(walk) else { return nil }
    (self.walker, self.beacons, self.slabs, self.walls) = (walker, beacons, slabs, walls)
    propagation = walk.scenario.propagation
    rise = walk.scenario.room.beaconHeight - walk.scenario.room.receiverHeight
    storeyHeight = walk.scenario.storeys?.height ?? 0
  }

  mutating func placement(of index: Int, at time: Int64) -> Placement? {
    guard let state = walker.advance(to: time) else { return nil }
    let (beacon, position, heading) = (beacons[index], state.position, state.heading)
    let there = beacon.position
    let rise = rise + (Double(beacon.floor) - state.level) * storeyHeight
    let distance = Self.distance(from: position, to: there, rise: rise)
    let ahead = heading.x * (there.x - position.x) + heading.y * (there.y - position.y)
    var placement = Placement(
      distance: distance, walked: state.walked, place: position, level: state.level,
      facing: distance > 0 ? ahead / distance : 0)
    if let walls { placement.loss = walls.loss(of: index, from: there, to: position) }
    if let appearance = slabs?.appearance(of: index, at: state.level) {
      let apparent = Point(x: there.x + appearance.shift.x, y: there.y + appearance.shift.y)
      placement.loss =
        appearance.loss + propagation.level(of: 0, at: distance)
        - propagation.level(of: 0, at: Self.distance(from: position, to: apparent, rise: rise))
    }
    return placement
  }

  private static func distance(from here: Point, to there: Point, rise: Double) -> Double {
    let across = here.distance(to: there)
    return (across * across + rise * rise).squareRoot()
  }
}
