import Advertising
import Registries
import Sightings
import Support
import Testing

@testable import TracePipelines

@Suite("Which sightings are selected")
struct RowSelectionTests {
  private static let uuid = "00112233-4455-6677-8899-AABBCCDDEEFF"

  /// Two traces, of 10 s and 20 s, with a beacon, a tag and an address; a sighting a second.
  private let catalogue: Catalogue
  private var rows = SightingColumns(capacity: 0)

  init() {
    var catalogue = Catalogue()
    catalogue.beacons = [
      Node(id: "ibeacon:\(Self.uuid):1:2", kind: "ibeacon"), Node(id: "tag", kind: "other"),
      Node(id: "ibeacon:\(Self.uuid):1:3", kind: "ibeacon"),
    ]
    catalogue.receivers = [Node(id: "hall", kind: ""), Node(id: "door", kind: "")]
    catalogue.traces = ["one", "two"]
    catalogue.advertisers = [DeviceAddress(bits: 0xAABB_CCDD_EEFF, type: 1)]
    self.catalogue = catalogue
    for second in 0..<20 {
      var row = Sighting(
        time: seconds(100 + Double(second)), beacon: second % 2 == 0 ? 0 : 1,
        receiver: second < 15 ? 0 : 1, trace: second < 10 ? 0 : 1, rssi: -60)
      if second == 3 { row.advertiser = 0 }
      rows.append(contentsOf: [row])
    }
  }

  private func selected(_ change: (inout SightingSelection) throws -> Void) throws -> [Int] {
    var selection = SightingSelection()
    try change(&selection)
    let found = RowSelection(selection)
    let taken = found.rows(of: rows, in: catalogue)
    found.endFile(catalogue)
    try found.requireSightings()
    return taken
  }

  private func refusal(_ change: (inout SightingSelection) throws -> Void) -> String? {
    #expect(throws: RSSIError.self) { _ = try selected(change) }
      .map { "\($0.kind) \($0.description)" }
  }

  @Test func `times are half open`() throws {
    #expect(
      try selected { ($0.from, $0.to) = (TimeBound("103"), TimeBound("106")) } == [3, 4, 5])
    #expect(try selected { $0.to = TimeBound("1970-01-01T00:01:42Z") } == [0, 1])
    #expect(try selected { $0.from = TimeBound("118.000000001") } == [19])
  }

  @Test func `an offset counts from the first sighting of each trace`() throws {
    #expect(
      try selected { ($0.from, $0.to) = (TimeBound("+1s"), TimeBound("+2500ms")) }
        == [1, 2, 11, 12])
  }

  @Test(arguments: [
    ("2024-01-01T00:00:00.5Z", TimeBound.instant(1_704_067_200_500_000_000)),
    ("1704067200.000000001", .instant(1_704_067_200_000_000_001)),
    ("-1.5", .instant(-1_500_000_000)), ("-0.25", .instant(-250_000_000)),
    ("7", .instant(7_000_000_000)),
    ("+30s", .offset(30_000_000_000)), ("+0", .offset(0)), ("+2m", .offset(120_000_000_000)),
  ])
  func `written`(_ text: String, _ bound: TimeBound) { #expect(TimeBound(text) == bound) }

  @Test(arguments: [
    "", "+", "+-1s", "noon", "1.", "1.0000000001", "1e3", "2024-01-01", "99999999999", "+1y", ".5",
  ])
  func `not a time`(_ text: String) { #expect(TimeBound(text) == nil) }

  @Test func `names`() throws {
    #expect(try selected { $0.traces = ["two"] } == Array(10..<20))
    #expect(try selected { ($0.traces, $0.receivers) = (["two"], ["hall"]) } == Array(10..<15))
    #expect(try selected { $0.kinds = [.other] } == Array(stride(from: 1, to: 20, by: 2)))
    let even = Array(stride(from: 0, to: 20, by: 2))
    for text in [Self.uuid, Self.uuid.lowercased() + ":1", "ibeacon:\(Self.uuid):1:2"] {
      #expect(try selected { $0.beacons = [try BeaconChoice(text)] } == even)
    }
    // An address is all that was sent from it.
    #expect(try selected { $0.beacons = [try BeaconChoice("AA:BB:CC:DD:EE:FF")] } == [3])
    #expect(
      try selected {
        $0.beacons = [try BeaconChoice("tag")]
        $0.to = TimeBound("+2s")
      } == [1, 11])
  }

  @Test func `names that were not heard are refused`() throws {
    #expect(refusal { $0.receivers = ["hall", "doof"] }?.contains("received nothing") == true)
    #expect(refusal { $0.receivers = ["doof"] }?.contains("did you mean") == true)
    #expect(refusal { $0.traces = ["three"] }?.contains("one (10 sightings)") == true)
    #expect(refusal { $0.kinds = [.altBeacon] }?.contains("10 sightings") == true)
    // In the tables, but without a sighting.
    let silent = "ibeacon:\(Self.uuid):1:3"
    #expect(
      refusal { $0.beacons = [try BeaconChoice(silent)] }?.hasPrefix("badInput \(silent)") == true)
    #expect(
      refusal { $0.to = TimeBound("100") }?
        .contains("1970-01-01T00:01:40Z to 1970-01-01T00:01:59Z") == true)
    #expect(refusal { ($0.traces, $0.receivers) = (["one"], ["door"]) } != nil)
  }
}
