import Proximity
import Registries
import Screens
import Support

/// A watch on a terminal.
struct ScreenOutput: WatchOutput {
  let wantsRangings = true
  private var screen: WatchScreen
  private var beacons = ScreenBeacons()
  private var controls = ScreenControls()
  private var painter: Painter
  private var keys = KeyReader()
  private let isUnicode: Bool
  private let bell: Bool
  private let period: Double

  private var size = ScreenSize(columns: 80, rows: 24)
  private var isChanged = true
  private var mustRing = false
  private var wantsEnd = false
  /// When it was drawn, and when the message came, by the clock that nobody sets; nanoseconds.
  private var drawn = Int64.min
  private var told = Int64.min

  /// Eyes see no more than ten pictures a second of numbers.
  private static let leastPause: Int64 = 100_000_000
  private static let messageTime: Int64 = 8_000_000_000
  private static let keptEvents = 100
  /// Columns of a name in an event.
  private static let nameWidth = 24

  /// Takes the terminal.
  init(
    source: String, settings: WatchSettings, terminal: OutputTerminal, bell: Bool, hasKeys: Bool
  ) throws {
    period = Double(settings.period) / 1e9
    screen = WatchScreen(
      source: source, borders: settings.borders, secondsPerLevel: period, hasKeys: hasKeys)
    painter = Painter(isColoured: terminal.isColoured)
    (isUnicode, self.bell) = (terminal.isUnicode, bell)
    try ScreenTerminal.enter(readsKeys: hasKeys)
    try draw()
  }

  /// The search for one beacon, where there is one.
  var seek: SeekState? {
    get { screen.seek }
    set { (screen.seek, isChanged) = (newValue, true) }
  }

  mutating func take(_ event: ProximityEvent, of beacon: WatchedBeacon, region: String?) throws {
    let name = PrintableText(beacon.label).abbreviated(to: Self.nameWidth)
    let words = event.words(of: name, region: region, range: event.range)
    screen.events.append(
      ScreenEvent(clock: screenClock(event.time), text: words, style: event.style))
    screen.events.removeFirst(max(screen.events.count - Self.keptEvents, 0))
    if bell, event.rings { mustRing = true }
    isChanged = true
  }

  mutating func take(
    _ rangings: [Ranging], of trace: String, regions: [Region], at time: Int64,
    _ beacon: (Int) -> WatchedBeacon
  ) throws {
    screen.rate = Double(beacons.take(rangings, of: trace, beacon)) / period
    screen.beacons = beacons.sorted
    screen.clock = screenClock(time)
    isChanged = true
  }

  mutating func take(_ seek: SeekReading, of beacon: WatchedBeacon) throws {
    screen.seek = SeekState(seek, of: beacon, history: screen.seek?.history ?? [])
    isChanged = true
  }

  mutating func tick() throws -> Bool {
    let now = SystemClock.monotonic
    for key in keys.keys(in: ScreenTerminal.typed()) {
      if key == .quit { wantsEnd = true }
      controls.press(
        key, count: screen.beacons.count, visible: screen.visible(size, controls))
      isChanged = true
    }
    if let note = ScreenTerminal.newestNote() {
      (screen.message, told, isChanged) = (note, now, true)
    } else if !screen.message.isEmpty, now - told > Self.messageTime {
      (screen.message, isChanged) = ("", true)
    }
    if ScreenTerminal.takeResumption() {
      painter.forget()
      isChanged = true
    }
    // Asked anew each time, so that no change of it can be missed.
    let current = ScreenTerminal.size
    if current != size { (size, isChanged) = (current, true) }
    if isChanged, now - Self.leastPause >= drawn {
      try draw()
      drawn = now
    }
    return !wantsEnd
  }

  /// Leaves the terminal as it was; of a recording that ended, what was seen last can be read on.
  mutating func finish() throws {
    let hasEnded = !wantsEnd && !StopSignals.isStopAsked
    ScreenTerminal.leave()
    guard hasEnded, !screen.beacons.isEmpty else { return }
    for line in screen.list(columns: size.columns, isUnicode: isUnicode) {
      try StandardOutput.write(line + "\n")
    }
  }

  private mutating func draw() throws {
    size = ScreenTerminal.size
    controls.keep(count: screen.beacons.count, visible: screen.visible(size, controls))
    let canvas = screen.canvas(size, controls, isUnicode: isUnicode)
    try StandardOutput.write(painter.paint(canvas) + (mustRing ? "\u{7}" : ""))
    try StandardOutput.flush()
    (isChanged, mustRing) = (false, false)
  }
}
