import Support

/// A bank of Kalman filters, each with the probability that its model holds now, for a link that
/// may rest, drift or walk.
///
/// A level is the sum of the mean to estimate, correlated fading, and noise:
///
///     z = m + u + e        m: at rest, jumping or a random walk        u: Ornstein–Uhlenbeck, mean 0
///
/// `FadingModel` contains the filters of one kind of fading. Their total variance is learned from
/// the prediction errors over the last `memory` levels. A level multiplies each probability by its
/// density under the model, a Student's t with 12 degrees of freedom, so that a deep fade counts
/// less than under a normal. No kind of fading or movement ever becomes impossible.
///
/// While a link moves, correlated fading and movement cannot be distinguished, so the probabilities
/// of the kinds of fading stay as they were when the link was at rest.
///
/// Three of the filters of each kind of fading model a link that has just been moved. In each step
/// the least probable one restarts with an additional variance of 10² dB², so the time of a move
/// need not be known. Once one is 20 times as probable as the filter at rest, it replaces it.
///
/// Improbable kinds of fading process only the first 64 of every 1,024 levels, and 192 at the
/// beginning.
///
/// The output is the mean over all models with the variance of the mixture, without models below 3
/// % of the largest weight; it therefore includes the uncertainty of the noise.
///
/// Sources: Andersson, "Adaptive forgetting in recursive identification through multiple models",
/// International Journal of Control 42(5), 1985 (restart of the least probable filters); Magill,
/// "Optimal adaptive estimation of sampled stochastic processes", 1965; Bar-Shalom, Li and
/// Kirubarajan, "Estimation with applications to tracking and navigation", section 11.6. O(models)
/// per sighting, with 56 models; 3 kB per link.
public struct MultipleModelFilter: LevelFilter {
  private var models: [FadingModel] = []
  /// The first level, to which all others are relative, so that single precision suffices.
  private var origin = 0.0
  private var time: Int64 = 0
  /// The number of levels after the first.
  private var count = 0
  private var watch = RestWatch()

  /// The number of levels after which improbable kinds of fading pause until the next period; most
  /// links have one or two relevant ones.
  private static let firstTrial = 192
  private static let trial = 64
  private static let period = 1024
  private static let improbable: Float = 1e-3

  /// The longest step in seconds, after which a level may be anywhere; more would only cost digits.
  private static let longestStep = 600.0
  /// The largest difference from the first level, in dB; levels differ by 147 dB at most, and
  /// larger differences exceed single precision.
  private static let farthest = 300.0

  /// Creates the filter, which has no parameters.
  public init() {}

  public static var noticesChanges: Bool { true }

  public var change: LevelChange? { watch.change }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    guard !models.isEmpty else {
      models = Fading.all.map { FadingModel($0) }
      origin = rssi
      self.time = time
      return mixture()
    }
    let seconds = Float(min(secondsLater(time, than: self.time), Self.longestStep))
    self.time = max(self.time, time)
    let error = Float(min(max(rssi - origin, -Self.farthest), Self.farthest))
    wakeAll(now: count % Self.period == 0)
    count += 1
    var (total, asleep): (Float, Float) = (0, 0)
    for index in models.indices {
      if models[index].isAsleep {
        asleep += models[index].own
      } else {
        total += models[index].take(error, after: seconds)
      }
    }
    guard total > 0, total.isFinite else {
      (models, origin) = (Fading.all.map { FadingModel($0) }, rssi)
      return mixture()
    }
    var (still, rest): (Float, Float) = (0, 0)
    for index in models.indices where !models[index].isAsleep {
      models[index].settle(seconds, total: total / (1 - asleep))
      still += models[index].stillWeight
    }
    for index in models.indices where !models[index].isAsleep {
      models[index].remember(seconds, isStill: still >= 0.5)
      rest += models[index].restWeight
    }
    if count % Self.period == (count < Self.period ? Self.firstTrial : Self.trial) {
      for index in models.indices where models[index].own < Self.improbable {
        models[index].isAsleep = true
      }
    }
    let level = mixture()
    watch.take(level, restWeight: rest, at: self.time)
    return level
  }

  /// Restarts every kind of fading from the state of the most probable one.
  private mutating func wakeAll(now: Bool) {
    guard now, models.contains(where: \.isAsleep) else { return }
    var best = 0
    for index in models.indices where models[index].own > models[best].own { best = index }
    let belief = models[best].belief
    for index in models.indices where models[index].isAsleep { models[index].wake(at: belief) }
  }

  /// Returns the mean and variance over all models with sufficient weight.
  private func mixture() -> FilteredLevel {
    var least: Float = 0
    for index in models.indices { least = max(least, 0.03 * models[index].weight.max()) }
    var (weight, level, variance): (Float, Float, Float) = (0, 0, 0)
    for index in models.indices { models[index].add(atLeast: least, &weight, &level) }
    level /= weight
    for index in models.indices {
      variance += models[index].spread(atLeast: least, about: level)
    }
    return FilteredLevel(rssi: origin + Double(level), variance: Double(variance / weight))
  }
}

/// A detector of changes of the level of a link at rest.
///
/// The level at rest is known once the filters at rest are the more probable ones for 10 s. It has
/// changed if the level differs from it by 3 dB and by 3.5 standard deviations for 3 s.
private struct RestWatch {
  private(set) var change: LevelChange?
  private var reference: FilteredLevel?
  private var restingSince: Int64?
  private var differsSince: Int64?

  private static let settling = 10.0
  private static let holding = 3.0
  private static let leastStep = 3.0
  private static let deviations = 3.5
  /// The largest variance of a level at rest, in dB².
  private static let mostVariance = 4.0

  mutating func take(_ level: FilteredLevel, restWeight: Float, at time: Int64) {
    if let reference {
      let step = abs(level.rssi - reference.rssi)
      let deviation = (level.variance + reference.variance).squareRoot()
      if step > Self.leastStep, step > Self.deviations * deviation {
        let since = differsSince ?? time
        differsSince = since
        guard secondsLater(time, than: since) >= Self.holding else { return }
        change = LevelChange(
          number: (change?.number ?? 0) + 1, previousRSSI: reference.rssi)
        (self.reference, restingSince, differsSince) = (nil, nil, nil)
        return
      }
    }
    differsSince = nil
    guard restWeight > 0.5, level.variance < Self.mostVariance else {
      restingSince = nil
      return
    }
    let since = restingSince ?? time
    restingSince = since
    guard secondsLater(time, than: since) >= Self.settling else { return }
    if let reference, abs(level.rssi - reference.rssi) >= Self.leastStep { return }
    reference = level
  }
}

extension FilterKind {
  static let multipleModel = causal(
    "multiple-model", "bank of models (at rest, moved, walking); the default for streams",
    []
  ) { _, _ in MultipleModelFilter() }
}
