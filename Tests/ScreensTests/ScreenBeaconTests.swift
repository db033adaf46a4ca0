import Proximity
import Screens
import Testing

struct ScreenBeaconTests {
  @Test func mayBeAtNoKnownDistance() {
    let beacon = ScreenBeacon(
      name: "door", region: "", zone: .unknown, distance: nil, interval: nil, level: -60,
      history: [], silence: 0)
    #expect(beacon.distance == nil)
  }
}
