import Filtering
import TestSupport
import Testing

/// Chains of any filters over sightings at any times: what must hold whatever comes.
struct FilterChainFuzzTests {
  private static let texts =
    FilterKind.all.map { complete($0.name) } + [
      "kalman:q=0,r=1e-9", "kalman:q=1e9,r=1e9", "rts:q=0,r=1e-9", "fixed-lag:lag=1ms",
      "fixed-lag:lag=365d",
      "median:window=1ms", "mean:window=365d", "hampel:k=0,floor=0", "ewma:tau=1ms",
      "local-polynomial:degree=3",
      "one-euro:fmin=1e-9,beta=0", "tobit:interval=1ms,floor=-20", "tobit:interval=1ms,floor=-150",
      "adaptive:limit=0",
    ]

  /// Times with steps from none to centuries, forward and back; levels of all sizes, or none.
  private func heard(_ generator: inout SeededGenerator) -> [Heard] {
    var time = Int64.random(in: .min ... .max, using: &generator)
    return (0..<Int.random(in: 1...120, using: &generator)).map { _ in
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: time = .random(in: .min ... .max, using: &generator)
      case 1: time = [.min, .max, 0].randomElement(using: &generator) ?? 0
      case 2, 3: break
      default: time = time &+ .random(in: -100_000_000...1_000_000_000, using: &generator)
      }
      return Heard(
        link: .random(in: 0..<5, using: &generator), time: time,
        rssi: Int.random(in: 0..<8, using: &generator) == 0
          ? .nan : .random(in: -127...20, using: &generator),
        channel: .random(in: 0...255, using: &generator))
    }
  }

  @Test(arguments: 1...400)
  func `every sighting comes out once, with a finite level where it had one`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let heard = heard(&generator)
    let chain = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      Self.texts.randomElement(using: &generator) ?? "kalman"
    }
    let places = (0..<5).map { _ in
      LinkPlace(
        trace: .random(in: 0...2, using: &generator),
        receiver: .random(in: 0...1, using: &generator))
    }
    let reorder: Int64 = [0, 1, 100_000_000, .max].randomElement(using: &generator) ?? 0
    let longest: [Int64?] = [nil, 1, 1_000_000_000, .max]
    let resetAfter = longest[Int.random(in: 0..<4, using: &generator)]
    func said(_ block: Int) throws -> [FilteredLevel] {
      try levels(
        of: chain, at: heard, places: places, block: block, reorder: reorder, resetAfter: resetAfter
      )
    }
    let one = try said(1)
    for (sighting, level) in zip(heard, one) {
      #expect(level.rssi.isFinite == !sighting.rssi.isNaN, "\(chain) \(level)")
      #expect(level.variance.isNaN || level.variance >= 0, "\(chain) \(level)")
    }
    #expect(try bits(said(7)) == bits(one), "\(chain)")
  }
}
