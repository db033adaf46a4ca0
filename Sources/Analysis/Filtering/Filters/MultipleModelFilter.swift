import Support

/// Kalman filters of several models side by side, each with the probability that its model holds
/// now: the level of a link that may rest, drift or walk.
///
/// A level is a mean that is sought, plus fading that lasts, plus noise:
///
///     z = m + u + e        m: at rest, jumping or a random walk        u: Ornstein–Uhlenbeck, mean 0
///
/// `FadingModel` has the filters of one kind of fading. Their total variance is learned from the
/// errors of their predictions, over the last `memory` levels. A level multiplies each probability
/// by its density under the model, Student's with 12 degrees of freedom, so that a deep fade counts
/// less than its square. No kind of fading, and no kind of movement, ever becomes impossible.
///
/// While a link moves, fading that lasts and movement cannot be distinguished: how probable each
/// fading is stays what it was when the link was still.
///
/// Three of the filters of each fading are of a link that has just been moved. In each step the
/// least probable one begins again, with 10 dB added to what is known, so the step at which a link
/// was moved need not be known. Once one is 20 times as probable as the filter at rest, it takes
/// its place.
///
/// Kinds of fading that are improbable take only the first 64 of every 1,024 levels, and 192 at the
/// beginning.
///
/// The level is the mean over all models, the variance that of the mixture but for models with less
/// than 3 % of the most probable one's weight: it holds the uncertainty of the noise, too.
///
/// Sources: Andersson, "Adaptive forgetting in recursive identification through multiple models",
/// International Journal of Control 42(5), 1985 (least probable filters begin again); Magill,
/// "Optimal adaptive estimation of sampled stochastic processes", 1965; Bar-Shalom, Li and
/// Kirubarajan, "Estimation with applications to tracking and navigation", section 11.6. O(models)
/// a sighting, 56 of them; 3 kB per link.
public struct MultipleModelFilter: LevelFilter {
  private var models: [FadingModel] = []
  /// The first level, from which all others are counted: single precision is enough then.
  private var origin = 0.0
  private var time: Int64 = 0
  /// Levels after the first.
  private var count = 0
  private var watch = RestWatch()

  /// Levels after which improbable kinds of fading take no more until the next period: most links
  /// have one or two that matter.
  private static let firstTrial = 192
  private static let trial = 64
  private static let period = 1024
  private static let improbable: Float = 1e-3

  /// Seconds after which a level may be anywhere: more would only cost digits.
  private static let longestStep = 600.0
  /// dB from the first level; levels of receivers differ by 147 dB at most, and densities of more
  /// are beyond single precision.
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

  /// Lets every kind of fading begin again where the most probable one is.
  private mutating func wakeAll(now: Bool) {
    guard now, models.contains(where: \.isAsleep) else { return }
    var best = 0
    for index in models.indices where models[index].own > models[best].own { best = index }
    let belief = models[best].belief
    for index in models.indices where models[index].isAsleep { models[index].wake(at: belief) }
  }

  /// Mean and variance over all models that count.
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

/// Notices that a link which rested has another level.
///
/// The level at rest is known once the filters at rest are the more probable ones for 10 s. It has
/// changed where the level differs from it by 3 dB and by 3.5 standard deviations for 3 s.
private struct RestWatch {
  private(set) var change: LevelChange?
  private var reference: FilteredLevel?
  private var restingSince: Int64?
  private var differsSince: Int64?

  private static let settling = 10.0
  private static let holding = 3.0
  private static let leastStep = 3.0
  private static let deviations = 3.5
  /// dB²: a level known less well is not at rest.
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
    "multiple-model", "at rest, moved or walking, whichever is probable; the default of streams",
    []
  ) { _, _ in MultipleModelFilter() }
}
