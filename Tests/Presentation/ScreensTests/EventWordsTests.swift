import Screens
import Testing

@testable import Proximity

struct EventWordsTests {
  private func event(_ kind: ProximityEvent.Kind) -> ProximityEvent {
    ProximityEvent(
      kind: kind, time: 0, link: 0, region: nil, zone: .near, level: -63.4,
      distance: DistanceEstimate(distance: 1.83, interval: nil))
  }

  @Test func `are sentences`() {
    #expect(
      event(.enter).words(of: "Bike", region: "hall")
        == "Bike entered hall (near, 1.83 m, -63 dBm)")
    #expect(
      event(.enter).words(of: "Bike", region: "all") == "Bike appeared (near, 1.83 m, -63 dBm)")
    #expect(
      event(.zone(from: .far)).words(of: "Bike", region: nil)
        == "Bike is near now, was far (1.83 m, -63 dBm)")
    #expect(
      event(.exit(.unheard)).words(of: "Bike", region: "hall")
        == "Bike left hall, not heard any more")
    #expect(
      event(.regionExit).words(of: "Bike", region: "hall") == "region hall: left")
    #expect(
      event(.rangeReached).words(of: "Bike", region: nil, range: 2)
        == "Bike reached, within 2.00 m (near, 1.83 m, -63 dBm)")
  }

  @Test(arguments: [
    (0, "00:00:00"), (86_399_999_999_999, "23:59:59"), (-1, "23:59:59"),
    (1_700_000_000_123_456_789, "22:13:20"),
  ])
  func `clock is UTC`(time: Int64, clock: String) { #expect(screenClock(time) == clock) }
}
