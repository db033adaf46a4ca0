import Foundation
import PathLoss
import Positioning
import Sightings
import Support
import Synchronization
import TestSupport
import Testing

@testable import TracePipelines

private final class KeptPositions: PositionSink {
  private(set) var positions: [LocatedPosition] = []
  private(set) var events: [PlaceEvent] = []

  func receive(_ position: LocatedPosition) { positions.append(position) }
  func receive(_ event: PlaceEvent) { events.append(event) }
  func flush() {}
}

/// A clock that a test sets.
private final class SetClock: Sendable {
  private let time = Mutex<Int64>(0)
  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
  var host: MachineClock {
    MachineClock(
      now: { self.now }, monotonic: { self.now - seconds(1_000_000) }, pause: { _ in })
  }
}

@Suite("Positions as sightings arrive")
struct LiveLocatorTests {
  private let sink = KeptPositions()
  private let time = SetClock()

  private func locator(_ change: (inout LocateRequest) -> Void = { _ in }) throws -> LiveLocator {
    var request = LocateRequest()
    request.algorithm = "weighted-centroid"
    change(&request)
    let locator = try Locator(
      LocateBasis(request, log: SilentLog()), catalogue, of: "the stream",
      constants: try LinkConstants(
        calibration([fittedGroup("pooled", power: -60)]), of: "c.json"))
    return LiveLocator(locator, sink: sink, host: time.host)
  }

  private var catalogue: Catalogue {
    var catalogue = Catalogue()
    catalogue.traces = ["walk"]
    catalogue.beacons = [
      anchorNode("a", x: 0, y: 0), anchorNode("b", x: 5, y: 0), anchorNode("c", x: 0, y: 5),
    ]
    catalogue.receivers = [Node(id: "phone", kind: "")]
    return catalogue
  }

  private func hear(_ second: Double, by locator: LiveLocator) throws {
    var rows = SightingColumns(capacity: 3)
    rows.append(
      contentsOf: (0..<3).map {
        Sighting(
          time: seconds(second), beacon: $0, receiver: 0, trace: 0, rssi: -60 - Float($0))
      })
    try locator.append(rows, payloads: NewPayloads(), catalogue: catalogue)
  }

  @Test func `an epoch of the present ends by the host's clock, without another sighting`() throws {
    let locator = try locator()
    time.now = seconds(10.25)
    try hear(10.25, by: locator)
    // The epoch of 11 s is final 0.1 s later, and a second is granted to a late line.
    #expect(locator.patience == seconds(1.85))
    time.now = seconds(12)
    try locator.wait()
    #expect(sink.positions.isEmpty)
    #expect(locator.patience == seconds(0.1))
    time.now = seconds(12.1)
    try locator.wait()
    #expect(sink.positions.map(\.time) == [seconds(11)])
    #expect(sink.positions[0].anchors == 3 && sink.positions[0].estimate != nil)
  }

  @Test func `a stream that is played again waits for its lines`() throws {
    let locator = try locator()
    time.now = seconds(1000)
    try hear(10.25, by: locator)
    #expect(locator.patience == nil)
    try hear(11.2, by: locator)
    #expect(sink.positions.map(\.time) == [seconds(11)])
    try locator.finish()
    #expect(sink.positions.map(\.time) == [11, 12].map(seconds))
  }

  @Test func `traces that were not chosen are not located, which is noted`() throws {
    let locator = try locator { $0.trace = ["other"] }
    try hear(10, by: locator)
    try locator.finish()
    #expect(sink.positions.isEmpty)
    #expect(locator.notes.contains { $0.contains("a moving node") })
  }

  private static let wrong: [(words: String, change: @Sendable (inout LocateRequest) -> Void)] = [
    ("`epoch`: invalid duration", { $0.epoch = .zero }),
    ("`window`", { $0.window = .nanoseconds(1) }),
    ("`silence`: invalid duration", { $0.silence = .seconds(172_800) }),
    ("`height`", { $0.height = 1e9 }),
    (
      "the height is either",
      {
        $0.height = 1
        $0.dimensions = .space
      }
    ),
    ("`spotLeft` 0.6", { $0.spotRule.left = 0.6 }), ("`spotPower`", { $0.spotPower = .nan }),
    ("`spots` needs", { $0.spots = true }), ("`events` needs", { $0.events = true }),
    ("unknown algorithm", { $0.algorithm = "guess" }),
  ]

  @Test(arguments: wrong.indices)
  func `values out of range are refused`(index: Int) throws {
    var request = LocateRequest()
    try request.check()
    Self.wrong[index].change(&request)
    #expect { try request.check() } throws: { "\($0)".contains(Self.wrong[index].words) }
  }
}
