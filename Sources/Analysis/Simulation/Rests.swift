public import Geometry
import NumericalMethods
import RealModule
import Support

/// The rests, moves and drop-outs of beacons around a receiver in the middle of the room.
public struct RestPlan: Hashable, Sendable {
  /// The shortest rest of a beacon before it is moved, in seconds; rests are up to a tenth longer.
  public var duration: Double
  /// The change of the mean level by each move in dB, alternately down and up; `nil` moves to
  /// another random place.
  public var levelChange: Double?
  /// The duration of one silence of a beacon per rest, in seconds; 0 for none.
  public var dropOut = 0.0

  /// Creates rests of at least a duration, in seconds.
  public init(duration: Double = 600) { self.duration = duration }

  /// Rejects the first invalid parameter.
  func validate(exponent: Double, speed: Double) throws(RSSIError) {
    try require("rests.duration", duration, in: 0.001...1e8)
    try require("rests.dropOut", dropOut, in: 0...duration)
    // A beacon must arrive after a move, so its speed is above 0.
    try require("walks.speed", speed, in: 0.01...100)
    guard let levelChange else { return }
    // The distance grows by a factor of at most a thousand.
    try require("rests.levelChange", levelChange, in: 0...max(0, 30 * exponent))
  }
}

/// A rest of a beacon at a place, from which it is carried straight to that of its next rest.
public struct BeaconRest: Hashable, Sendable {
  /// The number among the rests of the beacon in the trace, from 0.
  public let index: Int
  /// The place of the beacon, in metres.
  public let position: Point
  /// The true straight-line distance to the receiver, in metres.
  public let distance: Double
  /// The start of the rest, in nanoseconds since the Unix epoch.
  public let start: Int64
  /// The end of the rest, in nanoseconds since the Unix epoch.
  public let end: Int64
  /// The time in which the beacon is silent, in nanoseconds since the Unix epoch; `nil` for none.
  public let silence: ClosedRange<Int64>?
}

/// The rests of one beacon in one trace in time order, generated lazily.
///
/// The last one starts after the end of the trace if the beacon is being moved then.
public struct BeaconRests: Sequence, Sendable {
  let scenario: Scenario
  let plan: RestPlan
  let trace: Int
  let beacon: Int

  public func makeIterator() -> Iterator { Iterator(self) }

  /// The remaining rests of a trace.
  public struct Iterator: IteratorProtocol, Sendable {
    private let room: Room
    private let plan: RestPlan
    private let speed: Double
    /// The ratio of distances that gives the planned change of level.
    private let ratio: Double
    private let endOfTrace: Int64
    private var stream: RandomStream<Xoshiro256>
    private var index = 0
    private var first: Point?
    private var position: Point?
    private var start: Int64

    init(_ rests: BeaconRests) {
      let scenario = rests.scenario
      (room, plan, speed) = (scenario.room, rests.plan, scenario.walks.speed)
      ratio = Double.pow(10, (plan.levelChange ?? 0) / (10 * scenario.propagation.exponent))
      start = scenario.walks.start(ofTrace: rests.trace)
      endOfTrace = start + nanoseconds(scenario.walks.duration)
      stream = RandomStream(seed: scenario.seed, for: .rest, rests.trace, rests.beacon)
    }

    public mutating func next() -> BeaconRest? {
      guard index == 0 || position != nil else { return nil }
      let here = position ?? room.place(from: &stream)
      if index == 0 { first = here }
      let length = plan.duration * (1 + 0.1 * stream.uniform())
      let silent = start + nanoseconds(stream.uniform() * (length - plan.dropOut))
      let end = Swift.max(start, Swift.min(start + nanoseconds(length), endOfTrace))
      let isSilent = plan.dropOut > 0 && silent < end
      let rest = BeaconRest(
        index: index, position: here, distance: room.distance(toReceiver: here), start: start,
        end: end,
        silence: isSilent ? silent...Swift.min(silent + nanoseconds(plan.dropOut), end) : nil)
      index += 1
      guard end < endOfTrace else {
        position = nil
        return rest
      }
      let there = place(after: here)
      position = there
      start = end + nanoseconds(here.distance(to: there) / speed)
      return rest
    }

