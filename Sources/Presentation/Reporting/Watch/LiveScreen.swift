package import LivePipelines
package import Proximity
package import Screens
package import TracePipelines

/// A watch on a screen, as a value: findings, keys and messages in, a canvas out.
package struct LiveScreen {
  private var screen: WatchScreen
  /// The screen that is shown while the watch is paused.
  private var held: WatchScreen?
  private var beacons: ScreenBeacons
  private var controls = ScreenControls()
  private let period: Double
  /// A Boolean value that is true if a pause stops what is received.
  private let isReplay: Bool
  /// Sightings since the user paused the watch.
  private var received = 0
  private var size = ScreenSize(columns: 80, rows: 24)
  /// The time of the present message, in nanoseconds of a monotonic clock.
  private var messageTime = Int64.min
  /// A Boolean value that is true if it must be drawn again.
  package private(set) var isChanged = true
  /// A Boolean value that is true if an event came that rings the bell.
  package private(set) var mustRing = false

  private static let messageDuration: Int64 = 8_000_000_000
  private static let keptEvents = 100

  /// - Parameters:
  ///   - source: what the screen names as the source.
  ///   - isReplay: true if a pause stops the source, such as a recording.
  package init(source: String, isReplay: Bool, settings: WatchSettings, hasKeys: Bool) {
    self.isReplay = isReplay
    period = settings.period / .seconds(1)
    beacons = ScreenBeacons(period: period)
    screen = WatchScreen(
      source: source, borders: settings.borders, secondsPerLevel: period, hasKeys: hasKeys)
  }

  /// A Boolean value that is true while the user pauses the screen.
  package var isPaused: Bool { controls.isPaused }
  package var wantsEnd: Bool { controls.wantsEnd }

  package mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) {
    add(ScreenEvent(event, of: beacon.screenName, region: region))
    if event.rings { mustRing = true }
  }

  package mutating func take(
    _ rangings: [Ranging], of trace: String, at time: Int64, _ beacon: (Int) -> WatchedBeacon
  ) {
    let count = beacons.take(rangings, of: trace, at: time, beacon)
    if isPaused { received += count }
    screen.rate = Double(count) / period
    screen.beacons = beacons.all
    screen.clock = screenClock(time)
    isChanged = true
  }

  package mutating func take(_ event: PlaceEvent, name: String?) {
    add(ScreenEvent(event.words(name: name), at: event.time))
  }

  private mutating func add(_ event: ScreenEvent) {
    screen.events.append(event)
    screen.events.removeFirst(max(screen.events.count - Self.keptEvents, 0))
    isChanged = true
  }

  package mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) {
    screen.seek = SeekState(seek, of: beacon, history: screen.seek?.history ?? [])
    isChanged = true
  }

  package mutating func press(_ key: Key) {
    shown.press(key, size, &controls)
    if isPaused != (held != nil) { (held, received) = (isPaused ? screen : nil, 0) }
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

  /// Returns the canvas to draw, which counts as drawn.
  package mutating func canvas(isUnicode: Bool) -> Canvas {
    (isChanged, mustRing) = (false, false)
    return shown.canvas(size, &controls, isUnicode: isUnicode)
  }

  /// The list of beacons as plain text; empty for none.
  package func list(isUnicode: Bool) -> [String] {
    screen.beacons.isEmpty ? [] : screen.list(columns: size.columns, isUnicode: isUnicode)
  }

  private var shown: WatchScreen {
    guard var held else { return screen }
    held.message = screen.message
    held.pause = isReplay ? .replay : .screen(received: received)
    return held
  }
}
