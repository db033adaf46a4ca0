import Advertising
import Foundation
import Glibc
import Sightings
import Support
import TestSupport
import Testing

@testable import Capture

/// The whole way from a controller's bytes to reports, over every stream, against a scripted
/// controller that is a program of its own.
@Suite struct EmulatorTests {
  /// Captures until a condition holds, or fails when patience ends.
  private func capture(
    _ address: String, settings: ScanSettings = ScanSettings(),
    until isEnough: @escaping (RecordingSink) -> Bool
  ) throws -> RecordingSink {
    let deadline = ContinuousClock.now + patience
    var sink = RecordingSink { !isEnough($0) && ContinuousClock.now < deadline }
    var source = try Controller.h4(address).scanner(settings)
    try source.run(into: &sink)
    #expect(isEnough(sink), "not received within \(patience): \(sink.reports.count) reports")
    return sink
  }

  /// The expected report of a scenario's line.
  struct Expected: Equatable {
    var address: String
    var addressType: UInt8
    var rssi: Float?
    var payload: [UInt8]
    var eventType: UInt16
    var primaryPHY: UInt8 = 1
    var secondaryPHY: UInt8 = 0
    var sid: UInt8 = 255
    var txPower: Int8 = 127
    var dataStatus: UInt8 = 0

    init(_ received: RecordingSink.Received) {
      let report = received.report
      address = report.address.description
      addressType = report.address.type
      rssi = report.rssi.isNaN ? nil : report.rssi
      payload = received.payload
      eventType = report.eventType
      (primaryPHY, secondaryPHY) = (report.primaryPHY, report.secondaryPHY)
      (sid, txPower, dataStatus) = (report.sid, report.txPower, report.dataStatus)
    }

    /// Reads `T_MS TYPE ADDRTYPE ADDR RSSI HEXDATA [key=value ...]`.
    init?(line: Substring) {
      let words = line.split(separator: " ")
      guard words.count >= 6, !words[1].hasPrefix("!"), !line.hasPrefix("#") else { return nil }
      let types: [Substring: UInt16] = [
        "ADV_IND": 0x13, "ADV_DIRECT_IND": 0x15, "ADV_SCAN_IND": 0x12, "ADV_NONCONN_IND": 0x10,
        "SCAN_RSP": 0x1B, "EXT_ADV": 0, "EXT_ADV_CONN": 1, "EXT_ADV_SCAN": 2,
      ]
      let addressTypes: [Substring: UInt8] = [
        "public": 0, "random": 1, "public_id": 2, "random_id": 3, "anon": 255,
      ]
      guard let type = types[words[1]], let kind = addressTypes[words[2]] else { return nil }
      let isExtended = words[1].hasPrefix("EXT")
      address = kind == 255 ? "00:00:00:00:00:00" : words[3].uppercased()
      (addressType, eventType) = (kind, type)
      rssi = Float(words[4]).flatMap { $0 == 127 ? nil : $0 }
      let digits = words[5] == "-" ? [] : Array(words[5].utf8)
      payload = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
      }
      if isExtended { (secondaryPHY, sid) = (1, 0) }
      for word in words.dropFirst(6) {
        let parts = word.split(separator: "=")
        let value = Int(parts[1]) ?? 0
        switch parts[0] {
        case "pri": primaryPHY = UInt8(value)
        case "sec": secondaryPHY = UInt8(value)
        case "sid": sid = UInt8(value)
        case "txp": txPower = Int8(value)
        case "status": dataStatus = UInt8(value)
        default: break
        }
      }
    }

