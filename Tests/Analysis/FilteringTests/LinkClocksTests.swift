import Filtering
import TestSupport
import Testing

private let second: Int64 = 1_000_000_000

/// The output of filters must not depend on the offsets between clocks of links and receivers.
struct LinkClocksTests {
  private func link(
    _ number: Int, from start: Int64, count: Int, jitter: Int64 = 0, seed: UInt64
  ) -> [Heard] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { k in
      Heard(
        link: number,
        time: start + Int64(k) * second / 10
          + (jitter > 0 ? .random(in: 0...jitter, using: &generator) : 0),
        rssi: Double(Int.random(in: -90 ... -50, using: &generator)), channel: 37)
    }
  }

  /// Expects that each link has the levels that it has alone.
  private func expectIndependence(
    _ heard: [Heard], _ places: [LinkPlace], late: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for filter in ["kalman:q=6,r=12", "fixed-lag:q=6,r=12,lag=2s", "rts:q=6,r=12"] {
      var counts = FilterCounts()
      let together = try levels(
        of: [filter], at: heard, places: places, block: 100, reorder: second / 10, counts: &counts)
      #expect(counts.late == late, "\(filter)", sourceLocation: sourceLocation)
      for number in places.indices {
        let rows = heard.indices.filter { heard[$0].link == number }
        let alone = try levels(
          of: [filter],
          at: rows.map { Heard(link: 0, time: heard[$0].time, rssi: heard[$0].rssi, channel: 37) },
          places: [places[number]], block: 100, reorder: second / 10)
        #expect(
          bits(alone) == bits(rows.map { together[$0] }), "\(filter), link \(number)",
          sourceLocation: sourceLocation)
      }
    }
  }

  private func interleaved(_ links: [[Heard]]) -> [Heard] {
    (0..<links[0].count).flatMap { k in links.map { $0[k] } }
  }

  @Test(arguments: [0, 10, 50, 120, -7200])
  func `clocks of two receivers, or of two links of one, may be apart by any time`(seconds: Int64)
    throws
  {
    let links = [
      link(0, from: 0, count: 400, seed: 1), link(1, from: seconds * second, count: 400, seed: 2),
    ]
    let here = LinkPlace(trace: 0, receiver: 0)
    for there in [here, LinkPlace(trace: 0, receiver: 1)] {
      try expectIndependence(interleaved(links), [here, there])
    }
  }

  @Test func `a file sorted by beacon is put into order as any other`() throws {
    let links = (0..<3).map {
      link($0, from: 0, count: 400, jitter: 90_000_000, seed: UInt64($0) + 5)
    }
    // They arrive in the order of their times without the jitter, at most 90 ms late.
    try expectIndependence(
      links.flatMap { $0 }, Array(repeating: LinkPlace(trace: 0, receiver: 0), count: 3))
  }

  @Test(arguments: 1...10)
  func `times that are late by up to half the window are put into order`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let lateness = Int64.random(in: 1...50_000_000, using: &generator)
    // In order of arrival; each time is that of the arrival, less up to the lateness.
    let heard = (0..<1500).map { k in
      Heard(
        link: Int.random(in: 0..<4, using: &generator),
        time: Int64(k) * 7_000_000 - .random(in: 0...lateness, using: &generator), rssi: -60,
        channel: 37)
    }
    let places = Array(repeating: LinkPlace(trace: 0, receiver: 0), count: 4)
    var counts = FilterCounts()
    let together = try levels(
      of: ["kalman:q=6,r=12"], at: heard, places: places, reorder: 2 * lateness, counts: &counts)
    #expect(counts.late == 0)
    // As if they had arrived in order of time.
    let order = heard.indices.sorted { (heard[$0].time, $0) < (heard[$1].time, $1) }
    let sorted = try levels(
      of: ["kalman:q=6,r=12"], at: order.map { heard[$0] }, places: places, reorder: 0)
    #expect(bits(order.map { together[$0] }) == bits(sorted))
  }

  @Test
  func `a clock that was set back starts the link again; a wrong time costs two starts`() throws {
    var heard = link(0, from: 0, count: 300, seed: 3)
    let fresh = try levels(
      of: ["kalman:q=6,r=12"], at: Array(heard[101...]), places: oneLink, reorder: second / 10)
    heard[100].time = 4_000_000_000 * second
    var counts = FilterCounts()
    let said = try levels(
      of: ["kalman:q=6,r=12"], at: heard, places: oneLink, reorder: second / 10, counts: &counts)
    #expect(counts.restarts == 1 && counts.clockSteps == 1)
    #expect(counts.late == 0 && counts.outOfOrder == 0 && counts.missing == 0)
    #expect(bits(Array(said[101...])) == bits(fresh))
  }

  @Test
  func `levels that wait for a stopped clock are released after a while`() throws {
    do {
      var chain = FilterChain(
        [try FilterSpecification("fixed-lag:q=6,r=12,lag=200ms")], reorder: .milliseconds(100))
      // A trace that ended, a receiver that died, a wrong time, and one that goes on.
      let places = [
        LinkPlace(trace: 1, receiver: 0), LinkPlace(trace: 0, receiver: 1),
        LinkPlace(trace: 0, receiver: 0),
        LinkPlace(trace: 0, receiver: 0),
      ]
      for place in places { _ = chain.addLink(place, noise: [.walking]) }
      var rows = LevelRows()
      var waiting = 0
      func take() {
        waiting += rows.count
        chain.process(&rows)
        waiting -= rows.count
        rows.removeAll()
      }
      rows.append(row: 0, link: 0, time: 0, rssi: -60, channel: 37)
      rows.append(row: 1, link: 1, time: 0, rssi: -60, channel: 37)
      rows.append(row: 2, link: 2, time: 4_000_000_000 * second, rssi: -60, channel: 37)
      take()
      #expect(waiting >= 2)
      // Twice 65,536, in the window and in the smoother.
      for k in 0..<135_000 {
        rows.append(row: 3 + k, link: 3, time: Int64(k) * second / 1000, rssi: -60, channel: 37)
        if k % 1000 == 999 { take() }
      }
      // Only what the window and the lag ask for: 300 ms and less than as much again.
      #expect(waiting <= 600)
      chain.finish(&rows)
      #expect(rows.row.allSatisfy { $0 > 130_000 })
    }
  }
}
