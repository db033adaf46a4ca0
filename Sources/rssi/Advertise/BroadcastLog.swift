import Advertising
import Capture
import Screens
import Support

/// What a broadcast is given to send, for how long, and what it came to.
struct BroadcastLog: BroadcastDelegate {
  private let plan: AdvertisePlan
  /// Nanoseconds after which it ends; nil = when asked to.
  private let limit: Int64?
  private let reporting: ReportingOptions
  private let clock = ContinuousClock()
  private var start: ContinuousClock.Instant?
  private var stop: ContinuousClock.Instant?
  private var shownSecond: Int64 = -1

  /// What advertises; nil until it does.
  private(set) var radio: BroadcastRadio?
  /// How often it was begun again.
  private(set) var restarts = 0

  init(_ plan: AdvertisePlan, limit: Int64?, reporting: ReportingOptions) {
    (self.plan, self.limit, self.reporting) = (plan, limit, reporting)
  }

  /// Nanoseconds since it began, interruptions included.
  var uptime: Int64 {
    guard let start else { return 0 }
    let (seconds, attoseconds) = ((stop ?? clock.now) - start).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The uptime as 0:07 or 1:02:03.
  var uptimeText: String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = uptime / 1_000_000_000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let tail = two(seconds % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(tail)" : "\(minutes):\(tail)"
  }

  mutating func advertisingData() -> [UInt8] { plan.schedule.frame(at: uptime).advertisingData }

  mutating func began(_ radio: BroadcastRadio) {
    if start == nil {
      start = clock.now
    } else {
      restarts += 1
    }
    guard radio != self.radio else { return }
    self.radio = radio
    note(
      "\(radio.adapter) (\(radio.controller)) advertises \(plan.identity) from \(radio.address), "
        + "\(plan.power.stated) dBm at 1 m, every \(plain(plan.settings.interval * 1000)) ms; "
        + "Ctrl-C ends it"
    )
    if let asked = plan.settings.txPower, let given = radio.txPower, asked != given {
      note(
        "\(radio.adapter) transmits with \(given) dBm, not \(asked): calibrate at what it "
          + "transmits with"
      )
    }
  }

  mutating func note(_ text: String) {
    clearLine()
    reporting.note(text)
  }

  mutating func tick() throws -> Bool {
    guard !StopSignals.isStopAsked else { return false }
    guard start != nil else { return true }
    showLine()
    return limit.map { uptime < $0 } ?? true
  }

  /// The broadcast is over; again does nothing.
  mutating func end() {
    guard stop == nil else { return }
    stop = clock.now
    clearLine()
  }

  private var hasLine: Bool { StandardError.isTerminal && !reporting.quiet }

  private mutating func showLine() {
    let seconds = uptime / 1_000_000_000
    guard hasLine, seconds != shownSecond, let radio else { return }
    shownSecond = seconds
    let restarts = restarts > 0 ? ", begun again \(restarts) ×" : ""
    StandardError.write(
      "\r\(radio.adapter.printable) advertises since \(uptimeText)\(restarts)\u{1B}[K")
  }

  private mutating func clearLine() {
    guard hasLine, shownSecond >= 0 else { return }
    shownSecond = -1
    StandardError.write("\r\u{1B}[K")
  }
}
