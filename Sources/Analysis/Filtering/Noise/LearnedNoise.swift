/// The noise of a stream's links, estimated on the way: again whenever a link has twice as many
/// levels.
///
/// Each estimate is from all levels of the link so far, so it comes closer each time; after the
/// last one the levels are forgotten.
package struct LearnedNoise {
  /// Levels of the first estimate, and of the last.
  package static let first = 50
  package static let last = 800

  private let chain: [FilterSpecification]
  private var histories: [NoiseEstimate.Link?] = []

  package init(_ chain: [FilterSpecification]) { self.chain = chain }

  /// For each filter, what it uses until there is an estimate.
  package var assumed: [Noise] { chain.map { $0.missingNoise?.walking ?? .walking } }

  /// Makes room for the next link.
  package mutating func open() {
    let learns = chain.contains { $0.missingNoise != nil }
    histories.append(learns ? NoiseEstimate.Link() : nil)
  }

  /// Takes a level of a link; states the noise for each filter where it is estimated now.
  package mutating func take(_ time: Int64, _ rssi: Float, ofLink link: Int) -> [Noise]? {
    guard histories[link] != nil else { return nil }
    histories[link]?.times.append(time)
    histories[link]?.levels.append(rssi)
    guard let levels = histories[link], levels.times.count.isMultiple(of: Self.first),
      (levels.times.count / Self.first).nonzeroBitCount == 1
    else { return nil }
    if levels.times.count >= Self.last { histories[link] = nil }
    return chain.map { filter in
      guard let model = filter.missingNoise else { return .walking }
      return model.noise(of: [levels]) ?? model.walking
    }
  }
}

extension NoiseModel {
  /// Where levels are too few.
  package var walking: Noise {
    switch self {
    case .randomWalk, .missedSlots: .walking
    case .velocity: .walkingVelocity
    }
  }

  /// Of q.
  package var unit: String {
    switch self {
    case .randomWalk, .missedSlots: "dB²/s"
    case .velocity: "dB²/s³"
    }
  }

  /// The most likely noise; nil for too few levels.
  package func noise(of links: [NoiseEstimate.Link]) -> Noise? {
    switch self {
    case .randomWalk: NoiseEstimate(links).map { Noise(q: $0.q, r: $0.r) }
    case .velocity: VelocityNoiseEstimate(links).map { Noise(q: $0.q, r: $0.r) }
    case .missedSlots(let interval, let floor, let loss):
      MissedSlotsEstimate(
        links, of: TobitFilter(q: 1, r: 1, interval: interval, floor: floor, loss: loss)
      ).map { Noise(q: $0.q, r: $0.r) }
    }
  }
}
