import NumericalMethods
import Screens

@testable import Proximity

/// A screen with four beacons, one in each zone.
func sampleScreen() -> WatchScreen {
  var screen = WatchScreen(
    source: "hci0", borders: ZoneBorders(), secondsPerLevel: 1, hasKeys: true)
  screen.clock = "14:03:22"
  screen.rate = 42.1
  screen.beacons = [
    beacon(0, "Front door", .immediate, 0.31, Interval(lower: 0.2, upper: 0.49), -48.2),
    beacon(1, "Café 会議室", .near, 1.8, Interval(lower: 1.1, upper: 2.9), -61.4),
    beacon(
      2, "ibeacon:F7826DA6-4FA2-4E98-8024-BC5B71E0893E:1:7", .far, 7.4,
      Interval(lower: 4.2, upper: 13.1), -74.9),
    beacon(27, "Bike", .unknown, nil, nil, -91),
  ]
  screen.events = [
    event(19, .enter, "Bike", .unknown),
    event(21, .zone(from: .near), "Front door", .immediate),
  ]
  return screen
}

private func event(
  _ second: Int64, _ kind: ProximityEvent.Kind, _ name: String, _ zone: Zone
) -> ScreenEvent {
  ScreenEvent(change(kind, zone, at: second), of: screenName(name), region: nil)
}

/// A change at 14:03:SECOND.
func change(_ kind: ProximityEvent.Kind, _ zone: Zone, at second: Int64) -> ProximityEvent {
  ProximityEvent(
    kind: kind, time: (50_580 + second) * 1_000_000_000, link: 0, region: nil, zone: zone,
    level: .nan)
}

/// A name; an identity where it has a colon.
func screenName(_ text: String) -> BeaconName {
  text.contains(":") ? BeaconName(text) : BeaconName("addr:\(text)", given: text)
}

func beacon(
  _ number: Int, _ name: String, _ zone: Zone, _ distance: Double?,
  _ interval: Interval?, _ level: Double
) -> ScreenBeacon {
  let history = (0..<40).map { $0 % 10 == 4 ? Double.nan : level + Double($0 % 7) - 3 }
  return ScreenBeacon(
    number: number, name: screenName(name), zone: zone, distance: distance, interval: interval,
    level: level, history: history, silence: 0.3, rate: 4)
}

extension WatchScreen {
  /// A screen of a size after keys were pressed.
  func canvas(
    _ columns: Int, _ rows: Int, keys: [Key] = [], isUnicode: Bool = true
  ) -> Canvas {
    var controls = ScreenControls()
    let size = ScreenSize(columns: columns, rows: rows)
    for key in keys { press(key, size, &controls) }
    return canvas(size, &controls, isUnicode: isUnicode)
  }
}
