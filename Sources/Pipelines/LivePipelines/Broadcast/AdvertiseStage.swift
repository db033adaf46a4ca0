public import Advertising
public import Capture
public import Support
public import TracePipelines

/// A beacon to advertise, its source and its settings.
public struct AdvertiseRequest {
  /// The identity to advertise.
  public var identity: BeaconIdentity
  /// The source that transmits.
  public var source: SourceName
  /// The frames to transmit, and their times.
  public var schedule: FrameSchedule
  /// The RSSI at 1 m to advertise.
  public var power: BeaconPower
  /// The settings of the transmission.
  public var settings: BroadcastSettings
  /// The duration of the advertising; nil = until asked to stop.
  public var duration: Duration?
  /// Receives the progress once per second, and nil to clear it.
  public var show: (AdvertiseResult?) -> Void = { _ in }

  /// Creates a request to advertise an identity.
  public init(
    _ identity: BeaconIdentity, from source: SourceName, schedule: FrameSchedule,
    power: BeaconPower, settings: BroadcastSettings, duration: Duration? = nil
  ) {
    (self.identity, self.source, self.schedule) = (identity, source, schedule)
    (self.power, self.settings, self.duration) = (power, settings, duration)
  }

  /// Refuses a source that cannot transmit.
  ///
  /// - Throws: `RSSIError` of kind `usage` for a source that cannot advertise.
  public static func check(_ source: SourceName) throws(RSSIError) {
    _ = try controller(of: source)
  }

  fileprivate static func controller(of source: SourceName) throws(RSSIError) -> Controller {
    guard case .controller(let controller) = source.kind.opening else {
      throw RSSIError(
        .usage,
        "\(source) cannot advertise: use \(SourceKind.names(of: SourceKind.controllers))")
    }
    return controller(source)
  }
}

/// The progress or the result of a broadcast.
public struct AdvertiseResult: Sendable {
  /// The controller that advertises; nil until it does.
  package internal(set) var radio: BroadcastRadio?
  /// The number of restarts.
  package internal(set) var restarts = 0
  /// The time since it began, interruptions included, in nanoseconds.
  package internal(set) var uptime: Int64 = 0

  /// The uptime as 0:07 or 1:02:03.
  public var uptimeText: String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = uptime / 1_000_000_000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let tail = two(seconds % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(tail)" : "\(minutes):\(tail)"
  }
}

/// Advertises as a beacon until it is asked to stop, or its time is over.
public struct AdvertiseStage: Stage {
  private let request: AdvertiseRequest

  public init(_ request: AdvertiseRequest) { self.request = request }

  /// Advertises until the time is over or the user stops it.
  ///
  /// - Throws: `RSSIError` for a source that is missing or refuses.
  public func perform(in context: LiveContext) throws -> AdvertiseResult {
    var run = BroadcastRun(request, context)
    defer { run.end() }
    var broadcast = try AdvertiseRequest.controller(of: request.source)
      .broadcaster(request.settings)
    try broadcast.run(for: &run)
    run.end()
    return run.outcome
  }
}

/// One broadcast while it runs.
private struct BroadcastRun: BroadcastDelegate {
  private let request: AdvertiseRequest
  private let context: LiveContext
  private var start: Int64?
  private var isOver = false
  private var shownSecond: Int64 = -1
  private(set) var outcome = AdvertiseResult()

  init(_ request: AdvertiseRequest, _ context: LiveContext) {
    (self.request, self.context) = (request, context)
  }

  private var uptime: Int64 { start.map { context.clock.monotonic() - $0 } ?? 0 }

  mutating func advertisingData() -> [UInt8] {
    request.schedule.frame(at: uptime).advertisingData
  }

  mutating func began(_ radio: BroadcastRadio) {
    if start == nil {
      start = context.clock.monotonic()
    } else {
      outcome.restarts += 1
    }
    guard radio != outcome.radio else { return }
    outcome.radio = radio
    note(
      "\(radio.adapter) (\(radio.controller)) advertises \(request.identity) from "
        + "\(radio.address), \(request.power.advertised) dBm at 1 m, every "
        + "\(plain(request.settings.interval * 1000)) ms; Ctrl-C ends it"
    )
    if let asked = request.settings.txPower, let given = radio.txPower, asked != given {
      note(
        "\(radio.adapter) transmits with \(given) dBm, not \(asked): calibrate at the power that it "
          + "uses"
      )
    }
  }

  mutating func note(_ text: String) {
    clear()
    context.log.note(text)
  }

  mutating func tick() throws -> Bool {
    guard !context.control.isStopAsked else { return false }
    guard start != nil else { return true }
    outcome.uptime = uptime
    context.board?.publish(at: context.clock.monotonic(), metrics)
    let seconds = outcome.uptime / 1_000_000_000
    if seconds != shownSecond, outcome.radio != nil {
      shownSecond = seconds
      request.show(outcome)
    }
    return request.duration.map { outcome.uptime < $0.nanoseconds } ?? true
  }

  private var metrics: StageMetrics {
    var metrics = StageMetrics()
    metrics.advertising = (outcome.uptime, outcome.restarts)
    return metrics
  }

  /// Ends the broadcast; a second call does nothing.
  mutating func end() {
    guard !isOver else { return }
    isOver = true
    outcome.uptime = uptime
    clear()
  }

  private mutating func clear() {
    guard shownSecond >= 0 else { return }
    shownSecond = -1
    request.show(nil)
  }
}
