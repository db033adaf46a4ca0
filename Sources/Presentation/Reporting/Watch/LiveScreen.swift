package import LivePipelines
package import Proximity
package import Screens

/// A watch on a screen, as a value: findings, keys and messages in, a canvas out.
package struct LiveScreen {
  private var screen: WatchScreen
  private var beacons = ScreenBeacons()
  private var controls = ScreenControls()
  private let period: Double
  private var size = ScreenSize(columns: 80, rows: 24)
  /// When the present message came; nanoseconds of a clock that is never set.
  private var messageTime = Int64.min
  /// Whether it must be drawn again.
  package private(set) var isChanged = true
  /// Whether an event came that rings the bell.
  package private(set) var mustRing = false

  private static let messageDuration: Int64 = 8_000_000_000
  private static let keptEvents = 100
  /// Columns of a name in an event.
  private static let nameWidth = 24

  /// - Parameter source: what the screen names as the source.
  package init(source: String, settings: WatchSettings, hasKeys: Bool) {
    period = Double(settings.period) / 1e9
    screen = WatchScreen(
      source: source, borders: settings.borders, secondsPerLevel: period, hasKeys: hasKeys)
  }

  package mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) {
    let name = PrintableText(beacon.label).abbreviated(to: Self.nameWidth)
    let words = event.words(of: name, region: region, range: event.range)
    screen.events.append(
      ScreenEvent(clock: screenClock(event.time), text: words, style: event.style))
    screen.events.removeFirst(max(screen.events.count - Self.keptEvents, 0))
    if event.rings { mustRing = true }
    isChanged = true
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, at time: Int64, _ beacon: (Int) -> WatchedBeacon
  ) {
    screen.rate = Double(beacons.take(rangings, of: trace, beacon)) / period
    screen.beacons = beacons.sorted
    screen.clock = screenClock(time)
    isChanged = true
  }

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) {
    screen.seek = SeekState(seek, of: beacon, history: screen.seek?.history ?? [])
    isChanged = true
  }

  package mutating func press(_ key: Key) {
    controls.press(key, count: screen.beacons.count, visible: screen.visible(size, controls))
    isChanged = true
  }

  /// Shows a message, and clears it after some seconds.
  ///
  /// - Parameters:
  ///   - message: nil if there is no new one.
  ///   - now: nanoseconds of a clock that is never set.
  package mutating func show(_ message: String?, at now: Int64) {
    if let message {
      (screen.message, messageTime, isChanged) = (message, now, true)
    } else if !screen.message.isEmpty, now - messageTime > Self.messageDuration {
      (screen.message, isChanged) = ("", true)
    }
  }

  /// Has it drawn again although nothing changed, since something else wrote to the terminal.
  package mutating func redraw() { isChanged = true }

  package mutating func resize(to size: ScreenSize) {
    if size != self.size { (self.size, isChanged) = (size, true) }
  }

  /// What to draw; it counts as drawn.
  package mutating func canvas(isUnicode: Bool) -> Canvas {
    controls.keep(count: screen.beacons.count, visible: screen.visible(size, controls))
    (isChanged, mustRing) = (false, false)
    return screen.canvas(size, controls, isUnicode: isUnicode)
  }

  /// The list of beacons as plain text; empty where there are none.
  package func list(isUnicode: Bool) -> [String] {
    screen.beacons.isEmpty ? [] : screen.list(columns: size.columns, isUnicode: isUnicode)
  }
}
