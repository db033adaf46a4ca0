import NumericalMethods
import RealModule

/// The motion of particles: nearly straight legs with turns and stops, at a given speed or one
/// estimated per particle.
///
/// A target alternates between walking and resting, and between the legs of a walk, for exponential
/// times. Each leg has a new velocity, which is normal and changes slowly. On average a direction
/// lasts as long as that of a ``Pedestrian`` or longer, but sudden turns allow for both: targets
/// that cross a hall and targets that turn round. An estimated speed is part of the particle:
/// starting from a log-uniform prior, it drifts by a tenth of itself per second. Particles whose
/// speeds and stops explain the levels survive, so both are learned from the data.
struct ParticleMotion: Sendable {
  /// The given speed of the target while it walks, in m/s.
  let speed: Double?

  /// The range of estimated speeds while walking, from strolling to walking fast.
  ///
  /// A slower mean motion is a walk with stops. Particles that walk more slowly keep the shadowing
  /// of their links, so the likelihood would prefer them whatever the target does.
  static let guesses = 0.3...1.5
  /// Standard deviation of the logarithm of the speed after one second.
  static let wander: Float = 0.1
  /// The mean times of a walk without a stop and of a stop, in seconds.
  static let (meanWalk, meanStop) = (60.0, 20.0)
  /// The mean time of a leg, and the time constant of the velocity within legs, in seconds.
  static let (meanLeg, persistence) = (5.0, 20.0)

  /// The speed for purposes that need one for all particles, in m/s.
  var usualSpeed: Double { speed ?? Pedestrian().speed }

  static let logSpeeds =
    Float(
      Double.log(guesses.lowerBound))...Float(
      Double.log(guesses.upperBound))

  /// Returns the logarithms of the speeds of new particles.
  func someLogSpeed(_ numbers: inout VectorStream) -> SIMD8<Float> {
    if let speed { return SIMD8(repeating: Float(Double.log(speed))) }
    let (low, high) = (Self.logSpeeds.lowerBound, Self.logSpeeds.upperBound)
    return numbers.uniform() * (high - low) + low
  }

  /// Returns a mask of new particles that walk.
  func someWalk(_ numbers: inout VectorStream) -> SIMD8<Float> {
    let share = Float(Self.meanWalk / (Self.meanWalk + Self.meanStop))
    return SIMD8.zero.replacing(with: 1, where: numbers.uniform() .< share)
  }
}

extension ParticleCloud {
  /// The longest step: a velocity's time constant is several of them.
  private static let longestStep = 0.5
  /// The longest simulated walk, in seconds: after it a target may be anywhere, and a longer gap
  /// costs nothing more.
  private static let longestWalk = 600.0

  /// Moves every particle to a time; it turns round at a wall.
  mutating func advance(to later: Int64) {
    guard later > time else { return }
    let seconds = Double(later - time) * 1e-9
    time = later
    let walked = min(seconds, Self.longestWalk)
    let steps = max(1, (walked / Self.longestStep).rounded(.up))
    let step = Step(walked / steps)
    if let curveError { wander(curveError, seconds) }
    for _ in 0..<Int(steps) {
      for index in blocks.indices { blocks[index].walk(step, motion, in: area, &numbers) }
    }
  }

  /// The correlation time of the exponent's error, in seconds.
  private static let constancy = 300.0

  /// Lets the exponent's error decorrelate and renews it, so that particles that descend from few
  /// do not share it for ever: walls and crowds differ between parts of a site, too.
  private mutating func wander(_ error: CurveError, _ seconds: Double) {
    let kept = Double.exp(-seconds / Self.constancy)
    let fresh = Float(((1 - kept * kept) * error.exponentVariance).squareRoot())
    for index in blocks.indices {
      blocks[index].exponentError =
        Float(kept) * blocks[index].exponentError + fresh * numbers.gaussianPair().0
    }
  }

  /// The constants of a step.
  fileprivate struct Step {
    let seconds: Float
    /// The share of the velocity that remains.
    let share: Float
    /// The standard deviation of a component of the velocity's change, at 1 m/s.
    let jolt: Float
    let climb: Float
    let wander: Float
    /// The probabilities of stopping, of turning and of starting.
    let stop: Float
    let turn: Float
    let start: Float

    init(_ seconds: Double) {
      let step = Pedestrian(persistence: ParticleMotion.persistence).step(seconds)
      self.seconds = Float(seconds)
      share = Float(step.share)
      jolt = Float(step.velocityVariance.squareRoot())
      climb = Float(Pedestrian().climb * seconds.squareRoot())
      wander = ParticleMotion.wander * Float(seconds.squareRoot())
      stop = Float(-Double.expMinusOne(-seconds / ParticleMotion.meanWalk))
      turn = Float(-Double.expMinusOne(-seconds / ParticleMotion.meanLeg))
      start = Float(-Double.expMinusOne(-seconds / ParticleMotion.meanStop))
    }
  }
}

extension ParticleBlock {
  fileprivate mutating func walk(
    _ step: ParticleCloud.Step, _ motion: ParticleMotion, in area: WalkableArea,
    _ numbers: inout VectorStream
  ) {
    if motion.speed == nil {
      logSpeed = Self.turned(logSpeed + step.wander * numbers.gaussianPair().0)
    }
    let chance = numbers.uniform()
    let walked = walks .> 0
    walks.replace(with: 0, where: walked .& (chance .< step.stop))
    walks.replace(with: 1, where: .!walked .& (chance .< step.start))
    // A particle that turns or starts walking has a new velocity.
    let continues = walked .& (chance .>= step.stop + step.turn)
    let share = SIMD8<Float>.zero.replacing(with: step.share, where: continues)
    let jolt = SIMD8(repeating: Float(0.5.squareRoot())).replacing(
      with: step.jolt, where: continues)
    let deviation = logSpeed.exponential * jolt
    let (x, y) = numbers.gaussianPair()
    let (oldX, oldY) = (velocityX, velocityY)
    velocityX = (share * oldX + deviation * x) * walks
    velocityY = (share * oldY + deviation * y) * walks
    let shiftX = 0.5 * step.seconds * (oldX + velocityX)
    let shiftY = 0.5 * step.seconds * (oldY + velocityY)
    var next = place
    next.x += shiftX
    next.y += shiftY
    let isAllowed = area.allows(place, next)
    place.x.replace(with: next.x, where: isAllowed)
    place.y.replace(with: next.y, where: isAllowed)
    let walkedWay = (shiftX * shiftX + shiftY * shiftY).root
    way += walkedWay.replacing(with: 0, where: .!isAllowed)
    velocityX.replace(with: -velocityX, where: .!isAllowed)
    velocityY.replace(with: -velocityY, where: .!isAllowed)
    if area.heights != nil {
      place.height = area.clamp(
        height: place.height + step.climb * walks * numbers.gaussianPair().0)
    }
  }

  /// Returns logarithms of speeds reflected at the ends of their range.
  private static func turned(_ logSpeed: SIMD8<Float>) -> SIMD8<Float> {
    let (low, high) = (
      ParticleMotion.logSpeeds.lowerBound, ParticleMotion.logSpeeds.upperBound
    )
    let folded = logSpeed.replacing(with: 2 * low - logSpeed, where: logSpeed .< low)
    return folded.replacing(with: 2 * high - folded, where: folded .> high).most(low).least(high)
  }
}
