import Proximity
import Registries
import Screens
import Sightings

/// Sentences for people and logs, and with rangings a table whenever it would be another one.
struct TextOutput: WatchOutput {
  let wantsRangings: Bool
  let bell: Bool
  let isUnicode: Bool
  private var beacons = ScreenBeacons()
  private var screen: WatchScreen
  private var lastTable: [String] = []
  private var said = SaidTrends()

  /// Wide enough for the identity of an iBeacon.
  private static let columns = 98

  init(wantsRangings: Bool, bell: Bool, isUnicode: Bool, settings: WatchSettings) {
    (self.wantsRangings, self.bell, self.isUnicode) = (wantsRangings, bell, isUnicode)
    screen = WatchScreen(
      source: "", borders: settings.borders, secondsPerLevel: Double(settings.period) / 1e9,
      hasKeys: false)
  }

  mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws {
    let words = event.words(
      of: beacon.label, region: region, range: event.range)
    let line = PrintableText("\(Self.second(event.time))  \(words)", isUnicode: isUnicode).text
    try StandardOutput.write(line + (bell && event.rings ? "\u{7}\n" : "\n"))
  }

  mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    _ = beacons.take(rangings, of: trace, beacon)
    screen.beacons = beacons.sorted
    let table = screen.list(columns: Self.columns, showsTime: false, isUnicode: isUnicode)
    guard table != lastTable else { return }
    lastTable = table
    try StandardOutput.write(Self.second(time) + "\n")
    for line in table { try StandardOutput.write("  " + line + "\n") }
  }

  mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    guard said.isNew(seek, of: beacon) || wantsRangings else { return }
    let words = "\(beacon.label): " + SeekState(seek, of: beacon, history: []).sentence
    let line = PrintableText("\(Self.second(seek.time))  \(words)", isUnicode: isUnicode).text
    try StandardOutput.write(line + "\n")
  }

  private static func second(_ time: Int64) -> String {
    Timestamp.iso8601(time - (time % Timestamp.second + Timestamp.second) % Timestamp.second)
  }
}

extension ProximityEvent {
  /// Whether somebody wants to hear of it.
  var rings: Bool {
    switch kind {
    case .regionEnter, .rangeReached: true
    default: false
    }
  }
}
