import Advertising
import Support
import Testing

@testable import Capture

/// The commands that a controller receives, their order, and its final state.
@Suite struct BroadcasterTests {
  @Test func `gives an old controller legacy commands`() throws {
    let script = Script.advertiser(isExtended: false)
    let log = try broadcast(script, seconds: 1, isManagedByKernel: true)
    #expect(
      script.opcodes() == [
        0x1001, 0x1009, 0x1002, 0x2003, 0x2006, 0x2008, 0x200A, 0x2007, 0x200A,
      ])
    #expect(
      script.parameters(0x2006) == [
        [0xA0, 0, 0xA0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0]
      ])
    #expect(
      script.parameters(0x2008) == [[3, 2, 1, 6] + [UInt8](repeating: 0, count: 28)])
    #expect(script.parameters(0x200A) == [[1], [0]])
    #expect(script.isClosed)
    #expect(
      log.radios == [
        BroadcastRadio(
          adapter: "fake0", controller: "00:AA:55:5E:00:01, Bluetooth 4.2, manufacturer 1521",
          address: DeviceAddress(bits: 0x00AA_555E_0001, type: 0), txPower: 4)
      ])
    #expect(log.notes == [])
  }

  /// Legacy PDUs by extended commands, since a controller that has those disallows the others.
  @Test func `gives a new controller extended commands only`() throws {
    let script = Script.advertiser()
    let log = try broadcast(script, seconds: 1)
    #expect(
      script.opcodes() == [
        0x0C03, 0x0C01, 0x2001, 0x1001, 0x1009, 0x1002, 0x2003,
        0x2036, 0x2037, 0x2039, 0x2039, 0x203C,
      ])
    #expect(
      script.parameters(0x2036) == [
        [0xEF, 0x10, 0, 0xA0, 0, 0, 0xA0, 0, 0, 7, 0] + [0, 0, 0, 0, 0, 0, 0]
          + [0, 127, 1, 0, 1, 0, 0]
      ])
    #expect(script.parameters(0x2037) == [[0xEF, 3, 1, 3, 2, 1, 6]])
    #expect(script.parameters(0x2039) == [[1, 1, 0xEF, 0, 0, 0], [0, 1, 0xEF, 0, 0, 0]])
    #expect(script.parameters(0x203C) == [[0xEF]])
    #expect(log.radios.map(\.txPower) == [-3])
  }

  @Test func `sends extended coded advertising with a power`() throws {
    let script = Script.advertiser()
    var settings = BroadcastSettings()
    (settings.isExtended, settings.phy, settings.txPower) = (true, .coded, -8)
    (settings.interval, settings.address) = (10.24, .fixed(0xC0DE_0000_0001))
    let log = try broadcast(script, seconds: 1, settings: settings)
    #expect(
      script.parameters(0x2036) == [
        [0xEF, 0, 0, 0, 0x40, 0, 0, 0x40, 0, 7, 1] + [0, 0, 0, 0, 0, 0, 0]
          + [0, 0xF8, 3, 0, 3, 0, 0]
      ])
    // Behind the parameters, which make the set.
    #expect(script.opcodes().suffix(6) == [0x2036, 0x2035, 0x2037, 0x2039, 0x2039, 0x203C])
    #expect(script.parameters(0x2035) == [[0xEF, 1, 0, 0, 0, 0xDE, 0xC0]])
    #expect(log.radios.map(\.address) == [DeviceAddress(bits: 0xC0DE_0000_0001, type: 1)])
  }

  @Test func `sends from a random address where there is no other`() throws {
    let script = Script.advertiser(isExtended: false)
    script.answers[0x1009] = [0, 0, 0, 0, 0, 0, 0]
    let log = try broadcast(script, seconds: 1)
    let address = try #require(log.radios.first?.address)
    #expect(address.type == 1)
    #expect(address.bits >> 46 == 3)
    #expect(script.opcodes().suffix(6) == [0x2005, 0x2006, 0x2008, 0x200A, 0x2007, 0x200A])
    #expect(script.parameters(0x2006).first?[5] == 1)
  }

  @Test func `hands on new data when there are some`() throws {
    let script = Script.advertiser()
    _ = try broadcast(script, seconds: 3) { time in time < 1 ? [2, 1, 6] : [2, 1, 4] }
    #expect(
      script.parameters(0x2037) == [[0xEF, 3, 1, 3, 2, 1, 6], [0xEF, 3, 1, 3, 2, 1, 4]])
  }

  /// Asked to end while it is being set up, it undoes what was done.
  @Test(arguments: [0x2036, 0x2037, 0x2039] as [UInt16])
  func `ends in the middle of the set up`(opcode: UInt16) throws {
    let script = Script.advertiser()
    script.answers[opcode] = []
    let log = try broadcast(script, seconds: 1)
    #expect(log.radios == [])
    let undone: [UInt16] = opcode == 0x2039 ? [0x2039, 0x203C] : [0x203C]
    #expect(script.opcodes().suffix(1 + undone.count) == [opcode] + undone)
    #expect(script.isClosed)
  }

  // MARK: What it refuses

  @Test func `reports the limits of an old controller`() throws {
    var extended = BroadcastSettings()
    extended.isExtended = true
    var powered = BroadcastSettings()
    powered.txPower = 0
    var fast = BroadcastSettings()
    fast.interval = 0.05
    for (settings, words) in [
      (extended, "extended advertising"), (powered, "transmit power"), (fast, "100 ms"),
    ] {
      let script = Script.advertiser(isExtended: false)
      let error = try failedBroadcast(script, seconds: 5, settings: settings).error
      #expect(error.kind == .usage)
      #expect(error.description.contains(words))
      #expect(!script.opcodes().contains(0x200A))
      #expect(script.isClosed)
    }
    var coded = BroadcastSettings()
    (coded.isExtended, coded.phy) = (true, .coded)
    let error = try failedBroadcast(
      Script.advertiser(hasCoded: false), seconds: 5, settings: coded
    ).error
    #expect(error.kind == .usage)
    #expect(error.description.contains("coded PHY"))
  }

  @Test func `refuses impossible settings`() throws {
    let changes: [(inout BroadcastSettings) -> Void] = [
      { $0.interval = 0.019 }, { $0.interval = 10.25 }, { $0.interval = .nan }, { $0.phy = .coded },
      { $0.txPower = 21 }, { $0.address = .fixed(0x4000_0000_0001) },
      { $0.address = .fixed(0xC000_0000_0000) }, { $0.address = .fixed(0xFFFF_FFFF_FFFF) },
    ]
    for change in changes {
      var settings = BroadcastSettings()
      change(&settings)
      #expect(throws: RSSIError.self) { try settings.check() }
    }
  }

  @Test func `reports another program that advertises`() throws {
    let script = Script.advertiser(isExtended: false)
    script.answers[0x2006] = [0x0C]
    let error = try failedBroadcast(script, seconds: 5, isManagedByKernel: true).error
    #expect(error.kind == .unavailable)
    #expect(error.description.contains("fake0 noleadv"))
    // What the other does is left alone.
    #expect(!script.opcodes().contains(0x200A))
  }

  /// The set of another run of rssi is left alone; this one takes the next.
  @Test func `takes the next free set`() throws {
    let script = Script.advertiser()
    script.answer(0x2036) { parameters in parameters[0] > 0xED ? [0x0C] : [0, 0] }
    let log = try broadcast(script, seconds: 1, isManagedByKernel: true)
    #expect(script.parameters(0x2036).map(\.first) == [0xEF, 0xEE, 0xED])
    #expect(script.parameters(0x203C) == [[0xED]])
    #expect(script.parameters(0x2039).allSatisfy { $0[2] == 0xED })
    #expect(log.notes.count == 1)
  }

  @Test func `reports that no set is left`() throws {
    for (status, words) in [(0x07, "no advertising set left"), (0x0C, "commands of Bluetooth 4")]
      as [(UInt8, String)]
    {
      let script = Script.advertiser()
      script.answers[0x2036] = [status]
      let error = try failedBroadcast(script, seconds: 5).error
      #expect(error.kind == .unavailable)
      #expect(error.description.contains(words))
      #expect(!script.opcodes().contains(0x203C))
    }
  }

  @Test func `names the refused command`() throws {
    let script = Script.advertiser()
    script.answers[0x2037] = [0x12]
    let error = try failedBroadcast(script, seconds: 5).error
    #expect(error.kind == .protocolViolation)
    #expect(
      error.description.contains("(0x12)"))
    #expect(script.opcodes().last == 0x203C)
  }
}
