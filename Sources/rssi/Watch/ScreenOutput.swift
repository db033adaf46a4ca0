import LivePipelines
import Proximity
import Reporting
import Screens
import Support
import TracePipelines

/// A watch on a terminal.
final class ScreenOutput: WatchOutput {
  let wantsRangings = true
  var isPaused: Bool { screen.isPaused }
  private var screen: LiveScreen
  private var painter: Painter
  private var keys = KeyReader()
  private let isUnicode: Bool
  private let bell: Bool
  /// The time of the last drawing, in nanoseconds of a monotonic clock.
  private var drawn = Int64.min

  /// Nanoseconds between two pictures: numbers that change faster cannot be read.
  private static let leastPause: Int64 = 100_000_000

  /// Takes the terminal.
  init(
    source: String, isReplay: Bool, settings: WatchSettings, terminal: OutputTerminal, bell: Bool,
    hasKeys: Bool
  ) throws {
    screen = LiveScreen(
      source: source, isReplay: isReplay, settings: settings, hasKeys: hasKeys)
    painter = Painter(isColoured: terminal.isColoured)
    (isUnicode, self.bell) = (terminal.isUnicode, bell)
    try ScreenTerminal.enter(readsKeys: hasKeys)
    try draw()
  }

  func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) {
    screen.take(event, of: beacon, region: region)
  }

  func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) {
    screen.take(rangings, of: trace, at: time, beacon)
  }

  func take(_ seek: SeekReading, of beacon: WatchedBeacon) {
    screen.take(seek, of: beacon)
  }

  func take(_ event: PlaceEvent, name: String?) { screen.take(event, name: name) }

  func tick() throws -> Bool {
    let now = SystemClock.monotonic
    for key in keys.keys(in: ScreenTerminal.typed(), at: now) { screen.press(key) }
    screen.show(ScreenTerminal.newestNote(), at: now)
    if ScreenTerminal.takeResumption() {
      painter.forget()
      screen.redraw()
    }
    // Looked up each time, so that no change of it can be missed.
    screen.resize(to: ScreenTerminal.size)
    if screen.isChanged, now - Self.leastPause >= drawn {
      try draw()
      drawn = now
    }
    return !screen.wantsEnd
  }

  /// Leaves the terminal as it was, and prints the list at the end of a recording.
  func finish() throws {
    let hasEnded = !screen.wantsEnd && !StopSignals.isStopAsked
    ScreenTerminal.leave()
    guard hasEnded else { return }
    for line in screen.list(isUnicode: isUnicode) { try StandardOutput.write(line + "\n") }
    try StandardOutput.flush()
  }

  private func draw() throws {
    screen.resize(to: ScreenTerminal.size)
    let rings = bell && screen.mustRing
    let canvas = screen.canvas(isUnicode: isUnicode)
    try StandardOutput.draw(painter.paint(canvas) + (rings ? "\u{7}" : ""))
    try StandardOutput.flush()
  }
}
