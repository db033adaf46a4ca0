package import LivePipelines
package import Proximity
import Screens
import Sightings
package import Support
package import TracePipelines

/// Sentences for people and logs, and with rangings a table whenever it changes.
package struct TextOutput: WatchOutput {
  package let wantsRangings: Bool
  private let lines: any LineWriter
  private let bell: Bool
  private let isUnicode: Bool
  private var beacons: ScreenBeacons
  private var screen: WatchScreen
  private var lastTable: [String] = []
  private var trends = ReportedTrends()

  /// Wide enough for the identity of an iBeacon.
  private static let columns = 98

  /// - Parameters:
  ///   - lists: true to list the beacons of each region when that changes.
  ///   - bell: true to ring when a region is entered or a range is reached.
  package init(
    _ lines: any LineWriter, lists: Bool, bell: Bool, isUnicode: Bool, settings: WatchSettings
  ) {
    (self.lines, wantsRangings) = (lines, lists)
    (self.bell, self.isUnicode) = (bell, isUnicode)
    let period = settings.period / .seconds(1)
    beacons = ScreenBeacons(period: period)
    screen = WatchScreen(
      source: "", borders: settings.borders, secondsPerLevel: period, hasKeys: false)
  }

  package mutating func take(
    _ event: ProximityEvent, of beacon: WatchedBeacon, region: String?
  ) throws {
    let words = event.words(
      of: beacon.label, region: region, range: event.range)
    let line = PrintableText("\(Self.second(event.time))  \(words)", isUnicode: isUnicode).text
    try lines.write(line + (bell && event.rings ? "\u{7}\n" : "\n"))
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    _ = beacons.take(rangings, of: trace, at: time, beacon)
    screen.beacons = beacons.all
    let table = screen.list(columns: Self.columns, showsTime: false, isUnicode: isUnicode)
    guard table != lastTable else { return }
    lastTable = table
    try lines.write(Self.second(time) + "\n")
    for line in table { try lines.write("  " + line + "\n") }
  }

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    guard trends.isNew(seek, of: beacon) || wantsRangings else { return }
    let words = "\(beacon.label): " + SeekState(seek, of: beacon, history: []).sentence
    let line = PrintableText("\(Self.second(seek.time))  \(words)", isUnicode: isUnicode).text
    try lines.write(line + "\n")
  }

  package mutating func take(_ event: PlaceEvent, name: String?) throws {
    let line = PrintableText(
      "\(Self.second(event.time))  \(event.words(name: name))", isUnicode: isUnicode
    ).text
    try lines.write(line + "\n")
  }

  package mutating func finish() throws { try lines.flush() }

  private static func second(_ time: Int64) -> String {
    Timestamp.iso8601(time - (time % Timestamp.second + Timestamp.second) % Timestamp.second)
  }
}

extension ProximityEvent {
  /// A Boolean value that is true if it rings the bell.
  var rings: Bool {
    switch kind {
    case .regionEnter, .rangeReached: true
    default: false
    }
  }
}

/// Writes each finding of a watch as one JSON object per line.
package struct LineOutput: WatchOutput {
  package let wantsRangings: Bool
  private let lines: any LineWriter
  private var trends = ReportedTrends()

  /// - Parameter lists: true to list the beacons of each region periodically.
  package init(_ lines: any LineWriter, lists: Bool) {
    (self.lines, wantsRangings) = (lines, lists)
  }

  package mutating func take(
    _ event: ProximityEvent, of beacon: WatchedBeacon, region: String?
  ) throws {
    try lines.write(EventLine(event, of: beacon, region: region).text)
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    for ranging in rangings {
      let line = EventLine(ranging, region: regions[ranging.region].name, trace: trace, beacon)
      try lines.write(line.text)
    }
  }

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    guard trends.isNew(seek, of: beacon) || wantsRangings else { return }
    try lines.write(EventLine(seek, of: beacon).text)
  }

  package mutating func take(_ event: PlaceEvent, name: String?) throws {
    try lines.write(event.line(name: name))
  }

  package mutating func finish() throws { try lines.flush() }
}

/// Sends events to a program that is run for each.
package struct ProgramOutput: WatchOutput {
  private let program: EventProgram
  private var trends = ReportedTrends()

  package init(_ program: EventProgram) { self.program = program }

  package var wantsRangings: Bool { false }

  package mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) {
    program.take(EventLine(event, of: beacon, region: region).text)
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) {}

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) {
    guard trends.isNew(seek, of: beacon) else { return }
    program.take(EventLine(seek, of: beacon).text)
  }

  package mutating func take(_ event: PlaceEvent, name: String?) {
    program.take(event.line(name: name))
  }

  package mutating func finish() { program.finish() }
}

/// The latest trend of each beacon in a search, so that only changes are reported.
struct ReportedTrends {
  private var trends = LatestValues<String, Trend.Direction>(most: 1000)

  /// Returns whether a reading differs from the one before.
  mutating func isNew(_ seek: SeekReading, of beacon: WatchedBeacon) -> Bool {
    defer { trends.set(seek.direction, for: beacon.key) }
    return trends[beacon.key] != seek.direction
  }
}
