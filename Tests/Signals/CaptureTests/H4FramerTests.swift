import Advertising
import TestSupport
import Testing

@testable import Capture

@Suite struct H4FramerTests {
  /// Frames a stream that comes in pieces, and settles in the end.
  private func frame(_ stream: [UInt8], pieces: [Int]) -> (events: [[UInt8]], skipped: UInt64) {
    var framer = H4Framer()
    var batch = EventBatch()
    var start = 0
    for (index, piece) in (pieces + [stream.count]).enumerated() where start < stream.count {
      let end = min(start + piece, stream.count)
      let bytes = stream[start..<end].span
      framer.push(bytes, time: Int64(index), into: &batch)
      start = end
    }
    framer.settle(into: &batch)
    return (batch.events.map { Array(batch.bytes[$0.range]) }, framer.takeSkipped())
  }

  @Test func `data are counted and passed over`() {
    let data: [[UInt8]] = [[2, 1, 0, 2, 0, 9, 9], [5, 1, 0, 1, 0, 9], [3, 1, 0, 1, 9]]
    // Data are taken for such where an event follows them.
    let stream = data.flatMap { $0 + ReportBytes.legacy(1, data: []) }
    var framer = H4Framer()
    var batch = EventBatch()
    framer.push(stream.span, time: 0, into: &batch)
    framer.settle(into: &batch)
    #expect(batch.events.count == 3)
    #expect(batch.others == [.aclData: 1, .isoData: 1, .scoData: 1])
    #expect(framer.takeSkipped() == 0)
  }