    private mutating func place(after here: Point) -> Point {
      guard plan.levelChange != nil, let first else {
        return room.place(
          from: &stream, farFrom: here, by: Swift.min(1, room.width / 8, room.depth / 8))
      }
      return index.isMultiple(of: 2) ? first : room.place(at: ratio, from: first)
    }
  }
}

extension Room {
  /// The place of a receiver that does not walk, in metres.
  var middle: Point { Point(x: width / 2, y: depth / 2) }

  /// Returns the straight-line distance of a beacon to the receiver in the middle, in metres.
  func distance(toReceiver place: Point) -> Double {
    let (across, rise) = (place.distance(to: middle), beaconHeight - receiverHeight)
    return (across * across + rise * rise).squareRoot()
  }

  /// Returns a place in the direction of another, at a multiple of its distance to the receiver.
  func place(at ratio: Double, from place: Point) -> Point {
    let (across, rise) = (place.distance(to: middle), beaconHeight - receiverHeight)
    let distance = max(self.distance(toReceiver: place), Propagation.nearestDistance) * ratio
    let reached = max(0, distance * distance - rise * rise).squareRoot()
    guard across > 0 else { return Point(x: middle.x + reached, y: middle.y) }
    return middle.interpolated(to: place, reached / across)
  }
}

/// The motion of either end of the links of a trace.
protocol Motion {
  /// Returns the placement of a beacon's link at a time, which never decreases between calls, or
  /// `nil` after the end of the trace.
  mutating func placement(of beacon: Int, at time: Int64) -> Placement?
}

/// Beacons that rest and are moved around a receiver that stays.
struct RestingBeacons: Motion {
  private struct Course {
    var rests: BeaconRests.Iterator
    var rest: BeaconRest
    var next: BeaconRest?
    var walked = 0.0
    let first: Point
  }

  private let room: Room
  private let keepsShadowing: Bool
  private let end: Int64
  private var courses: [Course]

  init(_ scenario: Scenario, _ plan: RestPlan, trace: Int) {
    room = scenario.room
    keepsShadowing = plan.levelChange != nil
    end = scenario.walks.start(ofTrace: trace) + nanoseconds(scenario.walks.duration)
    courses = (0..<scenario.room.beaconCount).map { beacon in
      var rests = BeaconRests(scenario: scenario, plan: plan, trace: trace, beacon: beacon)
        .makeIterator()
      guard let first = rests.next() else {
        preconditionFailure("expected a rest at the start of a trace")
      }
      let next = rests.next()
      return Course(rests: rests, rest: first, next: next, first: first.position)
    }
  }

  mutating func placement(of beacon: Int, at time: Int64) -> Placement? {
    guard time <= end else { return nil }
    while let next = courses[beacon].next, time >= next.start {
      courses[beacon].walked += courses[beacon].rest.position.distance(to: next.position)
      courses[beacon].rest = next
      courses[beacon].next = courses[beacon].rests.next()
    }
    let (rest, walked) = (courses[beacon].rest, courses[beacon].walked)
    var place = rest.position
    if time > rest.end, let next = courses[beacon].next {
      place = rest.position.interpolated(
        to: next.position, Double(time - rest.end) / Double(next.start - rest.end))
    }
    // A move by a level changes only the path loss.
    return Placement(
      distance: room.distance(toReceiver: place),
      walked: keepsShadowing ? 0 : walked + rest.position.distance(to: place),
      place: keepsShadowing ? courses[beacon].first : place, rest: rest.index,
      isSilent: rest.silence?.contains(time) ?? false)
  }
}
