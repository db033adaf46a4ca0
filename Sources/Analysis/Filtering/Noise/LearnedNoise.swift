import NumericalMethods
import RealModule

/// The noise of a stream's links, estimated on the way and again for as long as they are received.
///
/// The first estimate is from 50 levels; there is another whenever a link has twice as many, up to
/// 800, and then after every 800, from these alone. So memory is bounded, and what a link was like
/// an hour ago counts no more.
///
/// A link that rested has so little process noise that its filter would not follow it when it is
/// moved. Where the mean of the last seconds leaves that of the last minute by 5 dB, the noise is
/// that of a person walking, and learning starts again.
struct LearnedNoise: Sendable {
  private static let first = 50
  private static let last = 800
  /// dB.
  private static let step = 5.0

  private let chain: [FilterSpecification]
  private var histories: [History?] = []

  /// The newest levels of one link.
  private struct History: Sendable {
    var levels = NoiseEstimate.Link()
    /// Levels since learning began.
    var count = 0
    var newest: Int64 = 0
    /// Means with time constants of 5 s and 60 s.
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

  /// - Parameter chain: filters, of which those without written noise learn.
  init(_ chain: [FilterSpecification]) { self.chain = chain }

  /// A Boolean value that is true if there is anything to learn.
  var isNeeded: Bool { chain.contains { $0.missingNoise != nil } }

  /// For each filter, what it uses until there is an estimate.
  var assumed: [Noise] { chain.map { $0.missingNoise?.walking ?? .walking } }

  /// Makes room for the next link.
  mutating func open() { histories.append(isNeeded ? History() : nil) }

  mutating func keep(_ links: [Int]) { histories.keep(links) }

  /// Takes a level of a link, and returns the new noise of each filter where it changes.
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

/// The process and measurement noise of a random walk under which the levels of links, and the
/// advertisements missed between them, are most likely.
///
/// Weak levels that are heard are the strong ones of those that came: by themselves they look as if
/// they hardly moved and had little noise. So q and r maximise the likelihood that `TobitFilter`
/// computes, of what was heard and of what was not. For one ratio q / r there is no closed form of
/// r: a `NoiseSearch` over q, with the r of the levels alone, finds the peak, and a simplex goes
/// from there to the best pair. r is never below the variance of rounding; where no movement at all
/// is as likely, q is 0. O(levels and missed slots) an evaluation, about 100 evaluations.
package struct MissedSlotsEstimate: Equatable, Sendable {
  /// dB² per second.
  package var q: Double
  /// dB².
  package var r: Double
  /// As in a `TobitFilter` with this noise, over all links.
  package var logLikelihood: Double

  /// The estimate shared by several links, or nil where they have too few levels for a
  /// `NoiseEstimate`.
  ///
  /// - Parameters:
  ///   - links: the levels.
  ///   - filter: a filter that has the beacons' interval, the floor and the loss.
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
    // The simplex comes near q = 0 on a plain, and never there.
    let isAtRest = atRest > -best.value - 1e-6
    self.logLikelihood = isAtRest ? atRest : -best.value
    (q, r) = (isAtRest ? 0 : noise.q, noise.r)
  }
}

extension TobitFilter {
  /// The log-likelihood of a link's levels and missed slots under some noise.
  fileprivate func logLikelihood(of link: NoiseEstimate.Link, _ noise: Noise) -> Double {
    var filter = self
    filter.adopt(noise)
    for (time, level) in zip(link.times, link.levels) where level.isFinite {
      _ = filter.update(time: time, rssi: Double(level))
    }
    return filter.logLikelihood
  }
}
