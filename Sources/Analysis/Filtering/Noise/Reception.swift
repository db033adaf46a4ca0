import NumericalMethods
import RealModule

/// The reception of the packets of a receiver: a packet of level z is received with probability
/// (1 − loss) Φ((z − floor) / edge).
package struct Reception: Hashable, Sendable {
  /// The level at which half of the packets that are not lost by chance are received, in dBm.
  package var floor: Double
  /// The standard deviation of the edge about the floor, in dB; 0 for a receiver that receives
  /// nothing below the floor.
  package var edge = 0.0
  /// The probability that a strong packet is lost.
  package var loss: Double
  /// The origin of the floor.
  package var floorOrigin = Origin.given
  /// The origin of the loss.
  package var lossOrigin = Origin.given

  /// The origin of a parameter of reception.
  package enum Origin: Hashable, Sendable {
    /// Given by the user.
    case given
    /// Estimated from the received and missed packets of all links of the receiver.
    case estimated
    /// Assumed, because the packets do not determine it.
    case assumed
  }

  package init(floor: Double, edge: Double = 0, loss: Double) {
    (self.floor, self.edge, self.loss) = (floor, edge, loss)
  }
}

/// A random walk with missed advertisements as observations; parameters that are `nil` are
/// estimated.
public struct MissedSlotsModel: Hashable, Sendable {
  /// The mean time between two advertisements, in seconds.
  var interval: Double
  /// The sensitivity of the receiver, in dBm.
  var floor: Double?
  /// The share of packets above the floor that are lost.
  var loss: Double?
  /// The process and measurement noise.
  package var noise: Noise?

  package init(interval: Double, floor: Double? = nil, loss: Double? = nil, noise: Noise? = nil) {
    (self.interval, self.floor, self.loss, self.noise) = (interval, floor, loss, noise)
  }

  /// A Boolean value that is true if nothing is estimated.
  var isComplete: Bool { floor != nil && loss != nil && noise != nil }

  /// The reception if the packets do not determine it. Without a floor, the level does
  /// not change the share of missed packets, and the filter is `KalmanFilter`.
  var assumedReception: Reception {
    var reception = Reception(floor: floor ?? -150, loss: loss ?? 0.3)
    if floor == nil { reception.floorOrigin = .assumed }
    if loss == nil { reception.lossOrigin = .assumed }
    return reception
  }

  /// The noise of a person walking, for too few levels.
  var walking: Noise { noise(noise ?? .walking, assumedReception) }

  /// Returns the model with the reception of the links of a receiver.
  package func reception(of links: [NoiseEstimate.Link]) -> Reception {
    guard floor == nil || loss == nil else { return assumedReception }
    return ReceptionEstimate(links, self)?.reception ?? assumedReception
  }

  /// Returns the maximum-likelihood noise for a reception, or `nil` for too few levels.
  ///
  /// - Parameter reception: The reception; `nil` to estimate it from the same links.
  package func noise(of links: [NoiseEstimate.Link], _ reception: Reception? = nil) -> Noise? {
    let reception = reception ?? self.reception(of: links)
    if let noise { return self.noise(noise, reception) }
    let filter = TobitFilter(q: 1, r: 1, interval: interval, reception: reception)
    return MissedSlotsEstimate(links, of: filter).map {
      self.noise(Noise(q: $0.q, r: $0.r), reception)
    }
  }

  private func noise(_ noise: Noise, _ reception: Reception) -> Noise {
    var noise = noise
    noise.reception = reception
    return noise
  }
}

/// The maximum-likelihood reception of a receiver, from the received levels of its links and the
/// missed advertisements between them.
///
/// A received level z counts with (1 − loss) Φ((z − floor) / edge), a missed slot as in
/// `MissedSlots`, and q and r of each link are re-estimated for the reception that was found.
/// Links far above the floor determine the loss, links near it the floor and the edge. A Beta(2, 2)
/// prior of the loss, worth two packets, keeps it from 0 if few packets were sent and all received:
/// the first one lost would seem far below the floor.
///
/// The floor is kept only if the edge is more likely than none, at twice the logarithm of the ratio
/// of likelihoods of at least 12 (a false edge in 1 of 400 receivers without one, Wilks 1938), and
/// the loss only if its standard error is at most 0.1. O(levels and missed slots) per evaluation,
/// about 300 evaluations, of at most 20 000 levels.
struct ReceptionEstimate {
  let reception: Reception
  /// The standard error of the loss at the estimated edge.
  let lossStandardError: Double

  private static let mostLevels = 20_000
  private static let rounds = 3
  private static let leastRatio = 12.0
  private static let largestError = 0.1
  /// The softest and the hardest edge, in dB.
  private static let edges = 0.3...6.0

  /// A link with its noise.
  private struct Received {
    var levels: NoiseEstimate.Link
    var noise: Noise
    /// The levels after the first, which are observations.
    var heard: ArraySlice<Float> { levels.levels.dropFirst() }
  }

