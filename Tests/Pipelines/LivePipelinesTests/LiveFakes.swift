import Advertising
import Sightings
import Support
import Synchronization
import TracePipelines
import TraceStore

@testable import LivePipelines

/// A time that a test sets; nothing waits.
final class TestTime: Sendable {
  private struct Readings {
    var now: Int64 = 1_767_225_600_000_000_000
    var monotonic: Int64 = 5_000_000_000
  }
  private let readings = Mutex(Readings())

  /// Nanoseconds since the Unix epoch, 2026-01-01T00:00:00Z at first.
  var now: Int64 {
    get { readings.withLock { $0.now } }
    set { readings.withLock { $0.now = newValue } }
  }
  var monotonic: Int64 { readings.withLock { $0.monotonic } }

  var clock: MachineClock {
    MachineClock(
      now: { self.now }, monotonic: { self.monotonic },
      pause: { self.advance(Int64($0) * 1_000_000) })
  }

  func advance(_ nanoseconds: Int64) {
    readings.withLock { readings in
      readings.now += nanoseconds
      readings.monotonic += nanoseconds
    }
  }

  func advance(seconds: Int64) { advance(seconds * Timestamp.second) }
}

/// A user who asks for what a test sets.
final class TestControl: LiveControl {
  private struct State {
    var isStopAsked = false
    var wantsNewFile = false
    var statuses: [RecordStatus] = []
  }
  private let state = Mutex(State())

  var isStopAsked: Bool { state.withLock { $0.isStopAsked } }
  var statuses: [RecordStatus] { state.withLock { $0.statuses } }

  func askToStop() { state.withLock { $0.isStopAsked = true } }
  func askForNewFile() { state.withLock { $0.wantsNewFile = true } }

  func takeRotation() -> Bool {
    state.withLock { state in
      defer { state.wantsNewFile = false }
      return state.wantsNewFile
    }
  }

  func show(_ status: RecordStatus?) {
    state.withLock { $0.statuses += [status].compactMap(\.self) }
  }
}

/// Keeps what an engine notes.
final class TestLog: ActivityLog {
  private let texts = Mutex<[String]>([])
  var notes: [String] { texts.withLock { $0 } }
  func note(_ text: String) { texts.withLock { $0.append(text) } }
}

/// Keeps lines, and how many there were at each flush.
final class TestLines: LineWriter, Sendable {
  private struct Written {
    var text = ""
    var flushed: [Int] = []
    var lines: [Substring] { text.split(separator: "\n") }
  }
  private let written = Mutex(Written())
  var text: String { written.withLock { $0.text } }
  var flushed: [Int] { written.withLock { $0.flushed } }
  var lines: [Substring] { written.withLock { $0.lines } }
  func write(_ text: String) { written.withLock { $0.text += text } }
  func flush() { written.withLock { $0.flushed.append($0.lines.count) } }
}

/// The surroundings of an engine under test.
struct TestSurroundings: Sendable {
  let time = TestTime()
  let control = TestControl()
  let log = TestLog()
  let lines = TestLines()

  var context: LiveContext {
    LiveContext(
      StageContext(
        tool: ToolIdentity(version: "1", commandLine: "test"), log: log, lines: lines),
      control: control, clock: time.clock)
  }
}

extension AdvertisingReport {
  /// A report of one of the beacons that advertise under addresses 1, 2, ….
  init(_ time: Int64, address: UInt64 = 1, rssi: Float = -60) {
    self.init(
      time: time, address: DeviceAddress(bits: address, type: 0), rssi: rssi, eventType: 0x13)
  }
}
