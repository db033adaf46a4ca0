import Filtering
import Support
import TestSupport
import Testing

private let second: Int64 = 1_000_000_000

/// A sighting as a chain takes it.
struct Heard {
  var link: Int
  var time: Int64
  var rssi: Double
  var channel: UInt8 = 255
}

/// Returns the output of a chain for sightings in blocks of some size, in order of the sightings.
///
/// - Parameter places: of each link.
func levels(
  of filters: [String], at heard: [Heard], places: [LinkPlace], block: Int = 1,
  noise: Noise = .walking, reorder: Int64 = 0, resetAfter: Int64? = nil,
  counts: UnsafeMutablePointer<FilterCounts>? = nil
) throws -> [FilteredLevel] {
  var chain = FilterChain(
    try filters.map { text throws(RSSIError) in try FilterSpecification(text) },
    reorder: .nanoseconds(reorder), resetAfter: resetAfter.map(Duration.nanoseconds))
  for place in places {
    _ = chain.addLink(place, noise: Array(repeating: noise, count: filters.count))
  }
  var results = [FilteredLevel?](repeating: nil, count: heard.count)
  func take(_ rows: LevelRows) {
    for index in 0..<rows.count {
      #expect(results[rows.row[index]] == nil, "a level was said twice")
      results[rows.row[index]] = FilteredLevel(
        rssi: rows.rssi[index], variance: rows.variance[index])
    }
  }
  var rows = LevelRows()
  for first in stride(from: 0, to: heard.count, by: block) {
    rows.removeAll()
    for (row, one) in heard.enumerated().dropFirst(first).prefix(block) {
      rows.append(row: row, link: one.link, time: one.time, rssi: one.rssi, channel: one.channel)
    }
    chain.process(&rows)
    take(rows)
  }
  chain.finish(&rows)
  take(rows)
  if let counts { unsafe counts.pointee = chain.counts }
  return try results.map { try #require($0) }
}

/// Levels and variances as bits, for comparison to the last one.
func bits(_ levels: [FilteredLevel]) -> [[UInt64]] {
  levels.map { [$0.rssi.bitPattern, $0.variance.bitPattern] }
}

let oneLink = [LinkPlace(trace: 0, receiver: 0)]

struct FilterChainTests {
  /// Sightings of several links of two traces and two receivers, some late, some without a level.
  private func busy(_ seed: UInt64, count: Int = 600) -> (heard: [Heard], places: [LinkPlace]) {
    var generator = SeededGenerator(seed: seed)
    let places = (0..<6).map { LinkPlace(trace: $0 / 3, receiver: $0 % 2) }
    var time: Int64 = 1_700_000_000 * second
    let heard = (0..<count).map { _ -> Heard in
      time += .random(in: 0...second / 5, using: &generator)
      let late = Int.random(in: 0..<10, using: &generator) == 0
      return Heard(
        link: .random(in: 0..<6, using: &generator),
        time: late ? time - .random(in: 0...second / 2, using: &generator) : time,
        rssi: Int.random(in: 0..<20, using: &generator) == 0
          ? .nan : Double(Int.random(in: -90 ... -50, using: &generator)),
        channel: .random(in: 37...39, using: &generator))
    }
    return (heard, places)
  }

  @Test(arguments: 1...5)
  func `each filter takes the levels of the one before it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var median = MedianFilter(window: .nanoseconds(second))
    var kalman = KalmanFilter(q: 6, r: 12)
    let heard = Reception.dense.times(300, &generator).map {
      Heard(link: 0, time: $0, rssi: Double(Int.random(in: -90 ... -50, using: &generator)))
    }
    let expected = heard.map {
      kalman.update(time: $0.time, rssi: median.update(time: $0.time, rssi: $0.rssi).rssi)
    }
    let said = try levels(of: ["median:window=1s", "kalman:q=6,r=12"], at: heard, places: oneLink)
    #expect(bits(said) == bits(expected))
  }

  @Test func `an empty chain returns its input`() throws {
    let said = try levels(of: [], at: [Heard(link: 0, time: 0, rssi: -60)], places: oneLink)
    #expect(said[0].rssi == -60)
    #expect(said[0].variance.isNaN)
  }

  @Test(arguments: FilterKind.all.map(\.name))
  func `the division of sightings into blocks changes no bit`(kind: String) throws {
    let (heard, places) = busy(7)
    let text = complete(kind)
    let one = try levels(of: [text], at: heard, places: places, block: 1, reorder: second / 4)
    for block in [2, 17, 256, 600] {
      let many = try levels(
        of: [text], at: heard, places: places, block: block, reorder: second / 4)
      #expect(bits(many) == bits(one), "blocks of \(block)")
    }
  }

  @Test(arguments: FilterKind.all.map(\.name))
  func `links do not touch each other`(kind: String) throws {
    let (heard, places) = busy(8)
    let text = complete(kind)
    let together = try levels(of: [text], at: heard, places: places, reorder: second)
    for link in 0..<6 {
      let rows = heard.indices.filter { heard[$0].link == link }
      let alone = try levels(
        of: [text],
        at: rows.map {
          Heard(link: 0, time: heard[$0].time, rssi: heard[$0].rssi, channel: heard[$0].channel)
        },
        places: [places[link]], reorder: second)
      #expect(bits(alone) == bits(rows.map { together[$0] }))
    }
  }

  @Test func `sightings that are late by less than the window are put into order`() throws {
    var generator = SeededGenerator(seed: 3)
    var times = Reception.dense.times(400, &generator)
    times = Array(Set(times)).sorted()
    let sorted = times.map {
      Heard(link: 0, time: $0, rssi: .random(in: -90 ... -40, using: &generator))
    }
    // Each arrives up to 0.5 s after its time.
    let delays = sorted.map { _ in Int64.random(in: 0..<second / 2, using: &generator) }
    let order = sorted.indices.sorted {
      sorted[$0].time + delays[$0] < sorted[$1].time + delays[$1]
    }
    let expected = try levels(of: ["kalman:q=6,r=12"], at: sorted, places: oneLink)
    var counts = FilterCounts()
    let said = try levels(
      of: ["kalman:q=6,r=12"], at: order.map { sorted[$0] }, places: oneLink, reorder: second / 2,
      counts: &counts)
    #expect(bits(said) == bits(order.map { expected[$0] }))
    let inversions = order.indices.filter { place in order[..<place].contains { $0 > order[place] }
    }
    #expect(counts.outOfOrder == inversions.count)
    #expect(counts.outOfOrder > 50)
    #expect(counts.late == 0)
  }

  @Test func `a sighting later than the window counts as simultaneous, and is counted`() throws {
    let heard = [0, 10, 20, 1, 30].map { Heard(link: 0, time: $0 * second, rssi: -60 - Double($0)) }
    var counts = FilterCounts()
    let said = try levels(
      of: ["kalman:q=1,r=4"], at: heard, places: oneLink, reorder: 5 * second, counts: &counts)
    #expect(counts == FilterCounts(outOfOrder: 1, late: 1))
    var kalman = KalmanFilter(q: 1, r: 4)
    for (time, row) in [(Int64(0), 0), (10, 1), (10, 3), (20, 2), (30, 4)] {
      #expect(said[row] == kalman.update(time: time * second, rssi: heard[row].rssi))
    }
  }

  @Test func `a gap longer than asked for starts the link again, and no other link`() throws {
    let times: [Int64] = [0, 1, 2, 12, 13]
    let heard =
      times.flatMap { time in
        [0, 1].map { Heard(link: $0, time: time * second, rssi: -60 - Double(time)) }
      }.filter { $0.link == 0 || $0.time != 2 * second || true }
      + (3...11).map { Heard(link: 1, time: $0 * second, rssi: -50) }
    let sorted = heard.sorted { ($0.time, $0.link) < ($1.time, $1.link) }
    var counts = FilterCounts()
    let places = [oneLink[0], oneLink[0]]
    let said = try levels(
      of: ["kalman:q=1,r=4"], at: sorted, places: places, resetAfter: 9 * second, counts: &counts)
    #expect(counts.restarts == 1)
    let after = try #require(sorted.firstIndex { $0.link == 0 && $0.time == 12 * second })
    #expect(said[after] == FilteredLevel(rssi: -72, variance: 4))
    let other = try #require(sorted.firstIndex { $0.link == 1 && $0.time == 12 * second })
    #expect(said[other].variance < 4)
    // A gap as long as asked for is not longer.
    _ = try levels(
      of: ["kalman:q=1,r=4"], at: sorted, places: places, resetAfter: 10 * second, counts: &counts)
    #expect(counts.restarts == 0)
  }

  @Test(arguments: FilterKind.all.map(\.name))
  func `a sighting without a level passes through and changes nothing`(kind: String) throws {
    let (heard, places) = busy(9)
    let text = complete(kind)
    var counts = FilterCounts()
    let all = try levels(of: [text], at: heard, places: places, reorder: second, counts: &counts)
    #expect(counts.missing == heard.count { $0.rssi.isNaN })
    let rows = heard.indices.filter { !heard[$0].rssi.isNaN }
    let levelled = try levels(
      of: [text], at: rows.map { heard[$0] }, places: places, reorder: second)
    #expect(bits(levelled) == bits(rows.map { all[$0] }))
    for row in heard.indices where heard[row].rssi.isNaN {
      #expect(all[row].rssi.isNaN)
      #expect(all[row].variance.isNaN)
    }
  }

  @Test func `goes on with other noise from the moment it is learned`() throws {
    var chain = FilterChain([try FilterSpecification("kalman")])
    var written = FilterChain([try FilterSpecification("kalman:q=6,r=12")])
    let link = chain.addLink(oneLink[0], noise: [.walking])
    _ = written.addLink(oneLink[0], noise: [.walking])
    var known = KalmanFilter(q: 6, r: 12)
    var unlearned = KalmanFilter(q: 6, r: 12)
    for k in 0..<40 {
      if k == 20 {
        chain.adopt([Noise(q: 0.5, r: 20)], forLink: link)
        written.adopt([Noise(q: 0.5, r: 20)], forLink: link)
        known.adopt(Noise(q: 0.5, r: 20))
      }
      let (time, rssi) = (Int64(k) * second, Double(-60 - k % 7))
      for (kind, expected) in [
        (0, known.update(time: time, rssi: rssi)), (1, unlearned.update(time: time, rssi: rssi)),
      ] {
        var rows = LevelRows()
        rows.append(row: k, link: link, time: time, rssi: rssi, channel: 255)
        if kind == 0 { chain.process(&rows) } else { written.process(&rows) }
        #expect(rows.rssi[0] == expected.rssi)
        #expect(rows.variance[0] == expected.variance)
      }
    }
    #expect(chain.likelihood(ofLink: link)?.noise == Noise(q: 0.5, r: 20))
  }

  @Test func `has the noise and likelihood of the last filter with a model`() throws {
    var chain = FilterChain(
      [
        try FilterSpecification("kalman:q=1,r=2"), try FilterSpecification("kalman"),
        try FilterSpecification("median"),
      ],
      resetAfter: .seconds(5))
    let link = chain.addLink(oneLink[0], noise: Array(repeating: Noise(q: 3, r: 4), count: 3))
    var rows = LevelRows()
    var first = KalmanFilter(q: 1, r: 2)
    var expected = 0.0
    for stretch in 0..<2 {
      var second = KalmanFilter(q: 3, r: 4)
      first = KalmanFilter(q: 1, r: 2)
      for k in 0..<4 {
        let time = Int64(stretch * 100 + k) * 1_000_000_000
        let rssi = Double(-60 - k * k)
        rows.append(row: 0, link: link, time: time, rssi: rssi, channel: 255)
        _ = second.update(time: time, rssi: first.update(time: time, rssi: rssi).rssi)
      }
      expected += second.logLikelihood
    }
    chain.process(&rows)
    #expect(chain.samples(ofLink: link) == 8)
    #expect(chain.likelihood(ofLink: link)?.noise == Noise(q: 3, r: 4))
    #expect(
      isClose(try #require(chain.likelihood(ofLink: link)).logLikelihood, expected, absolute: 1e-12)
    )
    var written = FilterChain([try FilterSpecification("kalman:q=1,r=2")])
    _ = written.addLink(oneLink[0], noise: [.walking])
    #expect(written.likelihood(ofLink: 0)?.noise == Noise(q: 1, r: 2))
    var other = FilterChain([try FilterSpecification("median")])
    _ = other.addLink(oneLink[0], noise: [.walking])
    #expect(other.likelihood(ofLink: 0) == nil)
  }
}

/// A filter of a kind, with what it cannot do without.
func complete(_ kind: String) -> String {
  kind == "tobit" ? "tobit:interval=100ms,floor=-95" : kind
}

@Suite("A chain that forgets links") struct ForgottenLinksTests {
  /// Levels of links that come and go; those that stay are 0, 3 and 5.
  private func heard(_ seed: UInt64, links: [Int], from start: Int64) -> [Heard] {
    var generator = SeededGenerator(seed: seed)
    return (0..<200).map { step in
      Heard(
        link: links[Int.random(in: links.indices, using: &generator)],
        time: start + Int64(step) * second / 7,
        rssi: Double.random(in: -90 ... -50, using: &generator),
        channel: UInt8.random(in: 37...39, using: &generator))
    }
  }

  @Test(arguments: [
    ["kalman"], ["multiple-model"], ["hampel", "median:window=5s"], ["ewma"],
    ["channel-mean", "kalman"],
  ])
  func `the links that are kept have the levels that they have without the others`(
    _ filters: [String]
  ) throws {
    let first = heard(1, links: Array(0..<6), from: 0)
    let later = heard(2, links: [0, 3, 5], from: 100 * second)
    let specifications = try filters.map { text throws(RSSIError) in try FilterSpecification(text) }
    func results(forgetting: Bool) -> [FilteredLevel] {
      var chain = FilterChain(specifications, learns: true)
      for number in 0..<6 { _ = chain.addLink(LinkPlace(trace: 0, receiver: number % 2)) }
      var (rows, results) = (LevelRows(), [FilteredLevel]())
      func process(_ one: Heard, as link: Int) {
        rows.removeAll()
        rows.append(row: 0, link: link, time: one.time, rssi: one.rssi, channel: one.channel)
        chain.process(&rows)
        results.append(FilteredLevel(rssi: rows.rssi[0], variance: rows.variance[0]))
      }
      for one in first { process(one, as: one.link) }
      if forgetting { chain.keep([0, 3, 5]) }
      for one in later {
        process(one, as: forgetting ? [0: 0, 3: 1, 5: 2][one.link] ?? 0 : one.link)
      }
      #expect(chain.addLink(LinkPlace(trace: 0, receiver: 0)) == (forgetting ? 3 : 6))
      return results
    }
    #expect(bits(results(forgetting: true)) == bits(results(forgetting: false)))
  }

  @Test func `links that are kept are handed out under their new numbers`() throws {
    let later = heard(2, links: [3, 5], from: 0)
    let specification = try FilterSpecification("fixed-lag:lag=2s")
    func results(forgetting: Bool) -> [[UInt64]] {
      var chain = FilterChain([specification], reorder: .seconds(1))
      for number in 0..<6 {
        _ = chain.addLink(LinkPlace(trace: 0, receiver: number % 2), noise: [.walking])
      }
      var (rows, results) = (LevelRows(), [Int: [UInt64]]())
      func take(_ numbers: [Int: Int]) {
        for index in 0..<rows.count {
          results[rows.row[index]] = [
            UInt64(numbers[Int(rows.link[index])] ?? -1), rows.rssi[index].bitPattern,
          ]
        }
      }
      let (old, new) = ([3: 3, 5: 5], forgetting ? [0: 3, 1: 5] : [3: 3, 5: 5])
      for (number, one) in later.enumerated() {
        rows.removeAll()
        if number == 100, forgetting { chain.keep([3, 5]) }
        let link = number >= 100 && forgetting ? [3: 0, 5: 1][one.link] ?? 0 : one.link
        rows.append(row: number, link: link, time: one.time, rssi: one.rssi, channel: one.channel)
        chain.process(&rows)
        take(number < 100 ? old : new)
      }
      chain.finish(&rows)
      take(new)
      return later.indices.map { results[$0] ?? [] }
    }
    #expect(results(forgetting: true) == results(forgetting: false))
  }
}
