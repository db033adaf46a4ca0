import Testing

@testable import Capture

@Suite struct CommandExchangeTests {
  private func reply(_ event: [UInt8]) throws -> CommandReply {
    let bytes = event.span
    let reply = CommandReply(event: bytes)
    return try #require(reply)
  }

  @Test func `distinguishes answers`() throws {
    var exchange = CommandExchange()
    func take(_ reply: CommandReply, _ time: Int64) -> Bool { exchange.take(reply, at: time) }
    let enabled = try reply([0x0E, 4, 1, 0x42, 0x20, 0])
    #expect(take(enabled, 0) == false)
    exchange.begin(.leSetExtendedScanEnable)
    let other = try reply([0x0E, 4, 1, 0x41, 0x20, 0])
    #expect(take(other, 1) == false)
    #expect(exchange.reply == nil)
    #expect(take(enabled, 2) == true)
    #expect(exchange.reply == enabled)
    exchange.end(at: 3)
    #expect(take(enabled, 4) == false)
  }

  @Test func `command that is under way is not answered`() throws {
    var exchange = CommandExchange()
    func take(_ reply: CommandReply, _ time: Int64) -> Bool { exchange.take(reply, at: time) }
    exchange.begin(.reset)
    let pending = try reply([0x0F, 4, 0, 1, 0x03, 0x0C])
    #expect(take(pending, 0) == true)
    #expect(exchange.reply == nil)
    let refused = try reply([0x0F, 4, 0x0C, 1, 0x03, 0x0C])
    #expect(take(refused, 1) == true)
    #expect(exchange.reply?.status == .commandDisallowed)
  }

  @Test func `late answer is known once and for ten seconds`() throws {
    var exchange = CommandExchange()
    func take(_ reply: CommandReply, _ time: Int64) -> Bool { exchange.take(reply, at: time) }
    let late = try reply([0x0E, 4, 1, 0x42, 0x20, 0])
    exchange.begin(.leSetExtendedScanEnable)
    exchange.end(at: 0)
    #expect(take(late, 9 * .second) == true)
    #expect(take(late, 9 * .second) == false)
    exchange.begin(.leSetExtendedScanEnable)
    exchange.end(at: 0)
    #expect(take(late, 11 * .second) == false)
  }

  @Test(
    arguments: [[0x0E, 3, 1, 0x42, 0x20], [0x3E, 4, 2, 1, 0, 0], [0x0F, 3, 0, 1, 3]] as [[UInt8]])
  func `other events are not taken for answers`(event: [UInt8]) {
    let bytes = event.span
    let reply = CommandReply(event: bytes)
    #expect(reply == nil)
  }
}
