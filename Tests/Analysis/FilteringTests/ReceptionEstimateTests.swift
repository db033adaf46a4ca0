import Filtering
import TestSupport
import Testing

struct ReceptionEstimateTests {
  /// The levels of links of a receiver whose means are 8 dB apart, from the weakest up.
  private func links(
    _ count: Int = 3, from weakest: Double = -88, loss: Double, edge: Double = 0,
    floor: Double = -92.5, seed: UInt64
  ) -> [NoiseEstimate.Link] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      var link = NoiseEstimate.Link()
      for slot in 0..<Int64(500) {
        let level = weakest + 8 * Double(number) + 4 * generator.gaussian()
        let isLost = Double.random(in: 0..<1, using: &generator) < loss
        let threshold = floor + edge * generator.gaussian()
        guard !isLost, level >= threshold else { continue }
        link.times.append(slot * 200_000_000)
        link.levels.append(Float(level.rounded()))
      }
      return link
    }
  }

  @Test(arguments: [0.1, 0.2, 0.4])
  func `loss and floor are those of the receiver`(loss: Double) {
    let links = links(loss: loss, seed: 1)
    let both = MissedSlotsModel(interval: 0.2).reception(of: links)
    #expect(both.floorOrigin == .estimated && both.lossOrigin == .estimated)
    #expect(isClose(both.loss, loss, absolute: 0.06))
    // Levels are whole, so the edge is known to half a decibel.
    #expect(isClose(both.floor, -92.5, absolute: 1))
    let one = MissedSlotsModel(interval: 0.2, floor: -92.5).reception(of: links)
    #expect(one.floorOrigin == .given && one.floor == -92.5)
    #expect(isClose(one.loss, loss, absolute: 0.06))
  }

  @Test func `a soft edge has its standard deviation`() {
    let links = links(loss: 0.2, edge: 2.5, seed: 5)
    let found = MissedSlotsModel(interval: 0.2).reception(of: links)
    #expect(isClose(found.edge, 2.5, absolute: 1.2))
    #expect(isClose(found.floor, -92.5, absolute: 1.5))
  }

  @Test func `strong links determine the loss, and show no edge`() {
    let links = links(2, from: -60, loss: 0.25, seed: 6)
    let found = MissedSlotsModel(interval: 0.2).reception(of: links)
    #expect(found.floorOrigin == .assumed && found.lossOrigin == .estimated)
    #expect(isClose(found.loss, 0.25, absolute: 0.06))
  }

  @Test func `few packets determine nothing`() throws {
    var link = links(1, loss: 0.4, seed: 7)[0]
    link = NoiseEstimate.Link(
      times: Array(link.times.prefix(5)), levels: Array(link.levels.prefix(5)))
    let found = MissedSlotsModel(interval: 0.2, floor: -92.5).reception(of: [link])
    #expect(found.lossOrigin == .assumed && found.loss == 0.3)
  }

  @Test func `given parameters are kept`() throws {
    let links = links(loss: 0.4, seed: 8)
    let model = MissedSlotsModel(interval: 0.2, loss: 0.1, noise: Noise(q: 0, r: 16))
    let noise = try #require(model.noise(of: links))
    #expect(noise.q == 0 && noise.r == 16)
    #expect(noise.reception?.loss == 0.1 && noise.reception?.lossOrigin == .given)
  }
}
