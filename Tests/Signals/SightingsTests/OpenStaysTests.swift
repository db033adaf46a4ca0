import Testing

@testable import Sightings

@Suite struct OpenStaysTests {
  private func sighting(
    _ time: Int64, beacon: UInt32 = 0, receiver: UInt16 = 0, trace: UInt16 = 0
  ) -> Sighting {
    Sighting(time: time, beacon: beacon, receiver: receiver, trace: trace, rssi: -60)
  }

  /// The stays of readings, and which stay each reading is of.
  private func opened(
    _ readings: [(Sighting, Double, String)]
  ) -> (indices: [UInt32], stays: [DistanceStay]) {
    var open = OpenStays()
    var stays: [DistanceStay] = []
    let indices = readings.map { open.index(of: $0, distance: $1, pose: $2, in: &stays) }
    return (indices, stays)
  }

  @Test func `one distance is one stay until it changes`() {
    let (indices, stays) = opened([
      (sighting(1), 2, ""), (sighting(2), 2, ""), (sighting(3), 3, ""), (sighting(4), 2, ""),
    ])
    #expect(indices == [0, 0, 1, 2])
    #expect(stays.map(\.distance) == [2, 3, 2])
    #expect(stays.map(\.start) == [1, 3, 4])
    #expect(stays.map(\.end) == [2, 3, 4])
  }

  @Test func `readings out of order widen the stay both ways`() {
    let (_, stays) = opened([(sighting(5), 2, ""), (sighting(1), 2, ""), (sighting(9), 2, "")])
    #expect(stays.map(\.start) == [1])
    #expect(stays.map(\.end) == [9])
  }

  @Test func `another pose is another stay`() {
    let (indices, stays) = opened([
      (sighting(1), 2, "hand"), (sighting(2), 2, "pocket"), (sighting(3), 2, "pocket"),
    ])
    #expect(indices == [0, 1, 1])
    #expect(stays.map(\.pose) == ["hand", "pocket"])
  }

  /// Links that take turns, and links that differ in one part only.
  @Test func `every link and trace has its own`() {
    let links = [
      sighting(1), sighting(1, beacon: 1), sighting(1, receiver: 1), sighting(1, trace: 1),
    ]
    let (indices, stays) = opened((links + links).map { ($0, 2, "") })
    #expect(indices == [0, 1, 2, 3, 0, 1, 2, 3])
    #expect(stays.map(\.beacon) == [0, 1, 0, 0])
    #expect(stays.map(\.receiver) == [0, 0, 1, 0])
    #expect(stays.map(\.trace) == [0, 0, 0, 1])
  }
}
