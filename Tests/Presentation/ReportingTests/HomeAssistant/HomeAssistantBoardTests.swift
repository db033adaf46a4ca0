import Foundation
import Geometry
import LivePipelines
import NumericalMethods
import Positioning
import Registries
import Sightings
import Support
import Synchronization
import Testing
import TracePipelines
import TraceStore

@testable import Proximity
@testable import Reporting

private let second: Int64 = 1_000_000_000

/// A board, what it published in order, and its clock.
private final class Published {
  private(set) var messages: [(topic: String, payload: String)] = []
  let log = HeldNotes()
  let time = Atomic<Int64>(0)

  func board(
    fixed: Set<String> = [], asked: Set<String> = [], takesStrangers: Bool = true
  ) -> HomeAssistantBoard {
    let clock = MachineClock(
      now: { self.time.load(ordering: .relaxed) },
      monotonic: { self.time.load(ordering: .relaxed) }, pause: { _ in })
    return HomeAssistantBoard(
      names: .none, fixed: fixed, asked: asked, takesStrangers: takesStrangers,
      tool: ToolIdentity(version: "1", commandLine: "rssi"),
      prefix: "rssi/lab", log: log, clock: clock
    ) { self.messages.append(($0, $1)) }
  }

  /// The topics that a broker keeps, without their prefix.
  var retained: [String: String] {
    var topics: [String: String] = [:]
    for message in messages {
      topics[message.topic] = message.payload.isEmpty ? nil : message.payload
    }
    return topics
  }

  func states() throws -> [[String: Any]] {
    try messages.filter { $0.topic.hasSuffix("/state") }.map { try object($0.payload) }
  }

  func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Announcements by the last part but one of their topics.
  func announced() throws -> [String: [String: Any]] {
    Dictionary(
      try messages.filter { $0.topic.hasSuffix("/config") }.map {
        (String($0.topic.split(separator: "/")[3]), try object($0.payload))
      }, uniquingKeysWith: { $1 })
  }
}

extension Published: @unchecked Sendable {}

private func ranged(
  _ link: Int, distance: Double = 2, level: Double = -61.26, isHeard: Bool = true
) -> RangedBeacon {
  RangedBeacon(
    link: link, isHeard: isHeard, zone: .near,
    distance: DistanceEstimate(distance: distance, interval: Interval(lower: 1, upper: 4)),
    level: level, variance: 1, silence: 0, sightings: 1)
}

private func position(
  _ id: String, _ role: NodeRole = .receiver, room: String? = "office", at time: Int64 = 0
) -> LocatedPosition {
  var position = LocatedPosition(
    time: time,
    node: MovingNode(trace: 0, role: role, index: 0, traceName: "t", id: id),
    outcome: .located(
      Estimate(
        position: Point(x: 1.234, y: 5),
        uncertainty: .covariance(Covariance(xx: 1, xy: 0, yy: 0.25)))), anchors: 4)
  position.room = room
  return position
}

private let door = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:1"

extension HomeAssistantBoard {
  /// Takes beacons, each at its receiver, in the order of distance.
  fileprivate func take(_ beacons: [(RangedBeacon, WatchedBeacon)]) throws {
    try take(
      [Ranging(time: 0, region: 0, beacons: beacons.map(\.0))], of: "t", regions: [], at: 0
    ) { link in beacons.first { $0.0.link == link }?.1 ?? beacons[0].1 }
  }
}

@Suite("Devices of Home Assistant") struct HomeAssistantBoardTests {
  private let published = Published()

