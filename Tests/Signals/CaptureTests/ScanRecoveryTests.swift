import Advertising
import Sightings
import Support
import Testing

@testable import Capture

/// Every fault, in the controller's own time.
@Suite struct ScanRecoveryTests {
  private func seconds(_ time: Int64) -> Double { Double(time - Script.epoch) / 1e9 }

  private func enables(_ script: Script) -> [Double] {
    script.commands.filter { $0.opcode == 0x2042 && $0.parameters[0] == 1 }.map(\.time)
  }

  @Test func `silence switches scanning on again ever more rarely`() throws {
    let script = Script()
    script.reportPeriod = nil
    let sink = try capture(script, seconds: 420)
    // 10, 20, 40 s, then a minute.
    let expected = [0, 10, 30, 70, 130, 190, 250, 310, 370.0]
    let times = enables(script)
    #expect(times.count == expected.count)
    for (time, right) in zip(times, expected) { #expect(abs(time - right) < 2) }
    // The third attempt and the sixth reset; silence never ends the capture.
    #expect(script.resets.count == 2)
    #expect(sink.losses.count == expected.count - 1)
    for (index, loss) in sink.losses.enumerated() {
      #expect(loss.reason == .silence)
      #expect(abs(seconds(loss.start) - expected[index]) < 2)
      #expect(abs(seconds(loss.end) - expected[index + 1]) < 2)
      if index > 0 { #expect(loss.start >= sink.losses[index - 1].end) }
    }
  }

  @Test func `resets of a silent controller grow rare`() throws {
    let script = Script()
    script.reportPeriod = nil
    _ = try capture(script, seconds: 4 * 3600)
    #expect((6...9).contains(script.resets.count))
  }

  @Test func `wedged radio is switched on again`() throws {
    let script = Script()
    script.actions = [(5, { $0.isScanning = false })]
    let sink = try capture(script, seconds: 30)
    let loss = try #require(sink.losses.first)
    #expect(sink.losses.count == 1)
    #expect(loss.reason == .silence)
    #expect(abs(seconds(loss.start) - 5) < 0.3 && abs(seconds(loss.end) - 15) < 0.3)
    #expect(sink.reports.contains { seconds($0.report.time) > 29 })
  }

  @Test func `something heard ends the silence and its delays`() throws {
    let script = Script()
    script.reportPeriod = nil
    let report = Array(ReportBytes.legacy(1, data: [1]).dropFirst())
    script.actions = [(45, { $0.send(report) })]
    _ = try capture(script, seconds: 80)
    let times = enables(script)
    // 10 s after what was heard, then 20.
    #expect(times.count == 5)
    for (time, right) in zip(times, [0, 10, 30, 55, 75.0]) { #expect(abs(time - right) < 0.5) }
  }

  @Test func `hardware error sets the controller up again`() throws {
    let script = Script()
    script.actions = [
      (
        3,
        {
          $0.isScanning = false
          $0.send([0x10, 1, 0x42])
        }
      )
    ]
    let sink = try capture(script, seconds: 10)
    #expect(script.opcodes(from: 2.9).prefix(3) == [0x0C03, 0x0C01, 0x2001])
    #expect(sink.losses.map(\.reason) == [.reset])
    #expect(sink.losses.allSatisfy { seconds($0.start) <= 3.01 && seconds($0.end) < 4 })
    #expect(sink.reports.contains { seconds($0.report.time) > 9 })
  }

  @Test func `hardware errors in a row are not answered at full speed`() throws {
    let script = Script()
    for time in stride(from: 1, to: 300, by: 0.05) {
      script.actions.append((time, { $0.send([0x10, 1, 0x42]) }))
    }
    let sink = try capture(script, seconds: 300)
    #expect((5...20).contains(sink.losses.count))
    #expect(sink.losses.allSatisfy { $0.reason == .reset })
  }

  @Test func `scan is taken back from another program`() throws {
    let script = Script()
    // What btmgmt's discovery does: parameters, then enable with duplicates filtered.
    script.actions = [
      (
        4,
        {
          $0.send([0x0E, 4, 1, 0x41, 0x20, 0])
          $0.send([0x0E, 4, 1, 0x42, 0x20, 0])
        }
      )
    ]
    let sink = try capture(script, seconds: 10, isManagedByKernel: true)
    #expect(script.opcodes(from: 4).prefix(3) == [0x2042, 0x2041, 0x2042])
    #expect(enables(script).count == 2)
    let loss = try #require(sink.losses.first)
    #expect(loss.reason == .interference)
    #expect(abs(seconds(loss.start) - 4) < 0.05)
    #expect((0.1...0.5).contains(seconds(loss.end) - 4))
    #expect(sink.notes.count == 1 && sink.notes[0].contains("user:N"))
  }

  @Test func `another program that keeps on is not fought at full speed`() throws {
    let script = Script()
    for time in stride(from: 1, to: 300, by: 0.5) {
      script.actions.append((time, { $0.send([0x0E, 4, 1, 0x42, 0x20, 0]) }))
    }
    let sink = try capture(script, seconds: 300, isManagedByKernel: true)
    #expect((6...20).contains(enables(script).count))
    #expect((3...6).contains(sink.notes.count))
    #expect(sink.losses.allSatisfy { $0.reason == .interference })
    // It is given up never: the last one is not long ago.
    #expect((enables(script).last ?? 0) > 170)
  }

  @Test func `own late answers are not taken for anothers`() throws {
    let script = Script()
    script.answers[0x2041] = []
    script.actions = [
      (
        2.2,
        {
          $0.answers[0x2041] = [0]
          $0.send([0x0E, 4, 1, 0x41, 0x20, 0])
        }
      )
    ]
    let sink = try capture(script, seconds: 20, isManagedByKernel: true)
    #expect(sink.losses.isEmpty && sink.notes.isEmpty)
    #expect(enables(script).count == 1)
  }

  @Test func `reset by another program is noticed`() throws {
    let script = Script()
    script.actions = [
      (
        3,
        {
          $0.isScanning = false
          $0.send([0x0E, 4, 1, 0x03, 0x0C, 0])
        }
      )
    ]
    let sink = try capture(script, seconds: 6, isManagedByKernel: true)
    #expect(sink.losses.map(\.reason) == [.reset])
    #expect(enables(script).count == 2)
  }

  @Test func `adapter that came up again is set up`() throws {
    let script = Script()
    script.actions = [
      (
        3,
        {
          $0.isScanning = false
          $0.oneState = .restarted
        }
      )
    ]
    let sink = try capture(script, seconds: 6)
    #expect(sink.losses.map(\.reason) == [.reset])
    #expect(enables(script).count == 2)
  }

  @Test func `adapter that is switched off is waited for`() throws {
    let script = Script()
    script.actions = [
      (3, { $0.state = .down }),
      (
        7,
        {
          $0.state = .up
          $0.oneState = .restarted
          $0.isScanning = false
        }
      ),
    ]
    let sink = try capture(script, seconds: 12)
    #expect(sink.losses.map(\.reason) == [.unplugged])
    #expect(sink.losses.allSatisfy { (3.5...4.8).contains(seconds($0.end) - seconds($0.start)) })
    #expect(enables(script).count == 2)
  }

  /// The kernel switches a controller that failed off and on; a slow one is seen while it is off.
  @Test func `adapter that is off for a reset was reset`() throws {
    let script = Script()
    script.actions = [
      (
        3,
        {
          $0.send([0x10, 1, 0x42])
          $0.state = .down
          $0.isScanning = false
        }
      ),
      (
        5,
        {
          $0.state = .up
          $0.oneState = .restarted
        }
      ),
    ]
    let sink = try capture(script, seconds: 9)
    #expect(sink.losses.map(\.reason) == [.reset])
    #expect(enables(script).count == 2)
  }

  @Test func `adapter that stays off ends the capture`() throws {
    let script = Script()
    script.actions = [(3, { $0.state = .down })]
    let failure = try failedCapture(script, seconds: 99)
    #expect(failure.error.kind == .unavailable)
    #expect(failure.error.description.contains("switched off"))
    #expect(failure.sink.losses.map(\.reason) == [.unplugged])
  }

  @Test func `adapter that is gone ends the capture`() throws {
    let script = Script()
    let report = Array(ReportBytes.legacy(99, data: [1]).dropFirst())
    script.actions = [
      (
        3,
        {
          $0.send(report)
          $0.state = .gone
        }
      )
    ]
    let failure = try failedCapture(script, seconds: 99)
    #expect(failure.error.kind == .unavailable)
    #expect(failure.error.description.contains("fake0 is gone"))
    // What came before it went is there, and the capture knows that something is missing.
    #expect(failure.sink.reports.last?.report.address.bits == 99)
    #expect(failure.sink.losses.map(\.reason) == [.unplugged])
  }

  @Test func `adapter that is gone is waited for where asked`() throws {
    let script = Script()
    script.actions = [
      (
        3,
        {
          $0.state = .gone
          $0.isScanning = false
        }
      ),
      (40, { $0.state = .up }),
    ]
    var settings = ScanSettings()
    settings.waitsForAdapter = true
    let sink = try capture(script, seconds: 50, settings: settings)
    #expect(sink.losses.map(\.reason) == [.unplugged])
    #expect(
      sink.losses.allSatisfy { seconds($0.start) <= 3.1 && (40...43).contains(seconds($0.end)) })
    #expect((15...40).contains(script.reopenings.count))
    #expect(sink.ticks > 450)
    #expect(sink.notes.count == 2)
    #expect(sink.reports.contains { seconds($0.report.time) > 49 })
  }

  @Test func `stops while it waits`() throws {
    let script = Script()
    script.actions = [(3, { $0.state = .gone })]
    var settings = ScanSettings()
    settings.waitsForAdapter = true
    let sink = try capture(script, seconds: 10, settings: settings)
    #expect(script.seconds < 10.2)
    #expect(sink.losses.map(\.reason) == [.unplugged])
    #expect(script.isClosed)
  }

  @Test func `controller that answers nothing for a while is waited out`() throws {
    let script = Script()
    script.actions = [
      (
        3,
        {
          $0.isMute = true
          $0.isScanning = false
          $0.send([0x10, 1, 0x42])
        }
      ),
      (9, { $0.isMute = false }),
    ]
    let sink = try capture(script, seconds: 20)
    #expect(sink.losses.map(\.reason) == [.reset])
    #expect(sink.reports.contains { seconds($0.report.time) > 19 })
    #expect(script.resets.isEmpty)
  }

  @Test func `controller that answers nothing after resets ends the capture`() throws {
    let script = Script()
    script.actions = [
      (
        3,
        {
          $0.isMute = true
          $0.isScanning = false
        }
      )
    ]
    let failure = try failedCapture(script, seconds: 999)
    #expect(failure.error.kind == .unavailable)
    #expect(failure.error.description.contains("3 resets"))
    #expect(script.resets.count == 3)
    #expect(failure.sink.losses.map(\.reason) == [.silence])
    #expect(script.seconds < 120)
  }

  @Test func `refusals after it once worked are tried again`() throws {
    let script = Script()
    script.actions = [
      (
        3,
        {
          $0.answers[0x2041] = [0x0C]
          $0.send([0x0E, 4, 1, 0x42, 0x20, 0])
        }
      ),
      (60, { $0.answers[0x2041] = [0] }),
    ]
    let sink = try capture(script, seconds: 200, isManagedByKernel: true)
    #expect(sink.reports.contains { seconds($0.report.time) > 199 })
    #expect(sink.notes.contains { $0.contains("trying again") })
    #expect(sink.losses.map(\.reason) == [.interference])
    #expect(sink.losses.allSatisfy { seconds($0.end) > 60 })
  }
}
