import RealModule

/// A kind of fading: the correlated share of a packet's variance, and its correlation time.
struct Fading: Sendable {
  /// The correlated share of the total variance; the rest is independent between packets.
  let share: Float
  /// The correlation time (to 1/e), in seconds.
  let seconds: Float
  /// The prior probability.
  let prior: Float

  /// Correlated shares from a tenth to all, over half a second to some seconds, as in public
  /// recordings of beacons at rest with 1 to 10 levels per second (docs/filters/multiple-model.md).
  static let all = [
    Fading(share: 0, seconds: 1, prior: 0.1),
    Fading(share: 0.5, seconds: 0.5, prior: 0.05), Fading(share: 0.95, seconds: 0.5, prior: 0.05),
    Fading(share: 0.995, seconds: 0.5, prior: 0.05),
    Fading(share: 0.5, seconds: 4, prior: 0.35), Fading(share: 0.9, seconds: 4, prior: 0.25),
    Fading(share: 0.99, seconds: 4, prior: 0.15),
  ]
}

/// The filters of one kind of fading, eight at once: one at rest, three just moved, four that drift
/// or walk.
struct FadingModel: Sendable {
  typealias Lanes = SIMD8<Float>

  /// The process noise of the mean in dB²/s: none, slow drift, and people who turn, walk and hurry.
  private static let drift = Lanes(0, 0, 0, 0, 0.3, 2, 8, 40)
  private static let prior = Lanes(0.2, 1e-4, 1e-4, 1e-4, 0.2, 0.2, 0.2, 0.2)
  /// The rates at which a link starts to move so, per second: higher than the rate of actual moves,
  /// so that a move is detected soon.
  private static let entry = Lanes(0.005, 0.03, 0.03, 0.03, 0.02, 0.06, 0.06, 0.02)
  private static let rest = 0
  private static let moved = 1..<4
  /// The variance of a move, in dB².
  private static let moveVariance: Float = 100
  /// The time constant after which an unconfirmed move is forgotten, in seconds.
  private static let doubt: Float = 60
  private static let odds: Float = 20
  /// The number of levels in the estimate of the variance of fading, which starts with a few levels
  /// of 3 dB.
  private static let memory: Float = 3000
  private static let leastNoise: Float = 1.0 / 12
  /// The rate of changes between kinds of fading, per second.
  private static let fadingEntry: Float = 1.0 / 3600
  private static let freedom: Float = 12
  private static let leastVariance = Lanes(repeating: 1e-6)
  private static let mostVariance = Lanes(repeating: 1e9)
  /// The smallest weight, above 0 so that shares of the sum are numbers.
  private static let leastWeight: Float = 1e-30
  /// The time constant of `remembered`, in seconds.
  private static let remembering: Float = 30
  private static let recalling: Float = 1

  private let fading: Fading
  /// The variance of fading and noise together, in dB².
  private var total: Float = 9
  private var samples: Float = 6
  /// The probability of each filter among all of all kinds of fading.
  private(set) var weight: Lanes
  /// The probability of this kind of fading when the link was at rest.
  private var remembered: Float
  private var state: BeliefLanes
  /// The combined belief of all filters after the latest level.
  private(set) var belief: Belief
  /// The probability of this kind of fading.
  private(set) var own: Float
  var isAsleep = false
  /// The e² / S of the latest level.
  private var squares = Lanes()

  init(_ fading: Fading) {
    self.fading = fading
    weight = Self.prior * fading.prior
    remembered = fading.prior
    own = fading.prior
    // Everything other than the mean is initially fading or noise.
    let lasting = fading.share * total
    belief = Belief(
      level: 0, fade: 0, levelVariance: total, covariance: -lasting, fadeVariance: lasting)
    state = BeliefLanes(belief)
  }

  var restWeight: Float { weight[Self.rest] }

  /// The probability of being at rest or just moved.
  var stillWeight: Float { weight.lowHalf.sum() }

  /// Advances all filters in time, updates them with a level, and returns the sum of their
  /// probabilities.
  mutating func take(_ rssi: Float, after seconds: Float) -> Float {
    advance(by: seconds)
    return take(rssi)
  }

  /// Advances in time; the least probable move starts now.
  @inline(__always)
  private mutating func advance(by seconds: Float) {
    let doubted = seconds / (seconds + Self.doubt)
    var weakest = Self.moved.lowerBound
    for lane in Self.moved {
      weight[Self.rest] += doubted * weight[lane]
      weight[lane] *= 1 - doubted
      if weight[lane] < weight[weakest] { weakest = lane }
    }
    var moved = belief
    moved.levelVariance += Self.moveVariance
    state.set(weakest, moved)
    weight[weakest] = weight.sum() * Self.chance(of: Self.entry[weakest], in: seconds)

    let kept = Float.exp(-seconds / fading.seconds)
    state.levelVariance += Self.drift * seconds
    state.covariance *= kept
    state.fadeVariance =
      state.fadeVariance * (kept * kept) + fading.share * total * (1 - kept * kept)
    state.fade *= kept
  }