  @Test
  func `a beacon has its distance with the interval, zone, level and nearest receiver`() throws {
    let board = published.board()
    try board.take([
      (ranged(0), WatchedBeacon(id: door, receiver: "hall", trace: "t", name: "Door")),
      (
        ranged(1, distance: 9), WatchedBeacon(id: door, receiver: "attic", trace: "t", name: "Door")
      ),
    ])
    let state = try #require(published.states().first)
    #expect(published.messages.count == 6)
    #expect(state["tracker"] as? String == "home" && state["receiver"] as? String == "hall")
    #expect(state["distance_m"] as? Double == 2 && state["ci95_upper_m"] as? Double == 4)
    #expect(state["zone"] as? String == "near" && state["rssi_dbm"] as? Double == -61.3)
    let announced = try published.announced()
    #expect(Set(announced.keys) == ["tracker", "distance", "zone", "level", "receiver"])
    #expect(announced["tracker"]?["source_type"] as? String == "bluetooth_le")
    for message in announced.values {
      #expect(message["availability_topic"] as? String == "rssi/lab/status")
      #expect((message["device"] as? [String: Any])?["name"] as? String == "Door")
      let topic = message["state_topic"] as? String
      #expect(published.messages.contains { $0.topic == topic })
    }
    #expect(
      Set(announced.values.compactMap { $0["unique_id"] as? String }).count == announced.count)
  }

  @Test
  func `a state is published at most once per second, and its newest value is not lost`() throws {
    let board = published.board()
    for number in 0..<20 {
      published.time.store(Int64(number) * second / 10, ordering: .relaxed)
      try board.take([
        (
          ranged(0, distance: Double(number)),
          WatchedBeacon(id: door, receiver: "hall", trace: "t")
        )
      ])
    }
    published.time.store(3 * second, ordering: .relaxed)
    _ = try board.tick()
    let distances = try published.states().compactMap { $0["distance_m"] as? Double }
    #expect(distances == [0, 10, 19])
  }

  @Test func `strangers' addresses and beacons at known places are not published`() throws {
    let board = published.board(fixed: [door])
    for id in [door, "addr:00:11:22:33:44:55", "eddystone-eid:0011223344556677"] {
      try board.take([(ranged(0), WatchedBeacon(id: id, receiver: "hall", trace: "t"))])
    }
    try board.receive(position("addr:00:11:22:33:44:55", .beacon))
    #expect(published.messages.isEmpty)
    let asked = Published()
    try asked.board(asked: ["addr:00:11:22:33:44:55"]).receive(
      position("addr:00:11:22:33:44:55", .beacon))
    #expect(try asked.states().count == 1)
    let named = WatchedBeacon(
      id: "addr:00:11:22:33:44:55", receiver: "hall", trace: "t", name: "Keys")
    try board.take([(ranged(0), named)])
    #expect(try published.states().count == 1)
  }

  @Test func `a located node has its room and the place`() throws {
    let board = published.board()
    try board.receive(position("tag"))
    let state = try #require(published.states().first)
    #expect(state["room"] as? String == "office" && state["x_m"] as? Double == 1.23)
    #expect(state["semi_major_95_m"] as? Double == 2.45)
    #expect(Set(try published.announced().keys) == ["tracker", "room"])
    published.time.store(9 * second, ordering: .relaxed)
    try board.flush()
    #expect(try published.states().count == 1)
    published.time.store(11 * second, ordering: .relaxed)
    try board.flush()
    let last = try #require(published.states().last)
    #expect(last["tracker"] as? String == "not_home" && last["room"] is NSNull)
  }

  @Test func `a node in a building has its floor and the probability`() throws {
    let board = published.board()
    var position = position("tag")
    (position.floor, position.floorProbabilities) = ("F2", ["F1": 0.1, "F2": 0.9])
    try board.receive(position)
    let state = try #require(published.states().first)
    #expect(state["floor"] as? String == "F2" && state["floor_probability"] as? Double == 0.9)
    #expect(Set(try published.announced().keys) == ["tracker", "room", "floor"])
    published.time.store(11 * second, ordering: .relaxed)
    try board.flush()
    let last = try #require(published.states().last)
    #expect(last["floor"] is NSNull && last["floor_probability"] is NSNull)
  }

  @Test func `a beacon that has left is away, and its distance is not known`() throws {
    let board = published.board()
    let beacon = WatchedBeacon(id: door, receiver: "hall", trace: "t")
    try board.take([(ranged(0), beacon)])
    published.time.store(2 * second, ordering: .relaxed)
    try board.take([(ranged(0, isHeard: false), beacon)])
    let last = try #require(published.states().last)
    #expect(last["tracker"] as? String == "not_home" && last["distance_m"] is NSNull)
  }

  @Test func `a beacon that left is away at once, and what waits is published at the end`() throws {
    let board = published.board()
    let beacon = WatchedBeacon(id: door, receiver: "hall", trace: "t")
    func exit(at receiver: String, _ departure: ProximityEvent.Departure) throws {
      var other = beacon
      other.receiver = receiver
      try board.take(
        ProximityEvent(
          kind: .exit(departure), time: 0, link: 0, region: 0, zone: .unknown, level: -60),
        of: other, region: "all")
    }
    try board.take([(ranged(0), beacon)])
    // Another receiver's, or out of a zone: the nearest receiver still hears it.
    try exit(at: "attic", .unheard)
    try exit(at: "hall", .zone)
    try board.finish()
    #expect(try published.states().count == 1)
    try exit(at: "hall", .unheard)
    #expect(try published.states().count == 1)
    try board.finish()
    let last = try #require(published.states().last)
    #expect(last["tracker"] as? String == "not_home" && last["receiver"] is NSNull)
  }

  @Test func `hostile names stay text, and identities with equal letters stay apart`() throws {
    let board = published.board()
    for name in Hostile.names { try board.receive(position(name, room: name)) }
    try board.receive(position("a/b"))
    try board.receive(position("a#b"))
    #expect(try published.states().count == Hostile.names.count + 2)
    #expect(Set(published.messages.map(\.topic)).count == published.messages.count)
    for (topic, payload) in published.messages {
      #expect(topic.wholeMatch(of: /[a-z0-9_\/]+/) != nil, "\(topic)")
      let object = try published.object(payload)
      // What a template of Home Assistant would run is none of a name.
      for case let template as String in object.filter({ $0.key.contains("template") }).values {
        #expect(!Hostile.names.contains { template.contains($0) })
      }
    }
    #expect(
      try Set(published.states().compactMap { $0["room"] as? String }).isSuperset(of: Hostile.names)
    )
  }

  private func stranger(_ number: Int) -> WatchedBeacon {
    WatchedBeacon(
      id: "ibeacon:00000000-0000-0000-0000-000000000000:1:\(number)", receiver: "hall", trace: "t")
  }

  /// Returns whether the broker keeps the announcement of a beacon.
  private func announces(_ beacon: WatchedBeacon) -> Bool {
    published.retained.values.contains { $0.contains(#""model":"\#(beacon.id)""#) }
  }

  /// Hears strangers, one each tenth of a second, and returns the number of the next one.
  @discardableResult
  private func hear(
    _ beacons: Range<Int>, on board: HomeAssistantBoard, _ beacon: (Int) -> WatchedBeacon
  ) throws -> Int64 {
    for number in beacons {
      let time = Int64(number) * second / 10
      published.time.store(time, ordering: .relaxed)
      try board.take(
        [Ranging(time: time, region: 0, beacons: [ranged(number)])], of: "t", regions: [], at: time
      ) { _ in beacon(number) }
    }
    return Int64(beacons.upperBound)
  }

  @Test
  func `a beacon with a name takes the place of the stranger that was silent for longest`() throws {
    let board = published.board()
    try hear(0..<250, on: board, stranger)
    // No one was silent for five seconds when the first two hundred were there; then the first
    // were.
    #expect(published.retained.keys.count { $0.hasSuffix("/state") } == 200)
    try hear(250..<251, on: board) { _ in
      WatchedBeacon(id: door, receiver: "hall", trace: "t", name: "Keys")
    }
    let states = published.retained.keys.filter { $0.hasSuffix("/state") }
    #expect(states.count == 200 && states.contains { $0.contains("5e1f0a3c") })
    #expect(published.retained.count == 200 * 6)
    #expect(!announces(stranger(50)) && announces(stranger(51)))
  }

  @Test func `a crowd of strangers does not take turns`() throws {
    let board = published.board()
    for time in 0..<20 as Range<Int64> {
      published.time.store(time * second, ordering: .relaxed)
      try board.take(
        [Ranging(time: time, region: 0, beacons: (0..<300).map { ranged($0) })], of: "t",
        regions: [],
        at: time * second
      ) { stranger($0) }
    }
    #expect(!published.messages.contains { $0.payload.isEmpty })
    #expect(published.retained.keys.count { $0.hasSuffix("/state") } == 200)
  }

  @Test func `a stranger that comes back after it made room is announced again`() throws {
    let board = published.board()
    try hear(0..<260, on: board, stranger)
    #expect(!announces(stranger(0)))
    try hear(261..<262, on: board) { _ in stranger(0) }
    #expect(announces(stranger(0)))
  }

  @Test func `strangers do not take the place of names or of nodes that were asked for`() throws {
    let board = published.board(asked: ["addr:00:11:22:33:44:55"])
    try board.receive(position("phone"))
    try board.receive(position("addr:00:11:22:33:44:55", .beacon))
    try hear(0..<198, on: board) {
      WatchedBeacon(id: "named-\($0)", receiver: "hall", trace: "t", name: "n")
    }
    try hear(400..<500, on: board, stranger)
    #expect(published.retained.keys.count { $0.hasSuffix("/state") } == 200)
    #expect(!published.messages.contains { $0.payload.isEmpty })
  }

  @Test func `strangers are left out where they are not asked for`() throws {
    let board = published.board(asked: [stranger(7).id], takesStrangers: false)
    try hear(0..<5, on: board, stranger)
    try board.receive(position(stranger(6).id, .beacon))
    #expect(published.messages.isEmpty)
    try board.receive(position(stranger(7).id, .beacon))
    try board.receive(position("phone"))
    try hear(8..<9, on: board) { _ in
      WatchedBeacon(id: door, receiver: "hall", trace: "t", name: "Keys")
    }
    #expect(try published.states().count == 3)
  }

  @Test func `devices beyond two hundred are left out, with one note`() throws {
    let board = published.board()
    for number in 0..<300 { try board.receive(position("tag-\(number)")) }
    #expect(try published.states().count == 200)
    let notes = HeldNotes()
    published.log.pass(to: notes)
    let counted = NoteCount()
    notes.pass(to: counted)
    #expect(counted.count.load(ordering: .relaxed) == 1)
  }
}

private final class NoteCount: ActivityLog {
  let count = Atomic<Int>(0)
  func note(_ text: String) { count.add(1, ordering: .relaxed) }
}