    static func all(_ scenario: String) -> [Expected] {
      scenario.split(separator: "\n").compactMap { Expected(line: $0) }
    }
  }

  @Test(arguments: Emulator.Way.allCases)
  func `every legacy advertisement arrives`(way: Emulator.Way) throws {
    let scenario = try Emulator.scenario("three_beacons")
    let expected = Expected.all(scenario).filter { $0.eventType != 0x1B }
    let emulator = try Emulator(scenario, way: way)
    let sink = try capture(emulator.address) { $0.reports.count == expected.count }
    #expect(sink.reports.map { Expected($0) } == expected)
    let receiver = try #require(sink.receivers[0])
    #expect(receiver.name == emulator.address)
    #expect(receiver.radio.controller == "00:AA:55:5E:00:01, Bluetooth 5.0, manufacturer 1521")
    #expect(receiver.radio.timeKind == .host)
    #expect(sink.losses.isEmpty && sink.rejected.isEmpty)
  }

  @Test(arguments: Emulator.Way.allCases)
  func `every extended advertisement arrives`(way: Emulator.Way) throws {
    let scenario = try Emulator.scenario("extended")
    let expected = Expected.all(scenario)
    #expect(expected.contains { $0.payload.count > 229 })
    let emulator = try Emulator(scenario, way: way)
    var settings = ScanSettings()
    settings.phys = [.le1M, .coded]
    let sink = try capture(emulator.address, settings: settings) {
      $0.reports.count == expected.count
    }
    #expect(sink.reports.map { Expected($0) } == expected)
    #expect(sink.receivers[0]?.radio.phys == "1m,coded")
  }

  @Test func `scan responses arrive where asked for`() throws {
    let scenario = try Emulator.scenario("three_beacons")
    let emulator = try Emulator(scenario, way: .tcp)
    var settings = ScanSettings()
    settings.isActive = true
    let expected = Expected.all(scenario)
    let sink = try capture(emulator.address, settings: settings) {
      $0.reports.count == expected.count
    }
    #expect(sink.reports.map { Expected($0) } == expected)
  }

  @Test func `controller of Bluetooth 4.2 is scanned with legacy commands`() throws {
    let scenario = try Emulator.scenario("three_beacons")
    let emulator = try Emulator(scenario, way: .tcp, options: ["-l", "-v"])
    let expected = Expected.all(scenario).filter { $0.eventType != 0x1B }
    let sink = try capture(emulator.address) { $0.reports.count == expected.count }
    #expect(sink.reports.map { Expected($0) } == expected)
    #expect(sink.receivers[0]?.radio.controller.contains("Bluetooth 4.2") == true)
    #expect(eventually { emulator.messages.contains("scan enable 0") })
    #expect(emulator.messages.contains("scan type 0 interval 96 window 96"))
    #expect(!emulator.messages.contains("cmd 0x2041"))
  }

  @Test(arguments: Emulator.Way.allCases)
  func `five reports an event at full speed all arrive`(way: Emulator.Way) throws {
    let line = "0 ADV_NONCONN_IND public 00:1A:7D:DA:71:01 -59 0201061AFF4C0002\n"
    let emulator = try Emulator(line + "0 !repeat 20000 0\n", way: way, options: ["-b", "5"])
    let sink = try capture(emulator.address) { $0.reports.count >= 20_001 }
    #expect(sink.reports.count == 20_001)
    #expect(sink.losses.isEmpty && sink.rejected.isEmpty)
  }

  @Test func `hardware error is survived`() throws {
    let emulator = try Emulator(
      try Emulator.scenario("faults/hwerror"), way: .tcp, options: ["-n", "0"])
    let sink = try capture(emulator.address) { $0.losses.count >= 2 && $0.reports.count >= 8 }
    #expect(sink.losses.allSatisfy { $0.reason == .reset && $0.end > $0.start })
  }

  @Test func `wedged radio is switched on again`() throws {
    let emulator = try Emulator(
      try Emulator.scenario("faults/scanoff"), way: .unix, options: ["-n", "0"])
    var settings = ScanSettings()
    settings.silence = 0.5
    let sink = try capture(emulator.address, settings: settings) { $0.reports.count >= 6 }
    #expect(sink.losses.count >= 2)
    #expect(sink.losses.allSatisfy { $0.reason == .silence && $0.end > $0.start })
  }

  @Test func `mute controller is waited out`() throws {
    let emulator = try Emulator(
      try Emulator.scenario("faults/mute"), way: .line, options: ["-n", "0"])
    var settings = ScanSettings()
    settings.silence = 0.5
    let sink = try capture(emulator.address, settings: settings) { $0.reports.count >= 2 }
    #expect(!sink.losses.isEmpty)
  }

  /// Events that are wrong in themselves are handed on and counted by who decodes them; bytes that
  /// are not events are skipped, and the reports around them arrive.
  @Test func `garbage costs no report`() throws {
    let emulator = try Emulator(
      try Emulator.scenario("faults/garbage") + "130 !raw 00ff00ff9903\n"
        + "140 ADV_NONCONN_IND public 00:1A:7D:DA:71:07 -51 020106\n", way: .line)
    let sink = try capture(emulator.address) { sink in
      sink.reports.contains { $0.report.rssi == -51 } && sink.rejected["line-noise"] != nil
    }
    #expect(sink.reports.count { $0.report.rssi == -59 } == 2)
    #expect(sink.losses.contains { $0.reason == .lineNoise })
  }

  @Test(arguments: Emulator.Way.allCases)
  func `closed connection ends the capture`(way: Emulator.Way) throws {
    let emulator = try Emulator(try Emulator.scenario("faults/unplug"), way: way)
    var sink = RecordingSink { _ in true }
    var source = try Controller.h4(emulator.address).scanner()
    let error = #expect(throws: RSSIError.self) { try source.run(into: &sink) }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("is gone") == true)
    #expect(sink.reports.count == 2)
    #expect(sink.losses.map(\.reason) == [.unplugged])
  }

  @Test func `emulator that comes back is waited for`() throws {
    let scratch = try TemporaryDirectory()
    let address = "unix:\(scratch.path("hci"))"
    var settings = ScanSettings()
    settings.waitsForAdapter = true
    // No peer at first; then one that leaves; then another.
    let starter = EmulatorAtPath(scratch.path("hci"))
    let sink = try capture(address, settings: settings) { sink in
      switch sink.reports.count {
      case 0 where sink.ticks == 5: starter.start()
      case 2 where starter.hasEnded: starter.start()
      default: break
      }
      return sink.reports.count >= 4
    }
    #expect(sink.losses.map(\.reason) == [.unplugged])
    #expect(sink.notes.contains { $0.contains("is back") })
  }

  @Test func `names addresses without a peer`() throws {
    let scratch = try TemporaryDirectory()
    let port = try UInt16(reservedPort())
    for (address, words) in [
      ("tcp:127.0.0.1:\(port)", "nothing listens on"),
      ("tcp:no.such.host.invalid:1", "cannot be found"),
      ("unix:\(scratch.path("none"))", "nothing listens on"),
      (scratch.path("tty"), "no controller at"),
    ] {
      let error = #expect(throws: RSSIError.self) { _ = try Controller.h4(address).scanner() }
      #expect(error?.kind == .unavailable)
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
    let file = try scratch.write("", to: "file")
    let error = #expect(throws: RSSIError.self) { _ = try Controller.h4(file).scanner() }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("is not a serial line") == true)
  }

  @Test func `peer that speaks something else is named`() throws {
    let scratch = try TemporaryDirectory()
    _ = try scratch.write("", to: "x")
    let silent = try SilentListener(path: scratch.path("hci"))
    var sink = RecordingSink { _ in true }
    var source = try Controller.h4("unix:\(silent.path)").scanner()
    let error = #expect(throws: RSSIError.self) { try source.run(into: &sink) }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("answer Reset") == true)
  }
}

/// An emulator at a path of its own that sends two reports and closes the connection.
private final class EmulatorAtPath {
  private let path: String
  private var program: RunningProgram?
  private let scratch = try? TemporaryDirectory()

  init(_ path: String) { self.path = path }

  var hasEnded: Bool { program?.isRunning == false }

  func start() {
    guard let emulator = try? builtEmulator.get(),
      let unplug = try? Emulator.scenario("faults/unplug"),
      let scenario = try? scratch?.write(unplug, to: "scenario")
    else { return }
    program = try? RunningProgram(emulator, ["-p", path, scenario])
  }
}

/// A socket that accepts connections and sends nothing.
private struct SilentListener {
  let path: String
  private let socket: Descriptor

  init(path: String) throws {
    let socket = Descriptor(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0 && listen(socket.number, 1) == 0)
    self.path = path
    self.socket = socket
  }
}