  @inline(__always)
  private mutating func take(_ rssi: Float) -> Float {
    let noise = max((1 - fading.share) * total, Self.leastNoise)
    let levelGain = state.levelVariance + state.covariance
    let fadeGain = state.covariance + state.fadeVariance
    let spread = levelGain + fadeGain + noise
    let error = rssi - state.level - state.fade
    squares = error * error / spread
    // Student's density, (1 + e²/(ν S))^(−13/2) / √S.
    let heavy = 1 + squares / Self.freedom
    let cube = heavy * heavy * heavy
    weight /= cube * cube * (heavy * spread).squareRoot()
    state.level += levelGain / spread * error
    state.fade += fadeGain / spread * error
    state.levelVariance -= levelGain * levelGain / spread
    state.covariance -= levelGain * fadeGain / spread
    state.fadeVariance -= fadeGain * fadeGain / spread
    // Rounding may make a large variance negative.
    state.levelVariance.clamp(lowerBound: Self.leastVariance, upperBound: Self.mostVariance)
    state.fadeVariance.clamp(lowerBound: .zero, upperBound: Self.mostVariance)
    return weight.sum()
  }

  /// Learns from the latest level, and restarts filters that have lost the signal.
  mutating func settle(_ seconds: Float, total sum: Float) {
    weight /= sum
    own = weight.sum()
    if own < Self.leastWeight {
      weight = Self.prior * Self.leastWeight
      own = weight.sum()
    }
    belief = state.mixture(weight, sum: own)
    samples = min(samples + 1, Self.memory)
    let bounded = squares.replacing(with: 9, where: squares .> 9)
    total *= 1 + ((weight * bounded).sum() / own - 1) / samples
    total = min(max(total, 0.02), 200)

    for lane in 0..<Lanes.scalarCount where !Self.moved.contains(lane) {
      let least = own * Self.chance(of: Self.entry[lane], in: seconds)
      guard weight[lane] < least else { continue }
      state.set(lane, belief)
      weight[lane] = least
    }
    for lane in Self.moved where weight[lane] > Self.odds * weight[Self.rest] {
      state.set(Self.rest, state[lane])
      weight[Self.rest] += weight[lane]
      weight[lane] = 0
    }
    let others = Self.chance(of: Self.fadingEntry, in: seconds)
    let entered = own * (1 - others) + fading.prior * others
    weight *= entered / weight.sum()
    own = entered
  }

  /// Stores the probability of this kind of fading while a link is at rest, and restores it while
  /// it moves, because movement and correlated fading look alike then.
  mutating func remember(_ seconds: Float, isStill: Bool) {
    if isStill {
      remembered += seconds / (seconds + Self.remembering) * (own - remembered)
    } else {
      let recalled = own + seconds / (seconds + Self.recalling) * (remembered - own)
      weight *= recalled / own
      own = recalled
    }
  }

  /// Resumes from the belief of another kind of fading.
  mutating func wake(at belief: Belief) {
    (isAsleep, self.belief) = (false, belief)
    state = BeliefLanes(belief)
    weight = Self.prior * own
  }

  /// Returns approximately 1 − e^(−rate × seconds), in two operations.
  private static func chance(of rate: Float, in seconds: Float) -> Float {
    rate * seconds / (1 + rate * seconds)
  }

  /// Adds the filters with sufficient weight to sums of weights and of weighted levels.
  func add(atLeast least: Float, _ sum: inout Float, _ level: inout Float) {
    let counted = weight.replacing(with: 0, where: weight .< least)
    sum += counted.sum()
    level += (counted * state.level).sum()
  }

  /// Returns the weighted squares about a level.
  func spread(atLeast least: Float, about level: Float) -> Float {
    let counted = weight.replacing(with: 0, where: weight .< least)
    let error = state.level - level
    return (counted * (state.levelVariance + error * error)).sum()
  }
}

/// The mean and the fading of a level, jointly Gaussian.
struct Belief {
  var level, fade, levelVariance, covariance, fadeVariance: Float
}

/// Eight beliefs.
struct BeliefLanes {
  var level, fade, levelVariance, covariance, fadeVariance: SIMD8<Float>

  init(_ belief: Belief) {
    level = .init(repeating: belief.level)
    fade = .init(repeating: belief.fade)
    levelVariance = .init(repeating: belief.levelVariance)
    covariance = .init(repeating: belief.covariance)
    fadeVariance = .init(repeating: belief.fadeVariance)
  }

  subscript(lane: Int) -> Belief {
    Belief(
      level: level[lane], fade: fade[lane], levelVariance: levelVariance[lane],
      covariance: covariance[lane], fadeVariance: fadeVariance[lane])
  }

  mutating func set(_ lane: Int, _ belief: Belief) {
    level[lane] = belief.level
    fade[lane] = belief.fade
    levelVariance[lane] = belief.levelVariance
    covariance[lane] = belief.covariance
    fadeVariance[lane] = belief.fadeVariance
  }

  /// Returns the Gaussian with mean and covariance of the weighted beliefs.
  func mixture(_ weight: SIMD8<Float>, sum: Float) -> Belief {
    let share = weight / sum
    let (meanLevel, meanFade) = ((share * level).sum(), (share * fade).sum())
    let (dLevel, dFade) = (level - meanLevel, fade - meanFade)
    return Belief(
      level: meanLevel, fade: meanFade,
      levelVariance: (share * (levelVariance + dLevel * dLevel)).sum(),
      covariance: (share * (covariance + dLevel * dFade)).sum(),
      fadeVariance: (share * (fadeVariance + dFade * dFade)).sum())
  }
}
