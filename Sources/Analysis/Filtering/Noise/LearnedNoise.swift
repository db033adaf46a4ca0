import NumericalMethods
import RealModule

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
    case .randomWalk, .missedSlots: .walking
    case .velocity: .walkingVelocity
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

/// The maximum-likelihood process and measurement noise of a random walk, given the received levels
/// of links and the missed advertisements between them.
///
/// Received weak levels are the strongest of those sent, so by themselves they appear to have
/// little movement and noise. Therefore q and r maximise the likelihood that `TobitFilter`
/// computes, of received and missed packets. For a fixed ratio q / r there is no closed form of r:
/// a `NoiseSearch` over q, with the r of the levels alone, finds the peak, and a simplex search
/// from there finds the best pair. r is never below the variance of rounding; q is 0 if no movement
/// is equally likely. O(levels and missed slots) per evaluation, about 100 evaluations.
package struct MissedSlotsEstimate: Equatable, Sendable {
  /// The process noise, in dB² per second.
  package var q: Double
  /// The measurement noise, in dB².
  package var r: Double
  /// The log-likelihood of a `TobitFilter` with this noise, over all links.
  package var logLikelihood: Double

  /// Estimates the noise that several links share, or returns `nil` if they have too few levels for
  /// a `NoiseEstimate`.
  ///
  /// - Parameters:
  ///   - links: The levels.
  ///   - filter: A filter with the beacons' interval, the floor and the loss.
  package init?(_ links: [NoiseEstimate.Link], of filter: TobitFilter) {
    let heard = NoiseLikelihood(links)
    guard let ofLevels = NoiseEstimate(heard) else { return nil }
    func logLikelihood(_ q: Double, _ r: Double) -> Double {
      links.reduce(0) { $0 + filter.logLikelihood(of: $1, Noise(q: q, r: r)) }
    }
    (q, r) = (0, ofLevels.r)
    self.logLikelihood = logLikelihood(q, r)
    guard let logRatios = heard.logRatios else { return }
    let scan = NoiseSearch(in: logRatios, margin: 0) { places in
      var values = NoiseLikelihood.Lanes()
      for lane in 0..<4 {
        values[lane] = logLikelihood(ofLevels.r * .exp(places[lane]), ofLevels.r)
      }
      return values
    }
    func noise(_ x: [Double]) -> Noise { Noise(q: .exp(x[0]), r: max(.exp(x[1]), heard.leastR)) }
    let best = SimplexMinimum(
      from: [scan.place + .log(r), .log(r)], steps: [1, 0.5], tolerance: 1e-4, maximumSteps: 200
    ) {
      let noise = noise($0)
      return -logLikelihood(noise.q, noise.r)
    }
    let noise = noise(best.x)
    let atRest = logLikelihood(0, noise.r)
    // On a plain the simplex approaches q = 0 but never reaches it.
    let isAtRest = atRest > -best.value - 1e-6
    self.logLikelihood = isAtRest ? atRest : -best.value
    (q, r) = (isAtRest ? 0 : noise.q, noise.r)
  }
}

extension TobitFilter {
  /// Returns the log-likelihood of a link's levels and missed slots for some noise.
  fileprivate func logLikelihood(of link: NoiseEstimate.Link, _ noise: Noise) -> Double {
    var filter = self
    filter.adopt(noise)
    for (time, level) in zip(link.times, link.levels) where level.isFinite {
      _ = filter.update(time: time, rssi: Double(level))
    }
    return filter.logLikelihood
  }
}
