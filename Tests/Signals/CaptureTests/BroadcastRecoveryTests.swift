import Support
import Testing

@testable import Capture

/// The end of a broadcast by its controller or by another program, and its recovery.
@Suite struct BroadcastRecoveryTests {
  @Test func `begins again after a hardware error`() throws {
    let script = Script.advertiser()
    script.actions = [(2, { $0.send([0x10, 1, 0x42]) })]
    let log = try broadcast(script, seconds: 5)
    #expect(log.radios.count == 2)
    #expect(log.notes == ["fake0 was reset; starting to advertise again"])
    #expect(script.opcodes(from: 2).prefix(3) == [0x0C03, 0x0C01, 0x2001])
    #expect(script.opcodes().filter { $0 == 0x203C }.count == 1)
  }

  @Test func `begins again after the kernel reset the controller`() throws {
    let script = Script.advertiser()
    script.actions = [(2, { $0.oneState = .restarted })]
    let log = try broadcast(script, seconds: 5, isManagedByKernel: true)
    #expect(log.radios.count == 2)
    #expect(log.notes.count == 1)
  }

  @Test func `begins again after a reset by another program`() throws {
    let script = Script.advertiser()
    script.actions = [(2, { $0.send([0x0E, 4, 1, 0x03, 0x0C, 0]) })]
    #expect(try broadcast(script, seconds: 5, isManagedByKernel: true).radios.count == 2)
  }

  /// Pauses grow against a program that insists, with one note per minute.
  @Test func `takes legacy advertising back`() throws {
    let script = Script.advertiser(isExtended: false)
    script.actions = stride(from: 1.0, to: 20, by: 0.5).map { time in
      (time, { $0.send([0x0E, 4, 1, 0x0A, 0x20, 0]) })
    }
    let log = try broadcast(script, seconds: 30, isManagedByKernel: true)
    #expect(log.notes.count == 1)
    #expect(log.notes.first?.contains("LE Set Advertising") == true)
    #expect((3...9).contains(log.radios.count))
  }

  /// Among the sets of several programs, only one's own is enabled again, which disturbs no other.
  @Test func `switches its own set on again`() throws {
    let script = Script.advertiser()
    script.actions = [(2, { $0.send([0x0E, 4, 1, 0x39, 0x20, 0]) })]
    let log = try broadcast(script, seconds: 4, isManagedByKernel: true)
    #expect(log.radios.count == 1)
    #expect(log.notes == [])
    #expect(script.parameters(0x2039).map(\.first) == [1, 1, 0])
  }

  @Test func `makes its set again when it was removed`() throws {
    let script = Script.advertiser()
    script.actions = [
      (
        2,
        {
          var isFirst = true
          $0.answer(0x2039) { _ in
            defer { isFirst = false }
            return isFirst ? [0x42] : [0]
          }
          $0.send([0x0E, 4, 1, 0x3D, 0x20, 0])
        }
      )
    ]
    let log = try broadcast(script, seconds: 4, isManagedByKernel: true)
    #expect(log.radios.count == 2)
    #expect(log.notes.count == 1)
  }

  /// Every ten seconds it has to show that it lives.
  @Test func `notices a controller that died`() throws {
    let script = Script.advertiser()
    script.actions = [(1, { $0.isMute = true })]
    let (error, log) = try failedBroadcast(script, seconds: 120)
    #expect(error.kind == .unavailable)
    #expect(error.description.contains("no longer answers commands"))
    #expect(!script.resets.isEmpty)
    #expect(log.notes.count == 1)
    #expect(script.seconds < 40)
    #expect(script.isClosed)
  }

  @Test func `comes through a moment`() throws {
    let script = Script.advertiser()
    script.actions = [(9, { $0.isMute = true }), (14, { $0.isMute = false })]
    #expect(try broadcast(script, seconds: 30).radios.count == 2)
  }

  @Test func `reports a controller that does not answer`() throws {
    let script = Script.advertiser()
    script.isMute = true
    let (error, _) = try failedBroadcast(script, seconds: 60)
    #expect(error.description.contains("answer Reset"))
  }

  @Test func `ends when the adapter is gone`() throws {
    let script = Script.advertiser()
    script.actions = [(2, { $0.state = .gone })]
    let (error, _) = try failedBroadcast(script, seconds: 60, isManagedByKernel: true)
    #expect(error.kind == .unavailable)
    #expect(error.description.contains("fake0 is gone"))
    #expect(script.seconds < 3)
  }

  @Test func `waits for a moment when it is switched off`() throws {
    let script = Script.advertiser()
    script.actions = [(2, { $0.state = .down }), (5, { $0.state = .up })]
    #expect(try broadcast(script, seconds: 10, isManagedByKernel: true).radios.count == 2)
    let off = Script.advertiser()
    off.actions = [(2, { $0.state = .down })]
    let (error, _) = try failedBroadcast(off, seconds: 60, isManagedByKernel: true)
    #expect(error.description.contains("hciconfig fake0 up"))
    #expect((11...14).contains(off.seconds))
  }
}
