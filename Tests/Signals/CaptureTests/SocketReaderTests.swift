import Glibc
import Support
import Testing

@testable import Capture

/// The reader on a pair of local sockets, which keep packets apart as HCI sockets do.
struct SocketReaderTests {
  private let near: Descriptor
  private let far: Descriptor

  init() {
    var pair: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair)
    (near, far) = (Descriptor(pair[0]), Descriptor(pair[1]))
  }

  /// Sends a packet; false while the socket has no room.
  private func send(_ packet: [UInt8]) -> Bool {
    write(far.number, packet, packet.count) == packet.count
  }

  /// Takes until a condition holds; an endless loop is a failure.
  private func take(
    from reader: SocketReader, into batch: inout EventBatch, until condition: (EventBatch) -> Bool
  ) -> Int32? {
    while true {
      wait(for: [reader.arrival], milliseconds: 1000)
      let failure = reader.take(into: &batch)
      if failure != nil || condition(batch) { return failure }
    }
  }

  private func packets(_ batch: EventBatch) -> [[UInt8]] {
    batch.events.map { Array(batch.bytes[$0.range]) }
  }

  @Test func `keeps events without their packet type and skips the rest`() throws {
    let reader = try SocketReader(near, framing: .events)
    let before = SystemClock.now
    #expect(send([4, 0x0E, 1, 9]))
    #expect(send([2, 1, 2, 3]))
    #expect(send([4, 0x3E, 0]))
    var batch = EventBatch()
    #expect(take(from: reader, into: &batch) { $0.events.count == 2 } == nil)
    #expect(packets(batch) == [[0x0E, 1, 9], [0x3E, 0]])
    // Local sockets give no times: the host's are taken.
    #expect(batch.events.allSatisfy { $0.time >= before && $0.time <= SystemClock.now })
  }

  @Test func `keeps whole packets and adds to what a batch holds`() throws {
    let reader = try SocketReader(near, framing: .whole)
    var batch = EventBatch()
    for number: UInt8 in 0..<100 {
      #expect(send([number, number &+ 1]))
      #expect(take(from: reader, into: &batch) { $0.events.count == Int(number) + 1 } == nil)
    }
    #expect(packets(batch) == (0..<100).map { [$0, $0 + 1] })
  }

  @Test func `reports the end after passing on the rest`() throws {
    let reader = try SocketReader(near, framing: .whole)
    #expect(send([1]))
    shutdown(far.number, Int32(SHUT_RDWR))
    var batch = EventBatch()
    #expect(take(from: reader, into: &batch) { _ in false } == EPIPE)
    #expect(packets(batch) == [[1]])
  }

  /// A full queue leaves packets in the socket, and everything arrives in the end, in order.
  @Test func `stops reading at its capacity and goes on afterwards`() throws {
    let reader = try SocketReader(near, framing: .whole, capacity: 4096)
    let total = 3000
    var sent = 0
    var received: [[UInt8]] = []
    var largest = 0
    while received.count < total {
      while sent < total, send([UInt8(sent & 0xFF), UInt8(sent >> 8)]) { sent += 1 }
      var batch = EventBatch()
      _ = take(from: reader, into: &batch) { !$0.isEmpty }
      largest = max(largest, batch.events.count)
      received += packets(batch)
    }
    #expect(received == (0..<total).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    // 4096 bytes and one burst of 64 packets, with 26 bytes per packet.
    #expect(largest <= 4096 / 26 + 1 + 64)
  }

  @Test func `ends its thread with its last reference`() throws {
    var reader: SocketReader? = try SocketReader(near, framing: .whole)
    #expect(reader != nil)
    reader = nil
    // The thread is joined: what is sent now is not read.
    #expect(send([7]))
    var bytes: [UInt8] = [0]
    #expect(read(near.number, &bytes, 1) == 1)
    #expect(bytes == [7])
  }
}