  /// - Returns: `nil` if no level is an observation.
  init?(_ links: [NoiseEstimate.Link], _ model: MissedSlotsModel) {
    let most = max(Self.mostLevels / max(links.count, 1), 50)
    var received = links.compactMap { link -> Received? in
      var own = NoiseEstimate.Link()
      for (time, level) in zip(link.times, link.levels) where level.isFinite {
        guard own.times.count < most else { break }
        own.times.append(time)
        own.levels.append(level)
      }
      let noise = model.noise ?? NoiseEstimate([own]).map { Noise(q: $0.q, r: $0.r) }
      return own.times.count > 1 ? Received(levels: own, noise: noise ?? .walking) : nil
    }
    guard let lowest = received.compactMap({ $0.levels.levels.min() }).min() else { return nil }

    func logLikelihood(_ reception: Reception) -> Double {
      let loss = reception.loss
      let prior = model.loss == nil ? Double.log(loss) + .log(onePlus: -loss) : 0
      return received.reduce(prior) { sum, link in
        let filter = TobitFilter(
          q: link.noise.q, r: link.noise.r, interval: model.interval, reception: reception)
        let heard = link.heard.reduce(0) { $0 + reception.logProbability(ofReceiving: $1) }
        return sum + heard + filter.logLikelihood(of: link.levels, link.noise)
      }
    }
    func reception(_ x: [Double]) -> Reception {
      var (found, index) = (model.assumedReception, 0)
      func next() -> Double {
        index += 1
        return x[index - 1]
      }
      if model.loss == nil { found.loss = 1 / (1 + .exp(-next())) }
      if model.floor == nil {
        found.floor = next()
        found.edge = min(max(.exp(next()), Self.edges.lowerBound), Self.edges.upperBound)
      }
      return found
    }
    func starts(edge: Double) -> [Double] {
      (model.loss == nil ? [-1.4] : [])
        + (model.floor == nil ? [Double(lowest) + edge, .log(edge)] : [])
    }
    // Hard and soft edges are separate peaks.
    var places = model.floor == nil ? [starts(edge: 0.5), starts(edge: 3)] : [starts(edge: 1)]
    var place = places[0]
    for round in 0..<Self.rounds {
      var least = Double.infinity
      for start in places {
        let best = SimplexMinimum(
          from: start, steps: start.map { _ in round == 0 ? 1 : 0.3 }, tolerance: 1e-3,
          maximumSteps: 100
        ) { x in
          let reception = reception(x)
          return (-150...20).contains(reception.floor) && reception.loss < 0.999
            ? -logLikelihood(reception) : .infinity
        }
        if best.value < least { (least, place) = (best.value, best.x) }
      }
      places = model.floor == nil && round == 0 ? [place, starts(edge: 0.5)] : [place]
      guard model.noise == nil, round + 1 < Self.rounds else { continue }
      let filter = TobitFilter(q: 1, r: 1, interval: model.interval, reception: reception(place))
      for index in received.indices {
        if let own = MissedSlotsEstimate([received[index].levels], of: filter) {
          received[index].noise = Noise(q: own.q, r: own.r)
        }
      }
    }
    var found = reception(place)
    if model.floor == nil {
      var without = model.assumedReception
      without.loss = model.loss ?? Self.shareMissed(received.map(\.levels), model.interval)
      if 2 * (logLikelihood(found) - logLikelihood(without)) >= Self.leastRatio {
        found.floorOrigin = .estimated
      } else {
        found = without
      }
    }
    lossStandardError = Self.lossError(found, logLikelihood)
    if model.loss == nil {
      if lossStandardError <= Self.largestError {
        found.lossOrigin = .estimated
      } else {
        found.loss = model.assumedReception.loss
      }
    }
    self.reception = found
  }

  /// Returns the share of slots that were missed.
  private static func shareMissed(_ links: [NoiseEstimate.Link], _ interval: Double) -> Double {
    var (missed, received) = (0.0, 0.0)
    for link in links {
      for (time, last) in zip(link.times.dropFirst(), link.times) {
        missed += max((secondsLater(time, than: last) / interval).rounded() - 1, 0)
        received += 1
      }
    }
    return (missed + 1) / (missed + received + 2)
  }

  /// Returns the standard error of the loss, from the curvature of the likelihood at its logit.
  private static func lossError(
    _ found: Reception, _ logLikelihood: (Reception) -> Double
  ) -> Double {
    let loss = min(max(found.loss, 0.002), 0.998)
    func value(_ change: Double) -> Double {
      var changed = found
      changed.loss = loss / (loss + (1 - loss) * .exp(-change))
      return logLikelihood(changed)
    }
    let step = 0.1
    let curvature = (2 * value(0) - value(step) - value(-step)) / (step * step)
    return curvature > 0 ? loss * (1 - loss) / curvature.squareRoot() : .infinity
  }
}

extension Reception {
  /// Returns the logarithm of the probability that a packet of a level in dBm is received.
  fileprivate func logProbability(ofReceiving level: Float) -> Double {
    // A level that was received is not below the floor, up to rounding.
    let above = edge > 0 ? (Double(level) - floor) / edge : 0
    let probability = edge > 0 ? 0.5 * Double.erfc(-above / 2.0.squareRoot()) : 1
    return .log(onePlus: -loss) + .log(max(probability, 1e-300))
  }
}
