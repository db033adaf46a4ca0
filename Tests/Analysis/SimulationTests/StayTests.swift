import Testing

@testable import Simulation

/// The default model beside what recordings of still links show (docs/simulation.md).
struct StayTests {
  /// Levels on one channel of each still link of 40 stays of a minute.
  private func stays(_ model: RadioModel) throws -> [[Double]] {
    var scenario = Scenario(seed: 12, model: model)
    scenario.walks.count = 40
    scenario.walks.speed = 0
    var levels: [[Int]: [Double]] = [:]
    try SimulatedRoom(scenario).forEachSighting {
      guard $0.channel == 37 else { return }
      levels[[$0.trace, $0.beacon], default: []].append(Double($0.rssi))
    }
    return levels.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
      .filter { $0.count >= 60 }
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func skew(_ stay: [Double]) -> Double {
    let moments = Moments(stay)
    let cubes = stay.reduce(0) { sum, level in
      let error = level - moments.mean
      return sum + error * error * error
    }
    return cubes / moments.count / (moments.variance * moments.deviation)
  }

  private func correlation(_ stay: [Double]) -> Double {
    let moments = Moments(stay)
    let products = zip(stay, stay.dropFirst()).map {
      ($0 - moments.mean) * ($1 - moments.mean)
    }
    return products.reduce(0, +) / moments.count / moments.variance
  }

  @Test func `stays are as recordings show`() throws {
    let stays = try stays(.rician).filter { Moments($0).variance > 0 }
    #expect(stays.count > 200)
    let deviations = stays.map { Moments($0).deviation }.sorted()
    #expect((1.5...6).contains(median(deviations)))
    // Links differ by far more than the sampling error of a stay.
    #expect(deviations[stays.count * 95 / 100] > 4 * deviations[stays.count * 5 / 100])
    #expect((-0.7 ... -0.1).contains(median(stays.map(skew))))
    #expect((0.56...0.88).contains(median(stays.map(correlation))))
  }

  /// What the old model lacks.
  @Test func `stays of the simple model are white`() throws {
    let stays = try stays(.simple)
    #expect(abs(median(stays.map(skew))) < 0.1)
    #expect(abs(median(stays.map(correlation))) < 0.05)
  }
}