  /// Random packets of every kind that a scanner is sent.
  private func packet(_ number: Int, using random: inout SeededGenerator) -> [UInt8] {
    func data(_ longest: Int, _ random: inout SeededGenerator) -> [UInt8] {
      (0..<Int.random(in: 0...longest, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6: return ReportBytes.legacy(number, data: data(31, &random))
    case 6..<8: return ReportBytes.extended(number, data: data(229, &random))
    case 8: return ReportBytes.complete(0x2042, [0, UInt8(number)])
    default: return [0x04, 0x0F, 4, 0, UInt8(number), 0x0B, 0x20]
    }
  }

  private func pieces(of count: Int, using random: inout SeededGenerator) -> [Int] {
    let most = [1, 3, 16, 64, 4096].randomElement(using: &random) ?? 1
    return (0..<count).map { _ in Int.random(in: 1...most, using: &random) }
  }

  @Test func `whatever the split every event comes once`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<80 {
      let packets = (0..<30).map { packet($0, using: &random) }
      let stream = packets.flatMap(\.self)
      let (events, skipped) = frame(stream, pieces: pieces(of: stream.count, using: &random))
      #expect(events == packets.map { Array($0.dropFirst()) })
      #expect(skipped == 0)
    }
  }

  @Test func `data packets are passed over`() {
    let report = ReportBytes.legacy(1, data: [1, 2, 3])
    let acl: [UInt8] = [0x02, 0x40, 0x20, 4, 0, 9, 9, 9, 9]
    let sco: [UInt8] = [0x03, 0x40, 0x00, 3, 7, 7, 7]
    let iso: [UInt8] = [0x05, 0x40, 0x20, 5, 0, 1, 2, 3, 4, 5]
    let stream = report + acl + report + sco + iso + report
    let (events, skipped) = frame(stream, pieces: [Int](repeating: 1, count: stream.count))
    #expect(events == [[UInt8]](repeating: Array(report.dropFirst()), count: 3))
    #expect(skipped == 0)
  }

  /// Counts the packets that do not arrive unchanged, in streams with something between them.
  private func losses(
    seed: UInt64, between: (inout SeededGenerator) -> [UInt8]
  ) -> (lost: Int, of: Int) {
    var random = SeededGenerator(seed: seed)
    var lost = 0
    for _ in 0..<150 {
      let packets = (0..<30).map { packet($0, using: &random) }
      var stream: [UInt8] = []
      for packet in packets {
        if Int.random(in: 0..<3, using: &random) == 0 { stream += between(&random) }
        stream += packet
      }
      let (events, skipped) = frame(stream, pieces: pieces(of: stream.count, using: &random))
      var rest = events[...]
      for packet in packets {
        if let found = rest.firstIndex(of: Array(packet.dropFirst())) {
          rest = rest[(found + 1)...]
        } else {
          lost += 1
        }
      }
      #expect(events.reduce(0) { $0 + $1.count + 1 } + Int(skipped) <= stream.count)
    }
    return (lost, 150 * 30)
  }

  @Test func `noise between packets costs no packet`() {
    let (lost, _) = losses(seed: 12) { random in
      (0..<Int.random(in: 1...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
    }
    #expect(lost == 0)
  }

  @Test func `stray packet types cost no packet`() {
    let (lost, _) = losses(seed: 14) { random in
      let strays: [[UInt8]] = [
        [2], [3], [4], [5], [4, 0x3E], [4, 0x0E], [4, 0xFF], [2, 4], [4, 4],
      ]
      return strays.randomElement(using: &random) ?? []
    }
    #expect(lost == 0)
  }

  @Test func `ends of packets cost no packet`() {
    let (lost, _) = losses(seed: 15) { random in
      let packet = packet(99, using: &random)
      return Array(packet[Int.random(in: 1..<packet.count, using: &random)...])
    }
    #expect(lost == 0)
  }

  /// A packet that lost bytes on the line takes a good one with it only where it happens to end
  /// with that one, which H4 cannot distinguish from a whole packet.
  @Test func `packets that lost bytes cost hardly any other`() {
    let (lost, count) = losses(seed: 16) { random in
      let packet = packet(99, using: &random)
      let cut = Int.random(in: 1..<packet.count, using: &random)
      let missing = Int.random(in: 1...packet.count, using: &random)
      return Array(packet[..<cut] + packet[min(cut + missing, packet.count)...])
    }
    #expect(lost * 50 < count)
  }

  @Test func `packet is not held back without reason`() {
    var framer = H4Framer()
    var batch = EventBatch()
    for number in 0..<50 {
      framer.push(ReportBytes.legacy(number, data: [2, 1, 6]).span, time: 7, into: &batch)
      #expect(batch.events.count == number + 1)
    }
  }

  /// A packet that ends like the beginning of another has the time at which it came.
  @Test func `packet held back keeps its time`() {
    var framer = H4Framer()
    var batch = EventBatch()
    let doubtful = ReportBytes.legacy(1, data: [9, 9, 0x04], rssi: 0x3E)
    framer.push(doubtful.span, time: 100, into: &batch)
    #expect(batch.isEmpty)
    framer.push(ReportBytes.legacy(2, data: [1]).span, time: 250, into: &batch)
    #expect(batch.events.map(\.time) == [100, 250])
    framer.push(doubtful.span, time: 300, into: &batch)
    framer.settle(into: &batch)
    #expect(batch.events.map(\.time) == [100, 250, 300])
  }

  /// Advertised data may end like the beginning of an event; it is none, even where
  /// only so many bytes of the next packet are there that both would make a whole one.
  @Test(
    arguments: [
      ([4, 5, 4, 9], 3), ([4, 5, 4, 9, 9], 2), ([4, 5, 4, 9, 9, 9], 1), ([4, 8, 4, 9], 3),
    ] as [([UInt8], Int)])
  func `data that end like an event cost no packet`(_ end: [UInt8], _ piece: Int) {
    let reports = [
      ReportBytes.extended(1, data: [2, 1, 6] + end), ReportBytes.legacy(2, data: [2, 1, 6]),
    ]
    let (events, skipped) = frame(reports.flatMap(\.self), pieces: [reports[0].count + piece, 200])
    #expect(events == reports.map { Array($0.dropFirst()) })
    #expect(skipped == 0)
  }

  @Test func `any bytes are survived`() {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<300 {
      let stream = (0..<Int.random(in: 1...3000, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...5, using: &random) : UInt8.random(in: 0...255, using: &random)
      }
      let (events, skipped) = frame(stream, pieces: pieces(of: stream.count, using: &random))
      #expect(events.reduce(0) { $0 + $1.count + 1 } + Int(skipped) <= stream.count)
      for event in events { #expect(event.count == 2 + Int(event[1])) }
    }
  }
}
