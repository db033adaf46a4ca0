import Advertising
import Testing

@testable import Capture

struct MonitorPacketTests {
  /// As btmon's file of a session in a guest has them: header, then as in BlueZ's monitor/bt.h.
  @Test(
    arguments: [
      ([3, 0, 2, 0, 4, 0, 0x0E, 2, 1, 2], 2, MonitorPacket.event(6..<10)),
      ([3, 0, 0, 0, 0, 0], 0, .event(6..<6)),
      ([2, 0, 0, 0, 5, 0, 0x0C, 0x20, 2, 1, 0], 0, .command(opcode: 0x200C, parameters: 9..<11)),
      ([0, 0, 1, 0, 1, 0, 7], 1, .appeared),
      ([1, 0, 1, 0, 0, 0], 1, .disappeared),
      ([8, 0, 1, 0, 0, 0], 1, .on),
      ([9, 0, 1, 0, 0, 0], 1, .off),
      (
        [10, 0, 0, 0, 8, 0, 1, 0, 0x5E, 0x55, 0xAA, 0, 0xF1, 5], 0,
        .identity(address: "00:AA:55:5E:00:01", manufacturer: 0x05F1)
      ),
      ([12, 0, 0xFF, 0xFF, 2, 0, 72, 105], 0xFFFF, .other(.log)),
      ([4, 0, 0, 0, 1, 0, 9], 0, .other(.aclData)),
    ] as [([UInt8], UInt16, MonitorPacket)])
  func `reads each kind`(bytes: [UInt8], adapter: UInt16, packet: MonitorPacket) throws {
    let span = bytes.span
    let read = MonitorPacket.read(span)
    let found = try #require(read)
    #expect(found.adapter == adapter)
    #expect(found.packet == packet)
  }

  @Test(
    arguments: [
      [], [3, 0, 0, 0, 1], [3, 0, 0, 0, 1, 0], [3, 0, 0, 0, 1, 0, 1, 2], [2, 0, 0, 0, 2, 0, 1, 2],
      [2, 0, 0, 0, 4, 0, 1, 2, 2, 1], [10, 0, 0, 0, 7, 0, 1, 2, 3, 4, 5, 6, 7],
    ] as [[UInt8]])
  func `refuses lengths that contradict each other`(bytes: [UInt8]) {
    let span = bytes.span
    let found = MonitorPacket.read(span) != nil
    #expect(!found)
  }
}
