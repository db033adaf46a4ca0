import TestSupport
import Testing

@testable import Advertising

@Suite struct PacketKindTests {
  private static let all = (0..<PacketKind.count).map(PacketKind.init(index:))

  @Test func `every kind has a name of its own that a file can keep`() {
    let names = Self.all.map(\.description)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(name.utf8.count <= 48, "\(name)")
      #expect(
        name.utf8.allSatisfy {
          ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D
        }, "\(name)")
    }
  }

  @Test func `events are named by their codes`() {
    #expect(PacketKind.event(0x0E).description == "command-complete")
    #expect(PacketKind.event(0x07).description == "event-0x07")
    #expect(PacketKind.lowEnergyEvent(0x0F).description == "le-periodic-advertising-report")
    #expect(PacketKind.lowEnergyEvent(0xFE).description == "le-event-0xfe")
  }

  @Test func `only events have no kind`() {
    #expect((UInt8.min...UInt8.max).filter { PacketKind.ofH4(type: $0) == nil } == [4])
    #expect((UInt16.min...100).filter { PacketKind.ofMonitor(opcode: $0) == nil } == [3])
    #expect(PacketKind.ofMonitor(opcode: 19) == .isoData)
  }

  @Test func `counts add up by kind`() {
    var a = PacketKindCounts()
    var b = PacketKindCounts()
    for kind in Self.all { a.add(kind) }
    b.add(.command)
    b.merge(a)
    #expect(b.total == PacketKind.count + 1)
    #expect(b[.command] == 2 && b[.dataChannel] == 1)
    #expect(b.map(\.count).reduce(0, +) == b.total)
    #expect(PacketKindCounts().map(\.count).isEmpty)
  }
}
