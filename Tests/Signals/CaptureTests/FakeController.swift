import Advertising
import Sightings
import Support
import Testing

@testable import Capture

/// A scripted controller in a time of its own: nothing waits, the clock goes forward instead.
final class FakeController: HCITransport {
  let name = "fake0"
  let timeKind = Radio.TimeKind.host
  let isManagedByKernel: Bool
  let script: Script

  init(_ script: Script, isManagedByKernel: Bool = false) {
    self.script = script
    self.isManagedByKernel = isManagedByKernel
  }

  func send(_ command: [UInt8]) throws(RSSIError) { try script.take(command) }

  func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState {
    try script.receive(into: &batch, within: milliseconds)
  }

  func takeLosses() -> [TransportLoss] { script.takeLosses() }
  func reset() throws(RSSIError) -> Bool { script.reset() }
  func reopen() throws(RSSIError) -> Bool { script.reopen() }
  func close() { script.isClosed = true }
}

/// The script of a fake controller, and a record of its commands; times are seconds since its
/// creation.
///
/// One thread has it: that of its test.
final class Script: @unchecked Sendable {
  struct Command: Equatable {
    var opcode: UInt16
    var parameters: [UInt8]
    var time: Double
  }

  private(set) var now: Int64 = 0
  private(set) var commands: [Command] = []
  private(set) var resets: [Double] = []
  private(set) var reopenings: [Double] = []
  var isClosed = false
  var isScanning = false

  /// The actions by time.
  var actions: [(time: Double, action: (Script) -> Void)] = []
  /// Answers by command: status and return parameters; nothing at all where it is empty.
  var answers: [UInt16: [UInt8]] = [:]
  /// Answers that depend on the command's parameters, or on what was before.
  private var replies: [UInt16: ([UInt8]) -> [UInt8]] = [:]
  var statusOnly: Set<UInt16> = []
  var isMute = false
  var state = TransportState.up
  var oneState: TransportState?
  var losses: [TransportLoss] = []
  /// The next packets, which are not events.
  var others: [PacketKind] = []
  /// Seconds between two reports while it scans; nil = there is no beacon.
  var reportPeriod: Double? = 0.1
  var failure: RSSIError?
  private var nextReport: Int64 = 0
  private var events: [[UInt8]] = []

  static let epoch: Int64 = 1_700_000_000_000_000_000

  init(isExtended: Bool = true, hasCoded: Bool = true) {
    var supported = [UInt8](repeating: 0, count: 64)
    if isExtended { supported[37] = 0x60 }
    answers = [
      0x0C03: [0], 0x0C01: [0], 0x2001: [0], 0x2005: [0],
      0x1001: [0, 9, 0, 0, 9, 0xF1, 0x05, 0, 0],
      0x1009: [0, 1, 0, 0x5E, 0x55, 0xAA, 0],
      0x1002: [0] + supported,
      0x2003: [0, 0, hasCoded ? 0x19 : 0x11, 0, 0, 0, 0, 0, 0],
      0x200B: [0], 0x200C: [0],
      0x2041: isExtended ? [0] : [1], 0x2042: isExtended ? [0] : [1],
    ]
  }

  var clock: MachineClock {
    MachineClock(
      now: { Self.epoch + self.now }, monotonic: { self.now },
      pause: { self.advance(Int64($0) * .millisecond) })
  }

  var seconds: Double { Double(now) / 1e9 }

  func opcodes(from time: Double = 0) -> [UInt16] {
    commands.filter { $0.time >= time }.map(\.opcode)
  }

  func send(_ event: [UInt8]) { events.append(event) }

  func answer(_ opcode: UInt16, _ reply: @escaping ([UInt8]) -> [UInt8]) {
    replies[opcode] = reply
  }

  func take(_ bytes: [UInt8]) throws(RSSIError) {
    let opcode = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    commands.append(
      Command(opcode: opcode, parameters: Array(bytes.dropFirst(3)), time: seconds))
    if let failure { throw failure }
    let reply = replies[opcode].map { $0(Array(bytes.dropFirst(3))) } ?? answers[opcode]
    guard !isMute, let answer = reply, !answer.isEmpty else { return }
    if statusOnly.contains(opcode) {
      send([0x0F, 4, answer[0], 1, bytes[0], bytes[1]])
    } else {
      send([0x0E, UInt8(3 + answer.count), 1, bytes[0], bytes[1]] + answer)
    }
    guard answer[0] == 0 else { return }
    switch opcode {
    case 0x0C03: isScanning = false
    case 0x200C, 0x2042: isScanning = bytes[3] == 1
    default: break
    }
  }

  func receive(
    into batch: inout EventBatch, within milliseconds: Int32
  ) throws(RSSIError) -> TransportState {
    if events.isEmpty { advance(Int64(milliseconds) * .millisecond) }
    for kind in others { batch.pass(kind) }
    others = []
    for event in events { batch.append(event.span, time: Self.epoch + now) }
    events.removeAll()
    defer { oneState = nil }
    return oneState ?? state
  }

  func takeLosses() -> [TransportLoss] {
    defer { losses = [] }
    return losses
  }

  func reset() -> Bool {
    resets.append(seconds)
    return true
  }

  func reopen() -> Bool {
    reopenings.append(seconds)
    return state != .gone
  }

  /// Lets time pass, at most to the next thing that happens.
  private func advance(_ duration: Int64) {
    var end = now + duration
    if let next = actions.map(\.time).min() { end = min(end, max(now, Int64(next * 1e9))) }
    if isScanning, let reportPeriod, state == .up {
      if nextReport == 0 { nextReport = now + Int64(reportPeriod * 1e9) }
      end = min(end, nextReport)
    }
    now = end
    let due = actions.filter { Int64($0.time * 1e9) <= now }
    actions.removeAll { Int64($0.time * 1e9) <= now }
    for (_, action) in due { action(self) }
    if !isScanning { nextReport = 0 }
    if reportPeriod != nil, state == .up, nextReport > 0, now >= nextReport {
      send(Array(ReportBytes.legacy(1, data: [2, 1, 6]).dropFirst()))
      nextReport = 0
    }
  }
}

/// Runs the engine on a script until a time and returns what its sink was given.
func capture(
  _ script: Script, seconds: Double, settings: ScanSettings = ScanSettings(),
  isManagedByKernel: Bool = false
) throws -> RecordingSink {
  let (sink, error) = try run(
    script, seconds: seconds, settings: settings, isManagedByKernel: isManagedByKernel)
  if let error { throw error }
  return sink
}

/// Runs the engine on a script that ends it, and returns how.
func failedCapture(
  _ script: Script, seconds: Double, settings: ScanSettings = ScanSettings(),
  isManagedByKernel: Bool = false
) throws -> (error: RSSIError, sink: RecordingSink) {
  let (sink, error) = try run(
    script, seconds: seconds, settings: settings, isManagedByKernel: isManagedByKernel)
  return (try #require(error), sink)
}

private func run(
  _ script: Script, seconds: Double, settings: ScanSettings, isManagedByKernel: Bool
) throws -> (RecordingSink, RSSIError?) {
  var sink = RecordingSink { _ in script.seconds < seconds }
  do {
    var source = try ScanSource(
      transport: FakeController(script, isManagedByKernel: isManagedByKernel), settings: settings,
      clock: script.clock)
    try source.run(into: &sink)
    return (sink, nil)
  } catch let error as RSSIError {
    return (sink, error)
  }
}
