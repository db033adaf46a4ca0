import Filtering

private let second: Int64 = 1_000_000_000

/// Blocks of levels of some links in turn, whole dB, at 10 Hz with a jitter of 10 ms.
///
/// Made again for each run, so that no run copies what another one shares.
func blocks(_ samples: Int, links: Int) -> [LevelRows] {
  var state: UInt64 = 1
  func random(_ count: UInt64) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % count)
  }
  var blocks: [LevelRows] = []
  var row = 0
  while row < samples {
    var block = LevelRows()
    for _ in 0..<min(8192, samples - row) {
      block.append(
        row: row, link: row % links,
        time: Int64(row / links) * second / 10 + Int64(random(10_000_000)),
        rssi: Double(-60 - random(30)), channel: 255)
      row += 1
    }
    blocks.append(block)
  }
  return blocks
}

/// Best time of some runs of a filter over all levels, as `rssi filter` runs it, in seconds.
func filter(_ text: String, _ samples: Int, links: Int) -> Double {
  guard let specification = try? FilterSpecification(text) else { fatalError(text) }
  var least = Double.infinity
  for _ in 0..<15 {
    var chain = FilterChain([specification])
    for _ in 0..<links {
      _ = chain.addLink(LinkPlace(trace: 0, receiver: 0), noise: [.walking])
    }
    var rows = blocks(samples, links: links)
    let time = ContinuousClock().measure {
      for block in rows.indices { chain.process(&rows[block]) }
    }
    least = min(least, time / .seconds(1))
  }
  return least
}

/// Seconds of an estimate of q and r from one link of a random walk.
func estimate(_ samples: Int) -> Double {
  var link = NoiseEstimate.Link()
  var level = -60.0
  var state: UInt64 = 1
  /// Near enough to Gaussian: the sum of twelve uniform numbers.
  func gaussian() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return sum + Double(state >> 11) * 0x1p-53
    }
  }
  for k in 0..<samples {
    level += (6 * 0.1).squareRoot() * gaussian()
    link.times.append(Int64(k) * second / 10)
    link.levels.append(Float((level + 12.0.squareRoot() * gaussian()).rounded()))
  }
  var least = Double.infinity
  for _ in 0..<50 {
    let time = ContinuousClock().measure { precondition(NoiseEstimate([link]) != nil) }
    least = min(least, time / .seconds(1))
  }
  return least
}

/// Prints what, how many, and seconds.
func printFilters() {
  let count = 500_000
  for links in [1, 64] {
    print("kalman-\(links) \(count) \(filter("kalman:q=6,r=12", count, links: links))")
    // At 10 Hz, 460 ms hold five levels.
    print("median-\(links) \(count) \(filter("median:window=460ms", count, links: links))")
  }
  print("noise 3000 \(estimate(3000))")
}
