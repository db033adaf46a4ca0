import Advertising
import Sightings
import Support
import Testing

@testable import Capture

@Suite struct ScanSourceTests {
  @Test func `sets up a controller and scans with extended commands`() throws {
    let script = Script()
    let sink = try capture(script, seconds: 2)
    #expect(
      script.opcodes() == [
        0x0C03, 0x0C01, 0x2001, 0x1001, 0x1009, 0x1002, 0x2003, 0x2041, 0x2042, 0x2042,
      ])
    // Events of LE (bit 61); advertising report (bit 1), extended advertising report (bit 12).
    #expect(script.commands[1].parameters[7] & 0x20 != 0)
    #expect(script.commands[2].parameters == [0x1F, 0x10, 0, 0, 0, 0, 0, 0])
    // Own address, no accept list, 1M; passive, 96 * 0.625 ms each.
    #expect(script.commands[7].parameters == [0, 0, 1, 0, 96, 0, 96, 0])
    // On, duplicates reported, for ever; off in the end.
    #expect(script.commands[8].parameters == [1, 0, 0, 0, 0, 0])
    #expect(script.commands[9].parameters == [0, 0, 0, 0, 0, 0])
    #expect(script.isClosed && !script.isScanning)
    #expect(sink.reports.count >= 18)
    #expect(sink.events == sink.reports.count + 9)
    #expect(sink.losses.isEmpty && sink.notes.isEmpty)
    let radio = try #require(sink.receivers[0]?.radio)
    #expect(sink.receivers[0]?.name == "fake0")
    #expect(radio.adapter == "fake0")
    #expect(radio.controller == "00:AA:55:5E:00:01, Bluetooth 5.0, manufacturer 1521")
    #expect(radio.scan == "passive" && radio.phys == "1m")
    #expect(radio.interval == 0.06 && radio.window == 0.06)
    #expect(radio.rssiKind == .raw && radio.timeKind == .host)
  }

  @Test func `scans with legacy commands where there are no others`() throws {
    let script = Script(isExtended: false)
    let sink = try capture(script, seconds: 1)
    #expect(script.opcodes().suffix(3) == [0x200B, 0x200C, 0x200C])
    #expect(script.commands[7].parameters == [0, 96, 0, 96, 0, 0, 0])
    #expect(!sink.reports.isEmpty)
  }

  @Test func `leaves what the kernel manages`() throws {
    let script = Script()
    _ = try capture(script, seconds: 1, isManagedByKernel: true)
    #expect(script.opcodes() == [0x1001, 0x1009, 0x1002, 0x2003, 0x2041, 0x2042, 0x2042])
  }

  @Test func `listens to both layers as asked`() throws {
    let script = Script()
    var settings = ScanSettings()
    settings.phys = [.coded, .le1M]
    settings.isActive = true
    (settings.interval, settings.window) = (0.1, 0.05)
    let sink = try capture(script, seconds: 1, settings: settings)
    #expect(script.commands[7].parameters == [0, 0, 5, 1, 160, 0, 80, 0, 1, 160, 0, 80, 0])
    #expect(sink.receivers[0]?.radio.phys == "1m,coded")
    #expect(sink.receivers[0]?.radio.scan == "active")
  }

  @Test func `gives an address to a dongle that has to transmit without one`() throws {
    let script = Script()
    script.answers[0x1009] = [0, 0, 0, 0, 0, 0, 0]
    var settings = ScanSettings()
    settings.isActive = true
    _ = try capture(script, seconds: 1, settings: settings)
    let command = try #require(script.commands.first { $0.opcode == 0x2005 })
    #expect(command.parameters.count == 6 && command.parameters[5] & 0xC0 == 0xC0)
    #expect(script.commands.first { $0.opcode == 0x2041 }?.parameters[0] == 1)
  }

  @Test(arguments: [(false, true, "extended scanning"), (true, false, "coded physical layer")])
  func `refuses layers that the controller does not hear`(
    isExtended: Bool, hasCoded: Bool, reason: String
  ) throws {
    let script = Script(isExtended: isExtended, hasCoded: hasCoded)
    var settings = ScanSettings()
    settings.phys = [.coded]
    let failure = try failedCapture(script, seconds: 10, settings: settings)
    #expect(failure.error.kind == .usage)
    #expect(failure.error.description.contains(reason))
    #expect(script.isClosed)
  }

  @Test(arguments: [(0.001, 0.001), (11, 0.1), (0.1, 0.2), (0.1, 0.001)])
  func `refuses impossible times`(interval: Double, window: Double) throws {
    var settings = ScanSettings()
    (settings.interval, settings.window) = (interval, window)
    let error = #expect(throws: RSSIError.self) { try settings.check() }
    #expect(error?.kind == .usage)
  }

  @Test func `hands on what arrives while it waits for an answer`() throws {
    let script = Script()
    script.answers[0x1001] = []
    script.actions = [
      (0.5, { $0.send(Array(ReportBytes.legacy(7, data: [1]).dropFirst())) }),
      (1, { $0.send([0x0E, 12, 1, 0x01, 0x10, 0, 9, 0, 0, 9, 1, 0, 0, 0]) }),
    ]
    let sink = try capture(script, seconds: 1.3)
    #expect(sink.reports.first?.report.address.bits == 7)
    #expect(script.opcodes().filter { $0 == 0x0C03 }.count == 1)
  }

  /// The report is there before the answer to the command that switches scanning on is seen.
  @Test func `switches scanning off where the first report is enough`() throws {
    let script = Script()
    script.answer(0x2042) { parameters in
      if parameters[0] == 1 {
        script.send(Array(ReportBytes.legacy(7, data: [1]).dropFirst()))
      }
      return [0]
    }
    var sink = RecordingSink { $0.reports.isEmpty }
    var source = try ScanSource(
      transport: FakeController(script), settings: ScanSettings(), clock: script.clock)
    try source.run(into: &sink)
    #expect(sink.reports.count == 1)
    #expect(script.commands.last?.parameters == [0, 0, 0, 0, 0, 0])
    #expect(script.isClosed && !script.isScanning)
  }

  @Test func `takes an error in a command status for an answer`() throws {
    let script = Script()
    script.answers[0x1002] = [1]
    script.statusOnly = [0x1002]
    _ = try capture(script, seconds: 1)
    // What it supports is unknown, so the commands are those that every controller has.
    #expect(script.opcodes().contains(0x200B))
  }

  @Test func `replaces a scan that was there before`() throws {
    let script = Script()
    script.answers[0x2041] = [0x0C]
    // Once the other scan is switched off, the parameters may be set.
    script.actions = [(0, { _ in })]
    var isDisabled = false
    let clock = script.clock
    var sink = RecordingSink { _ in
      if script.commands.contains(where: { $0.opcode == 0x2042 && $0.parameters[0] == 0 }) {
        if !isDisabled { script.answers[0x2041] = [0] }
        isDisabled = true
      }
      return script.seconds < 2
    }
    var source = try ScanSource(
      transport: FakeController(script, isManagedByKernel: true), settings: ScanSettings(),
      clock: clock)
    try source.run(into: &sink)
    #expect(!sink.reports.isEmpty)
    #expect(sink.notes.count == 1 && sink.notes.first?.contains("bluetoothd") == true)
  }

  @Test func `names the privilege after a final refusal`() throws {
    let script = Script()
    script.answers[0x2041] = [0x0C]
    let failure = try failedCapture(script, seconds: 60, isManagedByKernel: true)
    #expect(failure.error.kind == .unavailable)
    #expect(failure.error.description.contains("(0x0c)"))
    #expect(failure.error.description.contains("bluetoothd"))
  }

  @Test func `names the status of a refused command`() throws {
    let script = Script()
    script.answers[0x2041] = [0x12]
    let failure = try failedCapture(script, seconds: 60)
    #expect(failure.error.kind == .protocolViolation)
    #expect(
      failure.error.description.contains("(0x12)"))
  }

  @Test func `ends where nothing answers from the beginning`() throws {
    let script = Script()
    script.isMute = true
    let failure = try failedCapture(script, seconds: 600)
    #expect(failure.error.kind == .unavailable)
    #expect(script.seconds < 15)
    #expect(failure.sink.ticks > 60)
    #expect(script.isClosed)
  }

  @Test func `packets that are not events are counted`() throws {
    let script = Script()
    script.actions = [(2.5, { $0.others = [.aclData, .isoData, .aclData] })]
    let sink = try capture(script, seconds: 4)
    #expect(sink.counts.otherEvents[.aclData] == 2)
    #expect(sink.counts.otherEvents[.isoData] == 1)
    #expect(sink.counts.packets == 3)
  }

  @Test func `hands on losses of the transport`() throws {
    let script = Script()
    script.actions = [
      (2.5, { $0.losses = [TransportLoss(reason: .overflow, dropped: 17)] }),
      (5.5, { $0.losses = [TransportLoss(reason: .lineNoise, dropped: 0, refusedBytes: 9)] }),
    ]
    let sink = try capture(script, seconds: 8)
    #expect(sink.losses.map(\.reason) == [.overflow, .lineNoise])
    #expect(sink.losses.map(\.dropped) == [17, 0])
    #expect(sink.rejected == ["line-noise": 9])
    for (loss, time) in zip(sink.losses, [2.5, 5.5]) {
      #expect(Double(loss.start - Script.epoch) / 1e9 <= time)
      #expect(Double(loss.end - Script.epoch) / 1e9 >= time)
      #expect(loss.end - loss.start < 1_300_000_000)
    }
  }
}
