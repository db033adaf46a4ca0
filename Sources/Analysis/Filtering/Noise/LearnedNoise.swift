/// The noise of a stream's links, estimated online and repeatedly.
///
/// The first estimate uses 50 levels. Another follows whenever a link has twice as many, up to 800,
/// and then after every 800, from these alone. So memory is bounded, and old levels lose their
/// effect.
///
/// A link at rest has so little process noise that its filter would not follow a move. If the mean
/// of the last seconds differs from that of the last minute by 5 dB, the noise becomes that of a
/// person walking, and learning restarts.
struct LearnedNoise: Sendable {
  private static let first = 50
  private static let last = 800
  /// The difference of means that restarts learning, in dB.
  private static let step = 5.0

  private let chain: [FilterSpecification]
  private var histories: [History?] = []

  /// The latest levels of one link.
  private struct History: Sendable {
    var levels = NoiseEstimate.Link()
    /// The number of levels since learning started.
    var count = 0
    var newest: Int64 = 0
    /// The means with time constants of 5 s and 60 s.
    var fast = 0.0
    var slow = 0.0

    mutating func take(_ time: Int64, _ rssi: Float) {
      levels.times.append(time)
      levels.levels.append(rssi)
      count += 1
      let seconds = secondsLater(time, than: newest)
      newest = max(newest, time)
      let least = 1 / Double(count)
      fast += max(least, seconds / (seconds + 5)) * (Double(rssi) - fast)
      slow += max(least, seconds / (seconds + 60)) * (Double(rssi) - slow)
    }
  }

  /// - Parameter chain: The filters, of which those without given noise learn.
  init(_ chain: [FilterSpecification]) { self.chain = chain }

  /// A Boolean value that is true if any filter learns.
  var isNeeded: Bool { chain.contains { $0.missingNoise != nil } }

  /// The noise of each filter before the first estimate.
  var assumed: [Noise] { chain.map { $0.missingNoise?.walking ?? .walking } }

  /// Adds the next link.
  mutating func open() { histories.append(isNeeded ? History() : nil) }

  mutating func keep(_ links: [Int]) { histories.keep(links) }

  /// Adds a level of a link, and returns the new noise of each filter when an estimate is due.
  mutating func take(_ time: Int64, _ rssi: Float, ofLink link: Int) -> [Noise]? {
    guard histories[link] != nil, !rssi.isNaN else { return nil }
    histories[link]!.take(time, rssi)
    let history = histories[link]!
    if history.count >= Self.first, abs(history.fast - history.slow) > Self.step {
      histories[link] = History()
      return assumed
    }
    guard isDue(history.count) else { return nil }
    if history.count >= Self.last { histories[link]!.levels = .init() }
    return chain.map { filter in
      guard let model = filter.missingNoise else { return .walking }
      return model.noise(of: [history.levels]) ?? model.walking
    }
  }

  private func isDue(_ count: Int) -> Bool {
    guard count <= Self.last else { return count.isMultiple(of: Self.last) }
    return count.isMultiple(of: Self.first) && (count / Self.first).nonzeroBitCount == 1
  }
}

extension NoiseModel {
  /// The noise of a person walking, for too few levels.
  package var walking: Noise {
    switch self {
    case .randomWalk: .walking
    case .velocity: .walkingVelocity
    case .missedSlots(let model): model.walking
    }
  }

  /// The unit of q.
  package var unit: String {
    switch self {
    case .randomWalk, .missedSlots: "dB²/s"
    case .velocity: "dB²/s³"
    }
  }

  /// Returns the maximum-likelihood noise, or `nil` for too few levels.
  ///
  /// - Parameter reception: The reception of the receiver; `nil` to estimate it from the same links.
  package func noise(
    of links: [NoiseEstimate.Link], _ reception: Reception? = nil
  ) -> Noise? {
    switch self {
    case .randomWalk: NoiseEstimate(links).map { Noise(q: $0.q, r: $0.r) }
    case .velocity: VelocityNoiseEstimate(links).map { Noise(q: $0.q, r: $0.r) }
    case .missedSlots(let model): model.noise(of: links, reception)
    }
  }
}
